/** A table as the page uses it: the state, the connection, and every message a player can send. */
import type {
  ArmedFor,
  BotLevel,
  ClientMsg,
  PassUntil,
  ServerMsg,
  Settings,
  Stops,
  Update,
} from "../gen/wire";
import { ShufflePart } from "../fairness/part";
import { words } from "../words/table";
import { TableSocket, tableUrl, type Line, type Wire } from "./socket";
import { nothing, receive, type TableState } from "./state";

export interface Toast {
  id: number;
  words: string;
}

const TOAST_MS = 5_000;

export class TableSession {
  state: TableState = $state.raw(nothing);
  line: Line = $state("connecting");
  toasts: Toast[] = $state([]);
  /** Called for every update, in order. */
  onupdate?: (update: Update) => void;
  /** What this browser adds to the shuffle. */
  readonly part: ShufflePart;
  private readonly socket: TableSocket;
  private toastId = 0;
  /** The undo request that this player refused. */
  private refused?: number;

  constructor(
    readonly id: string,
    open?: (url: string) => Wire,
  ) {
    this.part = new ShufflePart(id);
    this.socket = new TableSocket({
      url: tableUrl(id),
      commitment: this.part.commitment,
      open,
      onmessage: (message) => this.hear(message),
      online: (line) => (this.line = line),
    });
  }

  close = (): void => this.socket.close();
  retry = (): void => this.socket.retry();

  say(message: ClientMsg): void {
    if (!this.socket.send(message)) this.toast(words.lost.notSent);
  }

  /** Answers the current question, once. */
  act(index: number): void {
    const { update, answered } = this.state;
    if (!update?.ask || answered === update.seq || this.line !== "open") return;
    this.state = { ...this.state, answered: update.seq, hint: undefined };
    this.say({ type: "act", seq: update.seq, index });
  }

  preview(index: number): void {
    const { update, preview, answered } = this.state;
    if (!update?.ask || this.line !== "open" || answered === update.seq) return;
    if (preview?.seq === update.seq && preview.index === index) return;
    this.say({ type: "preview", seq: update.seq, index });
  }

  /** Why one of the player's own cards cannot be used now. */
  why(card: number): void {
    const { update, why } = this.state;
    if (!update || update.over || this.line !== "open") return;
    if (why?.seq === update.seq && why.card === card) return;
    this.say({ type: "why", card });
  }

  hint(): void {
    if (this.state.update?.ask) this.say({ type: "hint", seq: this.state.update.seq });
  }

  hold(): void {
    if (this.state.update) this.say({ type: "hold", seq: this.state.update.seq });
    this.state = { ...this.state, answered: undefined };
  }

  undo = (): void => this.say({ type: "undo" });
  stops = (stops: Stops): void => this.say({ type: "stops", stops });
  /** Passes the question that is open, and everything until then. */
  passOn(until: PassUntil): void {
    const { update, answered } = this.state;
    const open = update?.ask && answered !== update.seq && this.line === "open";
    if (open) this.state = { ...this.state, answered: update.seq, hint: undefined };
    this.say({ type: "pass_on", until, ...(open ? { seq: update.seq } : {}) });
  }
  /** Passes everything until then, but not what is asked now. */
  passFromNow = (until: PassUntil | undefined): void =>
    this.say({ type: "pass_on", ...(until ? { until } : {}) });
  askEverywhere = (on: boolean): void => {
    if (this.line === "open") this.say({ type: "ask_everywhere", on });
  };
  arm = (card: number, when: ArmedFor | undefined): void =>
    this.say({ type: "arm", card, ...(when ? { when } : {}) });
  consent(yes: boolean): void {
    const { undoRequest } = this.state;
    if (!undoRequest) return;
    this.say({ type: "consent", request: undoRequest.request, yes });
    if (!yes) this.refused = undoRequest.request;
    this.state = { ...this.state, undoRequest: undefined };
  }
  sit = (seat: number): void => this.say({ type: "sit", seat });
  stand = (): void => this.say({ type: "stand" });
  bot = (seat: number, level?: BotLevel): void => this.say({ type: "bot", seat, level });
  remove = (seat: number): void => this.say({ type: "remove", seat });
  settings = (settings: Settings): void => this.say({ type: "settings", settings });
  start = (): void => this.say({ type: "start" });
  resign = (): void => this.say({ type: "resign" });
  replace = (seat: number): void => this.say({ type: "replace", seat });
  back = (): void => this.say({ type: "back" });
  rematch = (yes: boolean): void => this.say({ type: "rematch", yes });
  chat = (text: string): void => this.say({ type: "chat", text });

  toast(text: string): void {
    if (this.toasts.some((toast) => toast.words === text)) return;
    const id = ++this.toastId;
    this.toasts = [...this.toasts, { id, words: text }];
    setTimeout(() => (this.toasts = this.toasts.filter((toast) => toast.id !== id)), TOAST_MS);
  }

  private hear(message: ServerMsg): void {
    this.state = receive(this.state, message, performance.now());
    if (message.type === "update") this.onupdate?.(message);
    if (message.type === "welcome" || message.type === "table") {
      const bytes = this.part.hear(message.table, message.you);
      if (bytes) this.socket.send({ type: "reveal", bytes });
    }
    // A late click is nobody's fault: the current table says enough.
    if (message.type === "refused" && message.code !== "stale") this.toast(message.words);
    if (message.type === "disarmed") this.toast(message.words);
    // Whoever refused knows already.
    if (message.type === "undo_answered" && message.request !== this.refused) this.toast(message.words);
  }
}
