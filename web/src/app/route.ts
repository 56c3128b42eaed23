/** Addresses and the pages they name. Pure: reading and writing addresses only. */

import { isCourse, type CourseName } from "../pages/learn/courses";

export type Viewpoint = "all" | number;

export type Route =
  | { page: "home" }
  | { page: "table"; id: string }
  | { page: "cards"; card?: string }
  | { page: "decks" }
  | { page: "own" }
  | { page: "rules" }
  | { page: "learn"; course?: CourseName }
  | { page: "replay"; id: string; step: number; viewpoint: Viewpoint }
  | { page: "games" }
  | { page: "solo" }
  | { page: "puzzles" }
  | { page: "puzzle"; id: string }
  | { page: "account" }
  | { page: "not_found"; path: string };

export function readRoute(path: string, search = ""): Route {
  const [first, second, ...more] = path
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  const notFound: Route = { page: "not_found", path };
  if (more.length > 0) return notFound;
  switch (first) {
    case undefined:
      return { page: "home" };
    case "t":
      return second ? { page: "table", id: second } : notFound;
    case "cards":
      return second ? { page: "cards", card: second } : { page: "cards" };
    case "replay":
      return second ? { page: "replay", id: second, ...moment(new URLSearchParams(search)) } : notFound;
    case "learn":
      if (second === undefined) return { page: "learn" };
      return isCourse(second) ? { page: "learn", course: second } : notFound;
    case "puzzles":
      return second ? { page: "puzzle", id: second } : { page: "puzzles" };
    case "decks":
    case "own":
    case "rules":
    case "games":
    case "solo":
    case "account":
      return second === undefined ? { page: first } : notFound;
    default:
      return notFound;
  }
}

/** Where links lead. */
export const to = {
  home: "/",
  cards: "/cards",
  decks: "/decks",
  own: "/own",
  rules: "/rules",
  learn: "/learn",
  lesson: (course: CourseName) => (course === "first" ? "/learn" : `/learn/${course}`),
  games: "/games",
  solo: "/solo",
  puzzles: "/puzzles",
  account: "/account",
  table: (id: string) => `/t/${encodeURIComponent(id)}`,
  puzzle: (name: string) => `/puzzles/${encodeURIComponent(name)}`,
  card: (numberOrName: string) => `/cards/${encodeURIComponent(numberOrName)}`,
  rule: (number: string) => `/rules#${number}`,
  replay: (id: string, step = 0, viewpoint: Viewpoint = "all") => {
    const asked = new URLSearchParams();
    if (step > 0) asked.set("step", String(step));
    if (viewpoint !== "all") asked.set("seat", String(viewpoint));
    const search = asked.toString();
    return `/replay/${encodeURIComponent(id)}${search && `?${search}`}`;
  },
} as const;

/** Files and the API are the server's; everything else is a page of the client. */
export function isPage(path: string): boolean {
  return !/^\/(api|record|licenses|assets)(\/|$)/.test(path) && !/\.[a-z0-9]+$/i.test(path);
}

function moment(asked: URLSearchParams): { step: number; viewpoint: Viewpoint } {
  const step = Number(asked.get("step"));
  const seat = Number(asked.get("seat"));
  return {
    step: Number.isInteger(step) && step > 0 ? step : 0,
    viewpoint: Number.isInteger(seat) && seat >= 1 && seat <= 6 ? seat : "all",
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
