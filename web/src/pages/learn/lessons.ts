/**
 * What the tutorial says: a lesson when something happens for the first time, advice while nothing does. It looks at
 * what the server tells of a real game and knows no rules of its own.
 */
import type { YourQuestion, Choice, GameEvent, Table } from "../../gen/wire";

export const LESSONS = ["build", "lure", "kill", "wound", "spell", "level"] as const;
export type Lesson = (typeof LESSONS)[number];

/** What an event teaches the player in this seat. */
export function lessonOf(event: GameEvent, me: number): Lesson | undefined {
  switch (event.kind) {
    case "reveals":
    case "builds":
      return event.actor === me ? "build" : undefined;
    case "lured":
      return event.to?.seat === me ? "lure" : undefined;
    case "dies":
      return event.to?.seat === me ? "kill" : undefined;
    case "wounds":
      return "wound";
    case "levels_up":
      return event.actor === me ? "level" : undefined;
    case "casts":
      return "spell";
    default:
      return undefined;
  }
}

export type Advice =
  | "deal"
  | "boss"
  | "first"
  | "build"
  | "passBuild"
  | "cast"
  | "target"
  | "choose"
  | "may"
  | "adventure"
  | "waitBuild"
  | "bait"
  | "walk"
  | "begin"
  | "over";

/** What to say now: about the question if there is one, else about what is going on. */
export function adviceFor(
  view: Table | undefined,
  ask: YourQuestion | undefined,
  over: boolean,
  seen: readonly Lesson[] = [],
): Advice {
  if (over) return "over";
  if (!view) return "deal";
  if (ask) {
    switch (ask.decision.question) {
      case "keep_boss":
        return "boss";
      case "first_room":
        return "first";
      case "act":
        if (ask.legal.some((choice) => choice.kind === "build")) return "build";
        if (!seen.includes("spell") && ask.legal.some(isCasting)) return "cast";
        return view.phase === "adventure" ? "adventure" : "passBuild";
      case "may":
      case "machinations":
      case "mulligan":
        return "may";
      case "cancel":
        return "adventure";
      default:
        if (ask.decision.source?.kind === "spell") return "target";
        return ask.legal.some((choice) => choice.kind === "build") ? "build" : "choose";
    }
  }
  switch (view.phase) {
    case "build":
      return "waitBuild";
    case "bait":
      return "bait";
    case "adventure":
      return "walk";
    case "setup":
      return "deal";
    default:
      return "begin";
  }
}

function isCasting(choice: Choice): boolean {
  return choice.kind === "use" && choice.card.kind === "spell";
}

/** After this many turns the remaining lessons are just told. */
export const ENOUGH_TURNS = 6;

export function isComplete(seen: readonly Lesson[], turn: number): boolean {
  return turn >= ENOUGH_TURNS || LESSONS.every((lesson) => seen.includes(lesson));
}
