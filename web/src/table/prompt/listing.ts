/** All answers in words, in the order of the table: your own dungeon first, each from the boss to the entrance. */
import type { Table } from "../../gen/wire";
import { compare } from "../order";
import type { Choice } from "../../gen/wire";

export interface Listed {
  /** Which of the answers. */
  index: number;
  words: string;
  /** The place in the dungeon, counted from 1, where the same words are used for several. */
  place?: number;
}

interface Spot {
  dungeon: number;
  place: number;
}

export function listing(legal: readonly Choice[], view: Table): Listed[] {
  const spots = new Map<number, Spot>();
  for (const { seat, dungeon } of view.players)
    dungeon.forEach(({ card }, place) => spots.set(card.id, { dungeon: seat, place }));
  const all = legal.map((choice, index) => {
    const spot =
      choice.kind === "build" ? choice : "card" in choice ? spots.get(choice.card?.id ?? -1) : undefined;
    return { index, choice, spot };
  });
  const order = all.map(({ index, choice, spot }) => {
    const first = legal.findIndex((other) => other.kind === "build" && other.card.id === buildOf(choice));
    const seats = view.players.length;
    const dungeon = spot ? (spot.dungeon - (view.seat ?? 1) + seats) % seats : 0;
    // What is in no dungeon keeps its order and comes first.
    return spot ? [1, first, dungeon, spot.place, index] : [0, index];
  });
  const places = new Map<string, Set<number>>();
  for (const { choice, spot } of all)
    if (spot) places.set(choice.words, (places.get(choice.words) ?? new Set()).add(spot.place));
  return all
    .sort((a, b) => compare(order[a.index] ?? [], order[b.index] ?? []))
    .map(({ index, choice: { words }, spot }) =>
      spot && (places.get(words)?.size ?? 0) > 1 ? { index, words, place: spot.place + 1 } : { index, words },
    );
}

const buildOf = (choice: Choice) => (choice.kind === "build" ? choice.card.id : undefined);
