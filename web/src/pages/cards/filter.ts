/** Which cards are looked for. A filter can be written into an address and read from one. */
import { CLASSES } from "../../art/classes";
import { KINDS, SUBTYPES, treasureOf } from "../../cards/card";
import type { Subtype } from "../../gen/wire";
import type { CardPage, Class, Kind } from "../../gen/wire";

export interface Filter {
  text: string;
  set: string;
  kind: Kind | "";
  class: Class | "";
  subtype: Subtype | "";
  rank: "ordinary" | "advanced" | "";
}

export const ALL: Readonly<Filter> = { text: "", set: "", kind: "", class: "", subtype: "", rank: "" };

/** Every word must be somewhere on the card. */
export function isMatch(card: CardPage, filter: Filter): boolean {
  if (filter.set && card.set !== filter.set) return false;
  if (filter.kind && card.kind !== filter.kind) return false;
  if (filter.subtype && card.subtype !== filter.subtype) return false;
  if (filter.rank && (card.kind !== "room" || (card.advanced ?? false) !== (filter.rank === "advanced")))
    return false;
  if (filter.class && treasureOf(card, filter.class) === 0) return false;
  if (!filter.text.trim()) return true;
  const printed = plain([card.name, card.number ?? "", card.facts, ...card.text, ...card.rulings].join(" "));
  return plain(filter.text)
    .split(/\s+/)
    .every((word) => printed.includes(word));
}

/** Small letters, and no difference between kinds of quotes. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[’‘]/g, "'").trim();
}

export function isAll(filter: Filter): boolean {
  return writeFilter(filter) === "";
}

export function readFilter(search: string): Filter {
  const asked = new URLSearchParams(search);
  const one = <T extends string>(key: string, of: readonly T[]): T | "" =>
    of.find((value) => value === asked.get(key)) ?? "";
  return {
    text: asked.get("text") ?? "",
    set: asked.get("set") ?? "",
    kind: one("kind", KINDS),
    class: one("class", CLASSES),
    subtype: one("subtype", SUBTYPES),
    rank: one("rank", ["ordinary", "advanced"]),
  };
}

/** With its question mark; empty for all cards. */
export function writeFilter(filter: Filter): string {
  const asked = new URLSearchParams();
  for (const [key, value] of Object.entries(filter)) if (value.trim()) asked.set(key, value);
  const text = asked.toString();
  return text && `?${text}`;
}

/** The sets there are, in the order of the cards. */
export function setsOf(cards: readonly CardPage[]): string[] {
  return [...new Set(cards.map((card) => card.set))];
}
