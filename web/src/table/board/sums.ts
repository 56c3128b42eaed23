/** Comparing players. Nothing here decides anything: the server counts. */
import {
  KIND_WORDS,
  type Class,
  type Hero,
  type Kind,
  type Player,
  type Table,
  type Zone,
} from "../../gen/wire";
import { KINDS, treasureOf } from "../../cards/card";
import { piecesOf } from "./pieces";
import { cardKey, playerKey, type Key } from "../prompt/keys";

export type Standing = "ahead" | "tied" | "behind" | "none";

/** How a player stands among those still in the game. */
export function standing(players: readonly Player[], seat: number, of: Class): Standing {
  const playing = players.filter((player) => player.playing);
  const most = Math.max(...playing.map((player) => treasureOf(player, of)));
  const player = players.find((player) => player.seat === seat);
  const mine = player ? treasureOf(player, of) : 0;
  if (mine <= 0) return "none";
  if (mine < most) return "behind";
  return playing.filter((player) => treasureOf(player, of) === most).length > 1 ? "tied" : "ahead";
}

/** All players but the viewer, in player order from the one after them. */
export function others(view: Table, me: number | undefined): Player[] {
  const at = me === undefined ? -1 : view.order.indexOf(me);
  const order = at < 0 ? view.order : [...view.order.slice(at + 1), ...view.order.slice(0, at)];
  const bySeat = new Map(view.players.map((player) => [player.seat, player]));
  return order.filter((seat) => seat !== me).flatMap((seat) => bySeat.get(seat) ?? []);
}

export function playerOf(view: Table, seat: number | undefined): Player | undefined {
  return view.players.find((player) => player.seat === seat);
}

/** Whose dungeon is shown large when nothing happens: the viewer's; for spectators the first player's who still plays. */
export function homeOf(view: Table, me: number | undefined): Player | undefined {
  return playerOf(view, me) ?? view.players.find(({ playing }) => playing) ?? view.players[0];
}

/** The heroes in a player's dungeon and at its entrance. */
export function heroesOf(player: Player): Hero[] {
  return [...player.inside, ...player.entrance];
}

/** Whether what the key stands for is in this player's dungeon: a room, a place, the boss, a hero, the player. */
export function isAt(player: Player, key: Key): boolean {
  const cards = [
    player.boss,
    ...player.dungeon.map(({ card }) => card),
    ...heroesOf(player).map(({ card }) => card),
    ...piecesOf(player),
  ];
  const keys = cards.flatMap((card) => (card ? [cardKey(card.id)] : []));
  return (
    key === playerKey(player.seat) ||
    key.startsWith(`place:${player.seat}:`) ||
    keys.some((one) => one === key)
  );
}

/** A deck, the kind of card that comes from it, and how many are left. */
export interface Deck {
  zone: Zone;
  kind: Kind;
  left: number;
}

export function decksOf(view: Table): Deck[] {
  const decks = KINDS.flatMap((kind) => {
    const zone = KIND_WORDS[kind].home;
    const left = view.decks[zone];
    return left === undefined ? [] : [{ zone, kind, left }];
  });
  // Two kinds of cards may come from one deck; it has the name of the first.
  return decks.filter(({ zone }, i) => decks.findIndex((deck) => deck.zone === zone) === i);
}
