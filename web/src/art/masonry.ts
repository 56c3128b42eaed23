/** Walls, floors and torchlight: the stone every indoor picture is made of. */
import { CLASS_LOOKS, type Shades } from "./classes";
import { Grid } from "./grid";
import type { Colour } from "./palette";
import type { Class } from "../gen/wire";
import type { Wall } from "./room-parts";

export interface Light {
  x: number;
  y: number;
  reach: number;
}

export const PLAIN: Shades = ["k", "K", "s", "S", "g"];

/** The stone of a class's rooms, or plain stone. */
export function stone(of: Class | "plain"): Shades {
  return of === "plain" ? PLAIN : CLASS_LOOKS[of].shades;
}

/** Two by two dither: half steps of light become a pattern instead of a new colour. */
function dither(level: number, x: number, y: number): number {
  const base = Math.floor(level);
  const part = level - base;
  const order = [0.2, 0.7, 0.95, 0.45][(x & 1) + 2 * (y & 1)] ?? 0;
  return base + (part > order ? 1 : 0);
}

function relief(kind: Wall, x: number, y: number): number {
  switch (kind) {
    case "brick": {
      const row = Math.floor(y / 4);
      const at = (x + (row & 1) * 4) % 8;
      return y % 4 === 3 || at === 7 ? -1 : y % 4 === 0 ? 0.35 : 0;
    }
    case "block": {
      const row = Math.floor(y / 7);
      const at = (x + (row & 1) * 6) % 12;
      return y % 7 === 6 || at === 11 ? -1 : y % 7 === 0 || at === 0 ? 0.5 : 0;
    }
    case "plank":
      return x % 6 === 5
        ? -1
        : (y + Math.floor(x / 6) * 5) % 11 === 0 && x % 6 === 2
          ? -1
          : x % 6 === 0
            ? 0.35
            : 0;
    case "tile": {
      const a = (x + y) % 8;
      const b = (x - y + 80) % 8;
      return a === 0 || b === 0
        ? -1
        : (Math.floor((x + y) / 8) + Math.floor((x - y + 80) / 8)) & 1
          ? 0.3
          : -0.2;
    }
    case "cave": {
      const [near, next, above] = boulders(x, y);
      return next - near < 1.1 ? -1 : above > 1.4 ? 0.5 : 0;
    }
  }
}

/** Rough stones: distance to the nearest and to the next middle of a stone, and how far above the nearest we are. */
function boulders(x: number, y: number): [number, number, number] {
  let [near, next, above] = [99, 99, 0];
  const [column, row] = [Math.floor(x / 8), Math.floor(y / 6)];
  for (let i = column - 1; i <= column + 1; i++)
    for (let j = row - 1; j <= row + 1; j++) {
      const scatter = Math.abs(Math.sin(i * 12.9 + j * 78.2) * 437.5);
      const mx = i * 8 + 2 + (scatter % 1) * 5;
      const my = j * 6 + 1.5 + ((scatter * 7) % 1) * 4;
      const away = Math.hypot((x - mx) * 0.8, y - my);
      if (away < near) [near, next, above] = [away, near, my - y];
      else if (away < next) next = away;
    }
  return [near, next, above];
}

export function wall(grid: Grid, kind: Wall, shades: Shades, lights: readonly Light[], bottom: number): void {
  for (let y = 0; y < bottom; y++) {
    for (let x = 0; x < grid.width; x++) {
      let level = 1.45;
      for (const light of lights) {
        const away = Math.hypot(x - light.x, (y - light.y) * 1.15) / light.reach;
        level += Math.max(0, 1 - away) * 1.7;
      }
      const fromEdge = Math.min(y, x + 2, grid.width + 1 - x);
      if (fromEdge < 5) level -= (5 - fromEdge) * 0.15;
      const lit = dither(level, x, y) + relief(kind, x, y);
      grid.set(x, y, shades[Math.max(0, Math.min(4, Math.round(lit)))] ?? "k");
    }
  }
}

/** A floor from `top` down: a lit edge, then stones that get darker. */
export function floor(grid: Grid, top: number, shades: Shades): void {
  for (let y = top; y < grid.height; y++) {
    for (let x = 0; x < grid.width; x++) {
      const depth = y - top;
      const joint = depth > 0 && (depth === 3 || (x + (depth > 3 ? 5 : 0)) % 12 === 11);
      const level = depth === 0 ? 4 : depth === 1 ? 3 : joint ? 1 : 2;
      grid.set(x, y, shades[level] ?? "k");
    }
  }
}

/** Ceiling beam and the stubs of the side walls; below them one walks through to the next room. */
export function frame(grid: Grid, doorTop: number, golden: boolean): void {
  const [edge, face, shade]: readonly [Colour, Colour, Colour] = golden ? ["y", "Y", "o"] : ["g", "S", "s"];
  for (let x = 0; x < grid.width; x++) {
    grid.set(x, 0, "k");
    grid.set(x, 1, x % 8 === 7 ? "k" : edge);
    grid.set(x, 2, x % 8 === 7 ? "k" : face);
    grid.set(x, 3, x % 8 === 7 ? "k" : shade);
    grid.set(x, 4, "k");
  }
  for (const side of [0, grid.width - 3]) {
    for (let y = 4; y < doorTop; y++) {
      const joint = (y - 4) % 4 === 3;
      grid.set(side, y, joint ? "k" : side === 0 ? face : edge);
      grid.set(side + 1, y, joint ? "k" : face);
      grid.set(side + 2, y, joint ? "k" : shade);
    }
    grid.fill(side, doorTop, 3, 1, "k");
    grid.fill(side === 0 ? 3 : side - 1, 5, 1, doorTop - 4, "k");
  }
}
