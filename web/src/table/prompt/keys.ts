import type { Errand, Landmark, Space } from "../../gen/wire";

/**
 * Something on the board that can be chosen: `card:12`, `player:2`, `place:1:3` (dungeon and place) or
 * `space:temple:treasure` (a minion's space in town).
 */
export type Key =
  `card:${number}` | `player:${number}` | `place:${number}:${number}` | `space:${Landmark}:${Errand}`;

export const cardKey = (id: number): Key => `card:${id}`;
export const playerKey = (seat: number): Key => `player:${seat}`;
export const spaceKey = ({ landmark, errand }: Space): Key => `space:${landmark}:${errand}`;
export const placeKey = (dungeon: number, place: number): Key => `place:${dungeon}:${place}`;
