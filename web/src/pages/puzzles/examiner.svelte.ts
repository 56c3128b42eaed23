/**
 * The other end of a puzzle's table: puts the questions, and asks the server what comes of each answer.
 *
 * Invariant: the answers given so far are all there is to an attempt, so any of them can be taken back.
 */
import type { api } from "../../api/client";
import { problemOf } from "../../api/problem";
import {
  PROTOCOL,
  type ClientMsg,
  type GameEvent,
  type PuzzleMove,
  type PuzzlePosition,
  type PuzzleStage,
  type Table,
  type TableInfo,
  type You,
  type YourQuestion,
} from "../../gen/wire";
import { LocalWire } from "../../net/local";
import { say } from "../../words/puzzles";
import { USUAL } from "../play/table";

/** What the examiner asks the server. */
export type Server = Pick<typeof api, "attempt" | "previewPuzzle" | "whyNotInPuzzle" | "puzzleHint">;

/** The table before an answer. */
interface Point {
  view: Table;
  ask?: YourQuestion;
}

export class Examiner extends LocalWire {
  stage: PuzzleStage = $state("asked");
  /** The answers so far. */
  given: readonly number[] = $state.raw([]);
  /** What the last answer led to. */
  moves: readonly PuzzleMove[] = $state.raw([]);
  /** A hint that leaves something to find. */
  clue = $state("");
  private points: readonly [Point, ...Point[]];
  private seq = 0;
  /** What the client wants to look at next; only the newest counts. */
  private wanted?: Extract<ClientMsg, { type: "preview" }>;
  private looking = false;

  constructor(
    private readonly position: PuzzlePosition,
    private readonly server: Server,
    private readonly solved: (answers: readonly number[]) => void,
  ) {
    super();
    this.points = [{ view: position.view, ask: position.ask }];
  }

  /** The puzzle's, and the number of players you are one of. */
  get name(): string {
    return this.position.puzzle.name;
  }

  takeBack(): void {
    if (this.given.length > 0) this.goBack(this.given.length - 1);
  }

  restart(): void {
    this.goBack(0);
  }

  /** Plays once more what the last answer led to. */
  watchAgain(): void {
    const [before, after] = [this.points.at(-2), this.points.at(-1)];
    if (!before || !after) return;
    this.update({ view: before.view }, [], true);
    this.update(
      after,
      this.moves.flatMap(({ events }) => events),
    );
  }

  protected hear(message: ClientMsg): void {
    switch (message.type) {
      case "hello":
        this.tell({ type: "welcome", protocol: PROTOCOL, you: this.you(), table: this.table(), chat: [] });
        this.tell({ type: "cards", start: this.position.start });
        this.update(this.now, [], true);
        break;
      case "act":
        if (message.seq === this.seq && this.stage === "asked") void this.answer(message.index);
        break;
      case "preview":
        this.wanted = message;
        void this.look();
        break;
      case "why":
        void this.why(message.card);
        break;
      case "hint":
        void this.hint();
        break;
      case "undo":
        this.takeBack();
        break;
      default:
    }
  }

  private get now(): Point {
    return this.points.at(-1) ?? this.points[0];
  }

  private async answer(index: number): Promise<void> {
    const [seq, answers] = [this.seq, [...this.given, index]];
    const reply = await this.asking(this.server.attempt(this.name, answers));
    if (!reply || seq !== this.seq) return;
    this.given = answers;
    this.moves = reply.moves;
    this.points = [...this.points, { view: reply.view, ask: reply.ask }];
    this.clue = "";
    this.update(
      this.now,
      reply.moves.flatMap(({ events }) => events),
    );
    this.stage = reply.stage;
    if (reply.stage === "solved") this.solved(answers);
  }

  /** One at a time. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    while (this.wanted) {
      const { seq, index } = this.wanted;
      this.wanted = undefined;
      if (seq !== this.seq) continue;
      try {
        const preview = await this.server.previewPuzzle(this.name, this.given, index);
        if (seq === this.seq) this.tell({ type: "preview", ...preview, seq });
      } catch {
        // Nobody has asked for it: the pointer just passed.
      }
    }
    this.looking = false;
  }

  private async why(card: number): Promise<void> {
    const seq = this.seq;
    const reason = await this.asking(this.server.whyNotInPuzzle(this.name, this.given, card));
    if (reason && seq === this.seq) this.tell({ type: "why", seq, card, words: reason.words });
  }

  /** First what kind of answer it is, then the answer. */
  private async hint(): Promise<void> {
    const seq = this.seq;
    const hint = await this.asking(this.server.puzzleHint(this.name, this.given));
    if (!hint || seq !== this.seq) return;
    const first = hint.kind !== undefined && this.clue === "";
    if (first) this.clue = hint.kind ?? "";
    const moves = first ? [] : [{ index: hint.index, words: hint.words, reason: "" }];
    this.tell({ type: "hint", seq, moves });
  }

  private goBack(to: number): void {
    const [first, ...more] = this.points;
    this.points = [first, ...more.slice(0, to)];
    this.given = this.given.slice(0, to);
    this.moves = [];
    this.stage = "asked";
    this.clue = "";
    this.update(this.now, [], true);
  }

  private update({ view, ask }: Point, events: readonly GameEvent[], fresh = false): void {
    this.seq += 1;
    const { seat } = this.position.puzzle;
    this.tell({
      type: "update",
      seq: this.seq,
      fresh,
      view,
      events: [...events],
      ...(ask && { ask, waiting: { seat, window: false, held: false } }),
      undo:
        this.given.length > 0
          ? { allowed: "freely", words: say.takeBack }
          : { allowed: "no", words: say.nothingToTakeBack },
    });
  }

  /** What the server says; if it cannot, why. */
  private async asking<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      this.tell({ type: "refused", code: "not_stored", words: problemOf(error).words });
      return undefined;
    }
  }

  private you(): You {
    return {
      name: say.you,
      seat: this.position.puzzle.seat,
      host: true,
      stops: { windows: "every", answer_spells: true },
      away: false,
    };
  }

  private table(): TableInfo {
    const { puzzle, names } = this.position;
    return {
      id: puzzle.name,
      settings: { ...USUAL, deck: puzzle.deck, ruleset: puzzle.ruleset, players: puzzle.players },
      own_deck: false,
      state: "playing",
      seats: names.map((name, at) => ({
        seat: at + 1,
        who:
          at + 1 === puzzle.seat
            ? { kind: "person", name: say.you, connected: true, host: true, away: false, resigned: false }
            : { kind: "bot", level: "boss", name },
      })),
      spectators: 0,
      commitment: "",
      turn: this.position.view.turn,
    };
  }
}
