/** What a deck is made of, counted: the numbers behind the bars. */
import { classesIn, kindsIn, SUBTYPES, treasureOf } from "../../cards/card";
import type { CardPage, Class, DeckCard } from "../../gen/wire";

export interface Bar {
  /** A class, or one of the words of the page. */
  key: string;
  count: number;
}
export interface Group {
  key: "cards" | "ranks" | "subtypes" | "icons" | "bosses" | "heroes" | "health" | "items";
  bars: Bar[];
}

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
  const classes = classesIn(cards.map(({ card }) => card));
  const treasure = (card: CardPage, key: string) => treasureOf(card, key as Class);
  const healths = [
    ...new Set(cards.flatMap(({ card }) => (card.kind === "hero" ? [card.health ?? 0] : []))),
  ].sort((a, b) => a - b);
  const items: Group = {
    key: "items",
    bars: bars(classes, (key) => sum((card) => card.kind === "item" && treasure(card, key) > 0)),
  };
  return [
    {
      key: "cards",
      bars: bars(kindsIn(cards.map(({ card }) => card)), (key) => sum((card) => card.kind === key)),
    },
    {
      key: "ranks",
      bars: bars(["ordinary", "advanced"], (key) =>
        sum((card) => card.kind === "room" && (card.advanced ?? false) === (key === "advanced")),
      ),
    },
    {
      key: "subtypes",
      bars: bars(SUBTYPES, (key) => sum((card) => card.kind === "room" && card.subtype === key)),
    },
    {
      key: "icons",
      bars: bars(classes, (key) => sum((card) => (card.kind === "room" ? treasure(card, key) : 0))),
    },
    {
      key: "bosses",
      bars: bars(classes, (key) => sum((card) => card.kind === "boss" && treasure(card, key) > 0)),
    },
    {
      key: "heroes",
      bars: bars(classes, (key) =>
        sum(
          (card) => (card.kind === "hero" || card.kind === "epic") && !card.dark && treasure(card, key) > 0,
        ),
      ),
    },
    {
      key: "health",
      bars: bars(healths.map(String), (key) =>
        sum((card) => card.kind === "hero" && card.health === Number(key)),
      ),
    },
    ...(items.bars.some(({ count }) => count > 0) ? [items] : []),
  ];
}
