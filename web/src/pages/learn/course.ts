/**
 * A course: a game that was played by the engine and written down, so that every point surely comes. The files in
 * `scenarios/tutorial/` are what is played, `src/gen/lessons/*.json` what the server would send of it.
 *
 * Invariant: each point is one update; only a point with something to do asks a question.
 */
import type { Errand, GameEvent, Landmark, Preview, Start, Table, Update } from "../../gen/wire";
import { applyEvent } from "../../table/stage/apply";
import type { say } from "../../words/pages";

type Words = (typeof say)["tutorial"];
export type Lesson = keyof Words["lessons"];
export type PointKey = keyof Words["points"];

interface Moment {
  update: Update;
  /** What the answer would do. */
  preview?: Preview;
}
interface Chapter {
  start: Start;
  moments: readonly Moment[];
}
export interface RecordedGame {
  chapters: readonly Chapter[];
}

/** Something to look at: a card by name, or a place of the board. */
export type Spot =
  | { in: "hand" | "town" | "dungeon" | "rooms"; card: string }
  | "boss"
  | "town"
  | "entrance"
  | "souls"
  | "coins"
  | "miniboss"
  | "items"
  | "opponent"
  | { space: `${Landmark}:${Errand}` }
  | "street"
  | "market"
  | "landmarks"
  | "camp"
  | "send"
  | "score"
  | "pass"
  | "pending";

export interface Point {
  key: PointKey;
  chapter: number;
  moment: number;
  /** Stops after the last event of this kind; otherwise when all has happened. */
  after?: GameEvent["kind"];
  spots: readonly Spot[];
  /** It goes on by the move itself, not by a tap. */
  act?: true;
  /** What has been learned when it is passed. */
  teaches?: Lesson;
}

export const hand = (card: string): Spot => ({ in: "hand", card });
export const town = (card: string): Spot => ({ in: "town", card });
export const dungeon = (card: string): Spot => ({ in: "dungeon", card });
export const room = (card: string): Spot => ({ in: "rooms", card });

export const space = (space: `${Landmark}:${Errand}`): Spot => ({ space });

export class Course {
  readonly lessons: readonly Lesson[];

  constructor(
    readonly game: RecordedGame,
    readonly points: readonly [Point, ...Point[]],
  ) {
    this.lessons = points.flatMap(({ teaches }) => teaches ?? []);
  }

  get length(): number {
    return this.points.length;
  }

  pointAt(at: number): Point {
    return this.points[at] ?? this.points[0];
  }

  /** What has been learned on the way to a point. */
  learnedBefore(at: number): Lesson[] {
    return this.points.slice(0, at).flatMap((point) => point.teaches ?? []);
  }

  /** The cards that are seen in a chapter, and everything else that is told before it begins. */
  start(chapter: number): Start | undefined {
    return this.game.chapters[chapter]?.start;
  }

  /** The update at a point, after the one before it; `fresh` shows the table as it is. */
  updateAt(at: number, fresh = false): Update {
    const [point, last] = [this.pointAt(at), at > 0 ? this.pointAt(at - 1) : undefined];
    const { update } = this.momentOf(point);
    const follows = !fresh && last?.chapter === point.chapter;
    const from = last?.moment === point.moment ? this.happened(last) : 0;
    return {
      seq: at + 1,
      fresh: !follows,
      view: this.viewAt(point),
      events: follows ? update.events.slice(from, this.happened(point)) : [],
      undo: update.undo,
      ...(point.act && { ask: update.ask, waiting: update.waiting }),
    };
  }

  previewAt(at: number): Preview | undefined {
    const { preview } = this.momentOf(this.pointAt(at));
    return preview && { ...preview, seq: at + 1 };
  }

  private momentOf(point: Point): Moment {
    const moment = this.game.chapters[point.chapter]?.moments[point.moment];
    if (!moment) throw new Error(`the course has no moment ${point.chapter}.${point.moment}`);
    return moment;
  }

  /** How many events of its moment have happened at the point. */
  private happened(point: Point): number {
    const { events } = this.momentOf(point).update;
    return point.after === undefined
      ? events.length
      : events.map(({ kind }): string => kind).lastIndexOf(point.after) + 1;
  }

  private viewAt(point: Point): Table {
    const { update } = this.momentOf(point);
    if (point.after === undefined) return update.view;
    const before = this.momentOf({ ...point, moment: point.moment - 1 }).update.view;
    const cards = new Map(this.start(point.chapter)?.cards.map((card) => [card.face, card]));
    return update.events
      .slice(0, this.happened(point))
      .reduce((view, event) => applyEvent(view, event, cards), before);
  }
}
