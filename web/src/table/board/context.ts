/** What every part of the board shares: the cards, who is who, what lights up, and what a click does. */
import { createContext } from "svelte";
import type { Death } from "../../art/deaths";
import type { Class } from "../../gen/wire";
import type * as wire from "../../gen/wire";
import type { Pose } from "../stage/animate";
import type { Key, Trades } from "../prompt/choices";

export interface BoardContext {
  readonly view: wire.Table;
  readonly me: number | undefined;
  /** The printed cards of this game, by face. */
  readonly cards: ReadonlyMap<number, wire.CardText>;
  /** The classes of this game. */
  readonly classes: readonly Class[];
  /** How wide the board is, in pixels. */
  readonly wide: number;
  /** Nothing can be chosen, as in a replay: then what scrolls must take the focus itself. */
  readonly still: boolean;
  readonly lit: ReadonlySet<Key>;
  /** Selected, but not confirmed yet. */
  readonly chosen: Key | undefined;
  /** What a hint points at. */
  readonly hinted: Key | undefined;
  readonly poses: Readonly<Record<number, Pose>>;
  readonly deaths: Readonly<Record<number, Death>>;
  readonly atBoss: number | undefined;
  /** While an answer is previewed: the table as it would be; of a build, also its card. */
  readonly ghost: { view: wire.Table; card?: number } | undefined;
  /** Everybody's hand is shown. */
  readonly openHands: boolean;
  /** The hero whose walk is shown room by room. */
  readonly walker: number | undefined;
  /** The number that chooses it by keyboard. */
  readonly digits: ReadonlyMap<Key, number>;
  /** Cards that can be promoted, and cards that can be discarded for a coin. */
  readonly trades: Trades;
  /** What armed cards wait for. */
  readonly armed: ReadonlyMap<number, string>;
  text(card: wire.Card): wire.CardText | undefined;
  name(seat: number): string;
  pick(key: Key): void;
}

export const [board, setBoard] = createContext<BoardContext>();
