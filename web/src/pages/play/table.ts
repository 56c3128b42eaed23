/** Making tables: what is remembered between visits, and what the server is asked for. */
import { api } from "../../api/client";
import { myself } from "../../api/me.svelte";
import { router } from "../../app/router.svelte";
import { BOT_LEVELS, RULESETS, type BotLevel, type NewTable, type Settings } from "../../gen/wire";

/** Weakest first. */
export const LEVELS = Object.keys(BOT_LEVELS) as readonly BotLevel[];

/** What the server takes if nothing is said, but for the deck: that is the first of its list. */
export const USUAL: Settings = {
  deck: "bmr",
  ruleset: "classic",
  variants: [],
  players: 2,
  undo: "consent",
  spectators: "open",
  listed: false,
  window_ms: 2000,
};

/** The rulesets for several players. */
export const TOGETHER = RULESETS.filter(({ alone }) => !alone);

/** A game for one, by these rules. */
export function alone(ruleset: "solo" | "challenge"): Settings {
  const deck = RULESETS.find(({ name }) => name === ruleset)?.deck ?? USUAL.deck;
  return { ...USUAL, ruleset, deck, players: 1, window_ms: 0 };
}

/** The deck that goes with these rules; five and six need the cards of the extension (14.10). */
export function deckFor(ruleset: string, players: number): string {
  const usual = RULESETS.find(({ name }) => name === ruleset)?.deck ?? USUAL.deck;
  return ruleset === "super" && players > 4 ? "sbm-crl" : usual;
}

/** Rule 12.7: more than four play Classic with Unlimited Lives. */
export function fitting(settings: Settings): Settings {
  if (
    settings.players <= 4 ||
    settings.ruleset !== "classic" ||
    settings.variants.includes("unlimited-lives")
  )
    return settings;
  return { ...settings, variants: [...settings.variants, "unlimited-lives"] };
}

/** How many can play at a table for friends, before anybody says otherwise. */
const FRIENDS = 4;

/** A table for friends, with what its host chose last time; the deck may be chosen already. */
export function forFriends(deck?: { name: string; most: number; text?: string }): Settings {
  const kept = remembered<Partial<Settings>>("settings", {});
  const { deck_text: _, cards_text: __, ...usual } = { ...USUAL, players: FRIENDS, ...kept };
  if (!deck) return usual;
  const players = Math.min(usual.players, deck.most);
  return { ...usual, players, deck: deck.name, ...(deck.text !== undefined && { deck_text: deck.text }) };
}

/** Makes the table, as somebody called so, and goes there. */
export async function sitDown(name: string, table: NewTable): Promise<void> {
  await myself.ensure(name.trim());
  const { id } = await api.newTable({ ...table, settings: fitting(table.settings) });
  await router.go(`/t/${encodeURIComponent(id)}`);
}

const PREFIX = "lair.";

/** A value kept in this browser, where storage is allowed. */
export function remembered<T>(key: string, usual: T): T {
  try {
    const text = localStorage.getItem(PREFIX + key);
    return text === null ? usual : (JSON.parse(text) as T);
  } catch {
    return usual;
  }
}

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Private windows may refuse.
  }
}
