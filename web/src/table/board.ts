/** What every part of the board shares: the cards, who is who, what lights up, and what a click does. */
import { createContext } from "svelte";
import type { CardText } from "../cards/card";
import type * as wire from "../gen/wire";
import type { Pose } from "./animate";
import type { Key } from "./choices";

export interface BoardContext {
  readonly view: wire.Table;
  readonly me: number | undefined;
  /** How wide the board is, in pixels. */
  readonly wide: number;
  /** Nothing can be chosen, as in a replay: then what scrolls must take the focus itself. */
  readonly still: boolean;
  readonly lit: ReadonlySet<Key>;
  /** Chosen half way. */
  readonly chosen: Key | undefined;
  /** What a hint points at. */
  readonly hinted: Key | undefined;
  readonly poses: Readonly<Record<number, Pose>>;
  readonly atBoss: number | undefined;
  /** The table as it would be, while a build is looked at, and the card. */
  readonly ghost: { view: wire.Table; card: number } | undefined;
  /** The hero whose walk is shown room by room. */
  readonly walker: number | undefined;
  /** The number that chooses it by keyboard. */
  readonly digits: ReadonlyMap<Key, number>;
  text(card: wire.Card): CardText | undefined;
  name(seat: number): string;
  pick(key: Key): void;
}

export const [board, setBoard] = createContext<BoardContext>();

/** A card as the server tells it, in the form pictures are made from. */
export function printed(card: wire.CardText): CardText {
  return { ...card, number: card.number ?? card.name, rulings: [] };
}

/** All cards of a game in that form, by face. */
export function printedAll(cards: ReadonlyMap<number, wire.CardText>): ReadonlyMap<number, CardText> {
  return new Map([...cards.values()].map((card) => [card.face, printed(card)]));
}
