/** What is missing before a table can start, and what one click can do about it. */
import type { TableInfo } from "../../gen/wire";

export interface Readiness {
  people: number;
  bots: number;
  free: readonly number[];
  /** The click that starts: as it is, with fewer seats, or with bots for the free ones. */
  first: "start" | "without" | "bots";
  /** Another way, if there is one. */
  other?: "bots";
}

export function readiness(table: TableInfo): Readiness {
  const of = (kind: "person" | "bot") => table.seats.filter(({ who }) => who?.kind === kind).length;
  const free = table.seats.flatMap(({ seat, who }) => (who ? [] : [seat]));
  const [people, bots] = [of("person"), of("bot")];
  if (free.length === 0) return { people, bots, free, first: "start" };
  // Friends who are all here need no bots.
  if (people + bots >= 2) return { people, bots, free, first: "without", other: "bots" };
  return { people, bots, free, first: "bots" };
}
