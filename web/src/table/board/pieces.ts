/** What else lies at a table: coins, minibosses with their rooms, items. A game without them has none of it. */
import type { Card, CardText, Hero, Player, Room, Table } from "../../gen/wire";

export interface MinibossView {
  card: Card;
  /** From 1 to 3. */
  level: number;
  facedown: boolean;
}

export interface ItemView {
  card: Card;
  /** Used, or never to be used. */
  facedown: boolean;
}

interface Laid {
  coins?: number;
  miniboss?: MinibossView;
  item?: Card;
  items?: ItemView[];
}

export const coinsOf = (player: Player): number => (player as Laid).coins ?? 0;
export const coinsOn = (room: Room): number => (room as Laid).coins ?? 0;
export const minibossOf = (room: Room): MinibossView | undefined => (room as Laid).miniboss;
export const itemOf = (hero: Hero): Card | undefined => (hero as Laid).item;
export const itemsOf = (player: Player): readonly ItemView[] => (player as Laid).items ?? [];
export const itemsInTown = (view: Table): readonly Card[] =>
  (view as unknown as { items?: Card[] }).items ?? [];

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
    ...player.dungeon.flatMap((room) => minibossOf(room)?.card ?? []),
    ...heroes.flatMap((hero) => itemOf(hero) ?? []),
    ...itemsOf(player).map(({ card }) => card),
  ];
}
