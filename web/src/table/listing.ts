/** All answers in words, in the order of the table: one's own dungeon first, each from the boss to the entrance. */
import type { Choice, Table } from "../gen/wire";
import { words } from "../words/table";
import { compare } from "./order";

export interface Listed {
  /** Which of the answers. */
  index: number;
  words: string;
}

interface Spot {
  dungeon: number;
  place: number;
}

export function listing(legal: readonly Choice[], view: Table, names: readonly string[]): Listed[] {
  const spots = new Map<number, Spot>();
  for (const { seat, dungeon } of view.players)
    dungeon.forEach(({ card }, place) => spots.set(card.id, { dungeon: seat, place }));
  const own = view.seat === undefined ? undefined : names[view.seat - 1];
  const all = legal.map((choice, index) => {
    const spot =
      choice.kind === "build" ? choice : "card" in choice ? spots.get(choice.card?.id ?? -1) : undefined;
    return { index, choice, spot, words: own === undefined ? choice.words : yours(choice, own, view) };
  });
  const order = all.map(({ index, choice, spot }) => {
    const first = legal.findIndex((other) => other.kind === "build" && other.card.id === buildOf(choice));
    const seats = view.players.length;
    const dungeon = spot ? (spot.dungeon - (view.seat ?? 1) + seats) % seats : 0;
    // What lies in no dungeon keeps its order and comes first.
    return spot ? [1, first, dungeon, spot.place, index] : [0, index];
  });
  const where = new Map<string, Set<number>>();
  for (const { words, spot } of all)
    if (spot) where.set(words, (where.get(words) ?? new Set()).add(spot.place));
  return all
    .sort((a, b) => compare(order[a.index] ?? [], order[b.index] ?? []))
    .map(({ index, words: said, spot }) => ({
      index,
      words: spot && (where.get(said)?.size ?? 0) > 1 ? words.atPlace(said, spot.place + 1) : said,
    }));
}

const buildOf = (choice: Choice) => (choice.kind === "build" ? choice.card.id : undefined);

/** "Ina's" is "your" to Ina. */
function yours(choice: Choice, own: string, view: Table): string {
  const id = choice.kind === "pick" ? choice.card?.id : undefined;
  const mine = view.players.find(({ seat }) => seat === view.seat);
  if (!mine || id === undefined) return choice.words;
  const cards = [
    mine.boss,
    ...mine.dungeon.map(({ card }) => card),
    ...[...mine.entrance, ...mine.inside].map(({ card }) => card),
    ...mine.soul_cards,
    ...mine.wound_cards,
  ];
  if (!cards.some((card) => card?.id === id)) return choice.words;
  const whose = `${words.whose(own)} `;
  if (choice.words.startsWith(whose)) return `${words.yours} ${choice.words.slice(whose.length)}`;
  const at = choice.words.lastIndexOf(`(${whose}`);
  if (at < 0) return choice.words;
  return `${choice.words.slice(0, at + 1)}${words.yours} ${choice.words.slice(at + 1 + whose.length)}`;
}
