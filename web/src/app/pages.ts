/** Pages are loaded when first needed; the title screen is there from the start. */
import type { Component } from "svelte";
import type { Route } from "./route";

export type Page = Exclude<Route["page"], "home" | "not_found">;
type Part = { default: Component<Record<string, unknown>> };
/** The component of a page, with the page it is for. */
type Loaded = { of: Page; component: Part["default"] };

const PAGES = {
  table: () => import("../table/TablePage.svelte"),
  cards: () => import("../pages/Cards.svelte"),
  decks: () => import("../pages/Decks.svelte"),
  own: () => import("../pages/OwnCards.svelte"),
  rules: () => import("../pages/Rules.svelte"),
  learn: () => import("../pages/Learn.svelte"),
  replay: () => import("../pages/Replay.svelte"),
  solo: () => import("../pages/Solo.svelte"),
  puzzles: () => import("../pages/Puzzles.svelte"),
  puzzle: () => import("../pages/Puzzle.svelte"),
  games: () => import("../pages/Games.svelte"),
  account: () => import("../pages/Account.svelte"),
} as unknown as Record<Page, () => Promise<Part>>;

const loaded = new Map<Page, Promise<Loaded>>();

export function load(page: Page): Promise<Loaded> {
  const known = loaded.get(page);
  if (known) return known;
  const part = PAGES[page]().then(({ default: component }) => ({ of: page, component }));
  loaded.set(page, part);
  part.catch(() => loaded.delete(page));
  return part;
}
