/** The final ranking. */
import type { GameOver, Player } from "../../gen/wire";
import { compare } from "../order";

/** Their cards have left the table: what those had who are out is known if the server says when they went. */
export const isKnown = (player: Player) => player.playing || player.left !== undefined;

/** The winner, those who are still there by their score, those who are out by how long they lasted. */
export function ranks(players: readonly Player[], over: GameOver): Player[] {
  const order = (player: Player) => [
    Number(player.seat === over.winner),
    Number(player.playing),
    player.playing ? 0 : (player.left ?? -1),
    isKnown(player) ? player.souls - player.wounds : -Infinity,
  ];
  return [...players].sort((a, b) => compare(order(b), order(a)));
}
