/** Dice: the faces of a tumbling die, one after another; the last is the one that was rolled. */
import { Grid } from "./grid";
import type { Colour } from "./palette";
import { Seed } from "./seed";

export const DIE_SIZE = 20;
/** How many faces are seen before the last one. */
export const TUMBLES = 7;

/** Columns and rows of the pips on a face, on a grid of three by three. */
const PIPS: readonly (readonly [number, number][])[] = [
  [[1, 1]],
  [
    [0, 0],
    [2, 2],
  ],
  [
    [0, 0],
    [1, 1],
    [2, 2],
  ],
  [
    [0, 0],
    [2, 0],
    [0, 2],
    [2, 2],
  ],
  [
    [0, 0],
    [2, 0],
    [1, 1],
    [0, 2],
    [2, 2],
  ],
  [
    [0, 0],
    [2, 0],
    [0, 1],
    [2, 1],
    [0, 2],
    [2, 2],
  ],
];

const DIGITS: readonly (readonly string[])[] = [
  ["###", "#.#", "#.#", "#.#", "###"],
  [".#.", "##.", ".#.", ".#.", "###"],
  ["###", "..#", "###", "#..", "###"],
  ["###", "..#", ".##", "..#", "###"],
  ["#.#", "#.#", "###", "..#", "..#"],
  ["###", "#..", "###", "..#", "###"],
  ["###", "#..", "###", "#.#", "###"],
  ["###", "..#", ".#.", ".#.", ".#."],
  ["###", "#.#", "###", "#.#", "###"],
  ["###", "#.#", "###", "..#", "###"],
];

/** The faces side by side: `TUMBLES` of the tumble, then the one it lands on. */
export function dieStrip(sides: number, face: number): Grid {
  const seed = new Seed(`die ${sides} ${face}`);
  const strip = new Grid(DIE_SIZE * (TUMBLES + 1), DIE_SIZE);
  for (let i = 0; i < TUMBLES; i++) {
    const shown = 1 + seed.below(Math.max(1, sides));
    strip.stamp(i % 2 ? tilted(shown) : dieFace(sides, shown), i * DIE_SIZE, 0);
  }
  return strip.stamp(dieFace(sides, face), TUMBLES * DIE_SIZE, 0);
}

/** A face seen from the front: pips up to six, a number above. */
export function dieFace(sides: number, face: number): Grid {
  const grid = new Grid(DIE_SIZE, DIE_SIZE);
  grid.fill(2, 3, 16, 14, "w").fill(3, 2, 14, 16, "w");
  grid.fill(3, 17, 14, 1, "W").fill(17, 3, 1, 14, "W").fill(16, 16, 1, 1, "W");
  const pips = sides <= 6 ? PIPS[face - 1] : undefined;
  const ink: Colour = face === sides ? "R" : "k";
  if (pips) for (const [x, y] of pips) grid.fill(4 + x * 5, 4 + y * 5, 3, 3, ink);
  else number(grid, face, ink);
  return grid.outline("k");
}

function number(grid: Grid, value: number, ink: Colour): void {
  const digits = [...String(value)].map((digit) => DIGITS[Number(digit)] ?? []);
  let x = Math.round(DIE_SIZE / 2 - (digits.length * 8 - 2) / 2);
  for (const rows of digits) {
    rows.forEach((row, y) =>
      [...row].forEach((dot, dx) => dot === "#" && grid.fill(x + dx * 2, 5 + y * 2, 2, 2, ink)),
    );
    x += 8;
  }
}

/** On its edge, turning: a diamond with a pip or two. */
function tilted(face: number): Grid {
  const middle = (DIE_SIZE - 1) / 2;
  const grid = Grid.from(DIE_SIZE, DIE_SIZE, (x, y) => {
    const away = Math.abs(x - middle) + Math.abs(y - middle);
    return away > 9 ? "." : x > middle + 1 && away > 6 ? "W" : "w";
  });
  for (let i = 0; i < Math.min(face, 3); i++) grid.fill(9, 4 + i * 5, 3, 3, "k");
  return grid.outline("k");
}
