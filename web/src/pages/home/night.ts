/** The title's backdrop: a night sky, hills, and the mountain somebody has dug into. */
import { Grid } from "../../art/grid";
import type { Colour } from "../../art/palette";
import { picture, type Picture } from "../../art/picture";
import { Seed } from "../../art/seed";

const SKY_WIDTH = 240;
const SKY_HEIGHT = 300;

/** Bands from ink to a red horizon with dithered seams; the right edge fits the left. */
function sky(): Grid {
  const grid = new Grid(SKY_WIDTH, SKY_HEIGHT);
  const seed = new Seed("title sky");
  const bands: readonly (readonly [number, Colour])[] = [
    [0, "k"],
    [150, "K"],
    [208, "p"],
    [262, "r"],
    [286, "o"],
  ];
  grid.each((x, y) => {
    const at = bands.filter(([from]) => y >= from).length - 1;
    const next = bands[at + 1];
    const left = next ? next[0] - y : 99;
    const seam = (left < 3 && (x + y) % 2 === 0) || (left < 7 && x % 4 === (y % 2) * 2 && y % 2 === 0);
    grid.set(x, y, (seam ? next?.[1] : bands[at]?.[1]) ?? "k");
  });
  for (let i = 0; i < 190; i++)
    grid.set(seed.below(SKY_WIDTH), seed.below(220), seed.pick<Colour>(["w", "g", "S", "S", "S", "m", "c"]));
  for (let i = 0; i < 9; i++) {
    const [x, y] = [10 + seed.below(SKY_WIDTH - 20), 5 + seed.below(180)];
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const)
      grid.set(x + dx, y + dy, dx || dy ? "S" : "w");
  }
  return grid;
}

function hills(): Grid {
  const grid = new Grid(SKY_WIDTH, 40);
  const ridge = (
    base: number,
    height: number,
    waves: readonly [number, number],
    ink: Colour,
    trees: boolean,
  ) => {
    const seed = new Seed(`ridge ${ink}`);
    for (let x = 0; x < SKY_WIDTH; x++) {
      const turn = (x / SKY_WIDTH) * Math.PI * 2;
      const top = Math.round(
        base - (Math.sin(turn * waves[0]) * 0.6 + Math.sin(turn * waves[1] + 2) * 0.4) * height,
      );
      grid.fill(x, top, 1, 40 - top, ink);
      if (trees && seed.chance(0.3)) {
        const tall = 3 + seed.below(5);
        for (let y = 0; y < tall; y++)
          grid.fill(x - Math.floor(y / 2), top - tall + y, 1 + 2 * Math.floor(y / 2), 1, ink);
      }
    }
  };
  ridge(18, 8, [2, 3], "p", false);
  ridge(26, 5, [3, 5], "K", true);
  ridge(34, 3, [4, 7], "k", true);
  return grid;
}

const MOUNTAIN_WIDTH = 330;
const MOUNTAIN_HEIGHT = 150;

