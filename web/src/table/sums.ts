/** What one reads off the table when comparing dungeons. Nothing here decides anything: the server did the sums. */
import type { Forecast, Hero, Player, Table } from "../gen/wire";
import type { Class } from "../art/palette";

export const TREASURES = ["cleric", "fighter", "mage", "thief"] as const satisfies readonly Class[];
export type TreasureClass = (typeof TREASURES)[number];

export type Standing = "ahead" | "tied" | "behind" | "none";

/** How a player stands among those still in the game. */
export function standing(players: readonly Player[], seat: number, of: TreasureClass): Standing {
  const playing = players.filter((player) => player.playing);
  const most = Math.max(...playing.map((player) => player.treasure[of]));
  const mine = players.find((player) => player.seat === seat)?.treasure[of] ?? 0;
  if (mine <= 0) return "none";
  if (mine < most) return "behind";
  return playing.filter((player) => player.treasure[of] === most).length > 1 ? "tied" : "ahead";
}

export interface Walked {
  room: number;
  /** What the hero has taken when it leaves this room, in all. */
  sum: number;
  damage: number;
}

/** The walk room by room, with the damage added up. */
export function walk(hero: Pick<Hero, "damage">, forecast: Forecast): Walked[] {
  let sum = hero.damage;
  return forecast.rooms.map(({ room, damage }) => ({ room, damage, sum: (sum += damage) }));
}

/** Everybody but the viewer, in player order beginning after them. */
export function others(view: Table, me: number | undefined): Player[] {
  const at = me === undefined ? -1 : view.order.indexOf(me);
  const order = at < 0 ? view.order : [...view.order.slice(at + 1), ...view.order.slice(0, at)];
  const bySeat = new Map(view.players.map((player) => [player.seat, player]));
  return order.filter((seat) => seat !== me).flatMap((seat) => bySeat.get(seat) ?? []);
}

export function playerOf(view: Table, seat: number | undefined): Player | undefined {
  return view.players.find((player) => player.seat === seat);
}

/** Every hero at the table with where it is. */
export function heroesOf(player: Player): Hero[] {
  return [...player.inside, ...player.entrance];
}
