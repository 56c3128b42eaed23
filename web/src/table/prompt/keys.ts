/** Something on the board that can be chosen: `card:12`, `player:2` or `place:1:3` (dungeon and place). */
export type Key = `card:${number}` | `player:${number}` | `place:${number}:${number}`;

export const cardKey = (id: number): Key => `card:${id}`;
export const playerKey = (seat: number): Key => `player:${seat}`;
export const placeKey = (dungeon: number, place: number): Key => `place:${dungeon}:${place}`;