/** It has the shape of a skull for those who look twice, and two windows are lit. */
function mountain(): Grid {
  const grid = new Grid(MOUNTAIN_WIDTH, MOUNTAIN_HEIGHT);
  const seed = new Seed("mountain");
  const middle = 218;
  const top = (x: number): number => {
    const ragged = Math.round(Math.sin(x * 0.7) * 1.4 + Math.sin(x * 0.23) * 2);
    if (x < 100) return 150 - Math.round((x / 100) ** 1.4 * 52) + ragged;
    if (x < 142) return 98 - Math.round(((x - 100) / 42) ** 1.6 * 56) + ragged;
    const away = (x - middle) / 104;
    return (
      78 -
      Math.round(
        Math.sqrt(Math.max(0, 1 - away * away)) * 70 * (x > middle ? 0.9 : 1) + (x > middle ? 7 : 0),
      ) +
      ragged
    );
  };
  for (let x = 0; x < MOUNTAIN_WIDTH; x++) {
    const from = Math.max(0, top(x));
    grid.fill(x, from, 1, MOUNTAIN_HEIGHT - from, "K");
    grid.fill(x, from, 1, 1, x < middle ? "S" : "s");
    if (x < middle) grid.fill(x, from + 1, 1, 1, "s");
  }
  for (let i = 0; i < 420; i++) {
    const [x, y] = [seed.below(MOUNTAIN_WIDTH), seed.below(MOUNTAIN_HEIGHT)];
    if (grid.at(x, y) === "K" && grid.at(x, y - 4) === "K")
      grid.fill(x, y, 2 + seed.below(5), 1, x < middle && seed.chance(0.7) ? "s" : "k");
  }
  const hollow = (cx: number, cy: number, rx: number, ry: number) => {
    for (let y = -ry; y <= ry; y++)
      for (let x = -rx; x <= rx; x++) {
        const away = Math.hypot(x / rx, y / ry) + Math.sin((x * 3 + y * 5) * 0.8) * 0.05;
        if (away < 1) grid.set(cx + x, cy + y, "k");
        else if (away < 1.12) grid.set(cx + x, cy + y, y < 0 ? "s" : "S");
      }
  };
  hollow(middle - 32, 52, 19, 15);
  hollow(middle + 32, 52, 19, 15);
  for (let y = 0; y < 13; y++)
    grid.fill(middle - Math.floor(y / 1.5), 66 + y, 2 * Math.floor(y / 1.5) + 1, 1, "k");
  const eye = (cx: number) => {
    for (const [r, ink] of [
      [5, "r"],
      [4, "O"],
      [2, "y"],
    ] as const)
      for (let y = -r; y <= r; y++)
        for (let x = -r; x <= r; x++) if (Math.hypot(x, y * 1.3) <= r) grid.set(cx + x, 54 + y, ink);
  };
  eye(middle - 30);
  eye(middle + 30);
  grid.fill(middle - 44, 88, 88, 16, "k").fill(middle - 47, 90, 94, 12, "k");
  for (let tooth = -4; tooth <= 4; tooth++) {
    const x = middle + tooth * 10 - 4;
    const short = Math.abs(tooth) > 3 ? 3 : 0;
    grid.fill(x, 90, 8, 6 - short, "S").fill(x, 90, 2, 5 - short, "g");
    grid.fill(x + 1, 98 + short, 7, 5 - short, "s").fill(x + 1, 98 + short, 2, 5 - short, "S");
  }
  return grid;
}

function moon(): Grid {
  const grid = new Grid(40, 40);
  grid.each((x, y) => {
    const away = Math.hypot(x - 19.5, y - 19.5);
    if (away < 18.5) grid.set(x, y, Math.hypot(x - 13, y - 13) > 19 ? "W" : "w");
  });
  for (const [x, y, r] of [
    [12, 12, 4],
    [25, 20, 5],
    [14, 27, 3],
    [28, 9, 2],
  ] as const)
    for (let dy = -r; dy <= r; dy++)
      for (let dx = -r; dx <= r; dx++) if (Math.hypot(dx, dy) <= r) grid.set(x + dx, y + dy, "W");
  return grid;
}

/** The road into the mountain; its right edge fits its left edge. */
function road(): Grid {
  const grid = new Grid(96, 15, "b");
  const seed = new Seed("road");
  grid.fill(0, 0, 96, 1, "N").fill(0, 1, 96, 1, "n").fill(0, 2, 96, 1, "O").fill(0, 3, 96, 4, "o");
  for (let i = 0; i < 26; i++) grid.fill(seed.below(94), 3 + seed.below(4), 2 + seed.below(2), 1, "b");
  for (let i = 0; i < 30; i++)
    grid.fill(seed.below(94), 8 + seed.below(7), 1 + seed.below(3), 1, seed.pick<Colour>(["K", "k", "o"]));
  for (let x = 0; x < 96; x += 3 + seed.below(6)) grid.fill(x, -1, 1, 1, "N");
  return grid;
}

const drawn = (name: string, draw: () => Grid) => (): Picture => picture(`title ${name}`, draw);
export const skyPicture = drawn("sky", sky);
export const hillsPicture = drawn("hills", hills);
export const mountainPicture = drawn("mountain", mountain);
export const moonPicture = drawn("moon", moon);
export const roadPicture = drawn("road", road);
