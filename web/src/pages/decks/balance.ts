/** What a deck is made of, counted: the numbers behind the bars. */
import type { Class } from "../../art/palette";
import { isDark } from "../../cards/card";
import { drawable } from "../../api/card";
import type { CardPage, DeckCard } from "../../gen/wire";

export interface Bar {
  /** A class, or one of the words of the page. */
  key: string;
  count: number;
}
export interface Group {
  key: "cards" | "ranks" | "subtypes" | "icons" | "bosses" | "heroes" | "health";
  bars: Bar[];
}

const TREASURE: readonly (Class & keyof CardPage["treasure"])[] = ["cleric", "fighter", "mage", "thief"];

export function balanceOf(deck: readonly DeckCard[], all: readonly CardPage[]): Group[] {
  const known = new Map(all.map((card) => [`${card.set} ${card.name}`, card]));
  const cards = deck.flatMap(({ name, set, copies }) => {
    const card = known.get(`${set} ${name}`);
    return card ? [{ card, copies }] : [];
  });
  const sum = (test: (card: CardPage) => boolean | number) =>
    cards.reduce((total, { card, copies }) => total + copies * Number(test(card)), 0);
  const bars = (keys: readonly string[], count: (key: string) => number): Bar[] =>
    keys.map((key) => ({ key, count: count(key) }));
  const treasure = (card: CardPage, key: string) => card.treasure[key as keyof CardPage["treasure"]];
  const healths = [
    ...new Set(cards.flatMap(({ card }) => (card.kind === "hero" ? [card.health ?? 0] : []))),
  ].sort((a, b) => a - b);
  return [
    {
      key: "cards",
      bars: bars(["boss", "room", "spell", "hero", "epic"], (key) => sum((card) => card.kind === key)),
    },
    {
      key: "ranks",
      bars: bars(["ordinary", "advanced"], (key) =>
        sum((card) => card.kind === "room" && (card.advanced ?? false) === (key === "advanced")),
      ),
    },
    {
      key: "subtypes",
      bars: bars(["monster", "trap"], (key) => sum((card) => card.kind === "room" && card.subtype === key)),
    },
    {
      key: "icons",
      bars: bars(TREASURE, (key) => sum((card) => (card.kind === "room" ? treasure(card, key) : 0))),
    },
    {
      key: "bosses",
      bars: bars(TREASURE, (key) => sum((card) => card.kind === "boss" && treasure(card, key) > 0)),
    },
    {
      key: "heroes",
      bars: bars(TREASURE, (key) =>
        sum(
          (card) =>
            (card.kind === "hero" || card.kind === "epic") &&
            !isDark(drawable(card)) &&
            treasure(card, key) > 0,
        ),
      ),
    },
    {
      key: "health",
      bars: bars(healths.map(String), (key) =>
        sum((card) => card.kind === "hero" && card.health === Number(key)),
      ),
    },
  ];
}
