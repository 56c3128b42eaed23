/** What else lies at a table: coins, minibosses with their rooms, items. A game without them has none of it. */
import type { Card, CardText, Item, Miniboss, Player, Room, Table } from "../../gen/wire";

export const coinsOf = (player: Player): number => player.coins ?? 0;
export const itemsOf = (player: Player): readonly Item[] => player.items ?? [];
export const itemsInTown = (view: Table): readonly Card[] => view.items ?? [];

/** The room of a stack, and the miniboss with it. One that was placed this turn lies on top until it shows itself. */
export interface Lodging {
  room: Card;
  guest?: Miniboss;
}

export function lodgingOf({ card, beneath, facedown, miniboss }: Room): Lodging {
  const [below] = beneath;
  if (card.kind !== "miniboss" || !below) return { room: card, ...(miniboss && { guest: miniboss }) };
  return { room: below, guest: { card, level: 1, facedown } };
}

/** Whether coins are in the game: a card that is about them is. */
export function hasCoins(cards: Iterable<CardText>): boolean {
  return [...cards].some(
    ({ kind, text }) => kind === "miniboss" || text.some((line) => /\bcoins?\b/i.test(line)),
  );
}

/** Every card that lies at a player's place beside rooms, heroes and boss. */
export function piecesOf(player: Player): Card[] {
  const heroes = [...player.entrance, ...player.inside];
  return [
    ...player.dungeon.flatMap((room) => room.miniboss?.card ?? []),
    ...heroes.flatMap((hero) => hero.item ?? []),
    ...itemsOf(player).map(({ card }) => card),
  ];
}
