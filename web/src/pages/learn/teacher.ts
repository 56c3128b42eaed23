/** The other end of the tutorial's table: speaks as the server does, from point to point. */
import { PROTOCOL, type ClientMsg, type TableInfo, type You } from "../../gen/wire";
import { LocalWire } from "../../net/local";
import { say } from "../../words/pages";
import { USUAL } from "../play/table";
import type { Course } from "./course";

const YOU: You = {
  name: say.tutorial.you,
  seat: 1,
  host: true,
  stops: { windows: "concerning", answer_spells: true },
  away: false,
};
const TABLE: TableInfo = {
  id: "tutorial",
  settings: USUAL,
  own_deck: false,
  state: "playing",
  seats: [
    {
      seat: 1,
      who: { kind: "person", name: YOU.name, connected: true, host: true, away: false, resigned: false },
    },
    { seat: 2, who: { kind: "bot", level: "kobold", name: "Kobold" } },
  ],
  spectators: 0,
  commitment: "",
  turn: 0,
};

export class Teacher extends LocalWire {
  constructor(
    private readonly course: Course,
    private at: number,
    /** Called with every point that is reached. */
    private readonly reached: (at: number) => void,
    private readonly leave: () => void,
  ) {
    super();
  }

  protected hear(message: ClientMsg): void {
    switch (message.type) {
      case "hello":
        this.tell({ type: "welcome", protocol: PROTOCOL, you: YOU, table: TABLE, chat: [] });
        this.go(this.at, true);
        break;
      case "act":
        if (message.seq === this.at + 1 && this.course.pointAt(this.at).act) this.go(this.at + 1);
        break;
      case "preview": {
        const preview = this.course.previewAt(this.at);
        if (preview && message.seq === preview.seq) this.tell({ type: "preview", ...preview });
        break;
      }
      case "resign":
        this.leave();
        break;
      default:
    }
  }

  /** On from a point with nothing to do. */
  next(): void {
    if (!this.course.pointAt(this.at).act && this.at + 1 < this.course.length) this.go(this.at + 1);
  }

  again(): void {
    this.go(0, true);
  }

  private go(at: number, fresh = false): void {
    const before = this.course.pointAt(this.at).chapter;
    this.at = at;
    const { chapter } = this.course.pointAt(at);
    const start = this.course.start(chapter);
    if (start && (fresh || chapter !== before)) this.tell({ type: "cards", start });
    this.tell({ type: "update", ...this.course.updateAt(at, fresh) });
    this.reached(at);
  }
}
