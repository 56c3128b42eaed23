/**
 * The points of the tutorial. The game itself was played by the engine and written down, so every point surely comes:
 * `scenarios/tutorial/first-game.scn` is what is played, `src/gen/tutorial.json` what the server would send of it.
 *
 * Invariant: each point is one update; only a point with something to do asks a question.
 */
import type { GameEvent, Preview, Start, Table, Update } from "../../gen/wire";
import recorded from "../../gen/tutorial.json";
import { applyEvent } from "../../table/stage/apply";

interface Moment {
  update: Update;
  /** What the answer would do. */
  preview?: Preview;
}
interface Chapter {
  start: Start;
  moments: readonly Moment[];
}

export const GAME = recorded as unknown as { chapters: readonly Chapter[] };

export const LESSONS = ["build", "lure", "wound", "kill", "level", "spell", "answer", "win"] as const;
export type Lesson = (typeof LESSONS)[number];

/** Something to look at: a card by name, or a place of the board. */
export type Spot =
  | { in: "hand" | "town" | "dungeon"; card: string }
  | "boss"
  | "town"
  | "entrance"
  | "souls"
  | "opponent"
  | "pass"
  | "pending";

export interface Point {
  key: string;
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

const hand = (card: string): Spot => ({ in: "hand", card });
const town = (card: string): Spot => ({ in: "town", card });
const dungeon = (card: string): Spot => ({ in: "dungeon", card });

export const POINTS = [
  { key: "boss", chapter: 0, moment: 0, spots: ["boss"] },
  { key: "room", chapter: 0, moment: 0, spots: [hand("Golem Factory")], act: true, teaches: "build" },
  { key: "heroes", chapter: 0, moment: 1, spots: ["town"] },
  { key: "second", chapter: 0, moment: 1, spots: [hand("Neanderthal Cave")], act: true },
  { key: "lure", chapter: 0, moment: 2, after: "lured", spots: ["entrance"], teaches: "lure" },
  { key: "wound", chapter: 0, moment: 2, after: "wounds", spots: ["opponent"], teaches: "wound" },
  { key: "pass", chapter: 0, moment: 2, spots: ["pass", dungeon("Boden the Pantless")], act: true },
  { key: "kill", chapter: 0, moment: 3, spots: ["souls"], teaches: "kill" },
  { key: "later", chapter: 1, moment: 0, spots: ["souls"] },
  { key: "epic", chapter: 1, moment: 0, spots: [town("Hya, Legendary Shinobi")] },
  { key: "fifth", chapter: 1, moment: 0, spots: [hand("Dizzygas Hallway")], act: true },
  { key: "level", chapter: 1, moment: 1, spots: [town("Nick the Masher")], act: true, teaches: "level" },
  {
    key: "spell",
    chapter: 1,
    moment: 2,
    spots: [hand("Exhaustion"), dungeon("Hya, Legendary Shinobi")],
    act: true,
    teaches: "spell",
  },
  {
    key: "answer",
    chapter: 1,
    moment: 3,
    spots: [hand("Counterspell"), "pending"],
    act: true,
    teaches: "answer",
  },
  { key: "win", chapter: 1, moment: 4, spots: ["souls", "boss"], teaches: "win" },
] as const satisfies readonly Point[];

export type PointKey = (typeof POINTS)[number]["key"];

export const pointAt = (at: number): Point & { key: PointKey } => POINTS[at] ?? POINTS[0];

/** What has been learned on the way to a point. */
export function learnedBefore(at: number): Lesson[] {
  return POINTS.slice(0, at).flatMap((point: Point) => point.teaches ?? []);
}

function momentOf(point: Point): Moment {
  const moment = GAME.chapters[point.chapter]?.moments[point.moment];
  if (!moment) throw new Error(`the tutorial has no moment ${point.chapter}.${point.moment}`);
  return moment;
}

/** How many events of its moment have happened at the point. */
function happened(point: Point): number {
  const { events } = momentOf(point).update;
  return point.after === undefined
    ? events.length
    : events.map(({ kind }) => kind).lastIndexOf(point.after) + 1;
}

function viewAt(point: Point): Table {
  const { update } = momentOf(point);
  if (point.after === undefined) return update.view;
  const before = momentOf({ ...point, moment: point.moment - 1 }).update.view;
  const cards = new Map(GAME.chapters[point.chapter]?.start.cards.map((card) => [card.face, card]));
  return update.events
    .slice(0, happened(point))
    .reduce((view, event) => applyEvent(view, event, cards), before);
}

/** The update at a point, after the one before it; `fresh` shows the table as it is. */
export function updateAt(at: number, fresh = false): Update {
  const [point, last] = [pointAt(at), at > 0 ? (pointAt(at - 1) as Point) : undefined];
  const { update } = momentOf(point);
  const follows = !fresh && last?.chapter === point.chapter;
  const from = last?.moment === point.moment ? happened(last) : 0;
  return {
    seq: at + 1,
    fresh: !follows,
    view: viewAt(point),
    events: follows ? update.events.slice(from, happened(point)) : [],
    undo: update.undo,
    ...(point.act && { ask: update.ask, waiting: update.waiting }),
  };
}

export function previewAt(at: number): Preview | undefined {
  const { preview } = momentOf(pointAt(at));
  return preview && { ...preview, seq: at + 1 };
}
