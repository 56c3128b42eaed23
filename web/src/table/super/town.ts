/** Reading the town board. Nothing here decides anything: the server counts. */
import type { Board, Forecast, Hero, Minion, Site, Space, Table } from "../../gen/wire";
import { spaceKey, type Key } from "../prompt/keys";

/** The minion on a space, if there is one. */
export function minionAt(board: Board, space: Space): Minion | undefined {
  return board.minions.find(
    (minion) => minion.space?.landmark === space.landmark && minion.space.errand === space.errand,
  );
}

/** The minion on a room or a boss. */
export function minionOn(view: Table, card: number): Minion | undefined {
  return view.board?.minions.find((minion) => minion.card === card);
}

/** The hero in front: in the Tavern the newest. */
export function front(site: Site): Hero | undefined {
  return site.heroes.at(-1);
}

/** The hero whom this player's minion is about to send somewhere. */
export function toSend(view: Table, seat: number | undefined): Site | undefined {
  const space = view.board?.minions.find((minion) => minion.seat === seat)?.space;
  if (space?.errand !== "summon") return undefined;
  return view.board?.landmarks.find(({ landmark }) => landmark === space.landmark);
}

/** How a hero who is sent from there would fare in a player's dungeon. */
export function fateAt(site: Site, seat: number | undefined): Forecast | undefined {
  return seat === undefined ? undefined : site.summoned?.forecasts[seat - 1];
}

/** The parts of the town board, where only one of them fits on the screen. */
export type Part = "street" | "landmarks" | "market";

/** The part in which something can be chosen; the one that shows nothing of it is left. */
export function partWith(view: Table, lit: ReadonlySet<Key>): Part | undefined {
  const { board } = view;
  if (!board || lit.size === 0) return undefined;
  if (board.market.some(({ id }) => lit.has(`card:${id}`))) return "market";
  const spaces = board.landmarks.flatMap(({ landmark, spaces }) =>
    spaces.map((errand) => spaceKey({ landmark, errand })),
  );
  const heroes = board.landmarks.flatMap((site) => site.heroes);
  if (spaces.some((key) => lit.has(key)) || heroes.some(({ card }) => lit.has(`card:${card.id}`)))
    return "landmarks";
  return view.town.some(({ card }) => lit.has(`card:${card.id}`)) ? "street" : undefined;
}

/** The part of the board in which a phase happens. */
export function partOf(phase: Table["phase"]): Part {
  return phase === "town" ? "market" : phase === "minion" ? "landmarks" : "street";
}

/** Titles of a game for one, lowest first: their badge gets finer. */
const TITLES = [
  "Failure",
  "Kobold",
  "Minion",
  "Mini Boss",
  "Boss",
  "Total Boss",
  "Dungeon Sultan",
  "Boss Monster",
  "Grand Boss",
  "Master of the Dungeon",
  "Grand Ultimate Master of the Dungeon",
] as const;

/** From 0 for a failure to 10. */
export function rankOf(title: string): number {
  return Math.max(0, TITLES.indexOf(title.replace(/^True /, "") as (typeof TITLES)[number]));
}
