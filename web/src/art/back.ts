/** Card backs: what kind it is must be plain at a glance, what card it is must not. */
import type { Kind } from "../gen/wire";
import { Grid } from "./grid";
import type { Colour } from "./palette";
import { glyphs, icons } from "./sheets";

export const BACK_WIDTH = 36;
export const BACK_HEIGHT = 66;

const BACKS: Readonly<Record<Kind, { field: readonly [Colour, Colour]; edge: Colour; sign: Grid }>> = {
  room: { field: ["K", "s"], edge: "S", sign: glyphs.get("door") },
  spell: { field: ["u", "p"], edge: "c", sign: glyphs.get("swirl") },
  hero: { field: ["n", "u"], edge: "l", sign: glyphs.get("swords") },
  epic: { field: ["r", "p"], edge: "y", sign: icons.get("crown") },
  boss: { field: ["r", "k"], edge: "R", sign: glyphs.get("skull") },
  // From the deck of rooms: nobody may tell them apart.
  miniboss: { field: ["K", "s"], edge: "S", sign: glyphs.get("door") },
  item: { field: ["b", "o"], edge: "y", sign: glyphs.get("chest") },
};

export function cardBack(kind: Kind): Grid {
  const { field, edge, sign } = BACKS[kind];
  const grid = Grid.from(BACK_WIDTH, BACK_HEIGHT, (x, y) => {
    const a = (x + y) % 8;
    const b = (x - y + 96) % 8;
    return a === 0 || b === 0 ? field[1] : field[0];
  });
  const [cx, cy] = [(BACK_WIDTH - 1) / 2, (BACK_HEIGHT - 1) / 2];
  grid.each((x, y) => {
    const rim = Math.abs(x - cx) + Math.abs(y - cy) * 0.8;
    if (rim < 13) grid.set(x, y, "k");
    if (rim >= 13 && rim < 14.2) grid.set(x, y, edge);
    if (rim >= 14.2 && rim < 15.4) grid.set(x, y, "k");
  });
  for (const [inset, ink] of [
    [0, "k"],
    [1, edge],
    [2, "k"],
  ] as const) {
    const [w, h] = [BACK_WIDTH - 2 * inset, BACK_HEIGHT - 2 * inset];
    grid.fill(inset, inset, w, 1, ink).fill(inset, BACK_HEIGHT - 1 - inset, w, 1, ink);
    grid.fill(inset, inset, 1, h, ink).fill(BACK_WIDTH - 1 - inset, inset, 1, h, ink);
  }
  for (const [x, y] of [
    [1, 1],
    [BACK_WIDTH - 4, 1],
    [1, BACK_HEIGHT - 4],
    [BACK_WIDTH - 4, BACK_HEIGHT - 4],
  ] as const)
    grid.fill(x, y, 3, 3, edge).set(x + 1, y + 1, "k");
  const drawn = sign.pad(1).outline("k");
  return grid.stamp(
    drawn,
    Math.round((BACK_WIDTH - drawn.width) / 2),
    Math.round((BACK_HEIGHT - drawn.height) / 2),
  );
}
