/** Where things happen: the town, the way in, the boss's chamber, the roadside where heroes pose for their cards. */
import { classesOf, seedOf } from "../cards/card";
import type { CardText } from "../gen/wire";
import { CLASS_LOOKS } from "./classes";
import { BOSS_WIDTH, bossFigure, bossLook } from "./boss";
import { main } from "./coats";
import { Grid } from "./grid";
import { HERO_SIZE, heroFacts, heroFrame } from "./hero";
import { flatten, layers, type Layers } from "./layers";
import { floor, frame, PLAIN, stone, wall } from "./masonry";
import type { Colour } from "./palette";
import { FLOOR, ROOM_HEIGHT, ROOM_WIDTH } from "./room";
import { Seed } from "./seed";
import { props } from "./sheets";

export const CHAMBER_HEIGHT = 40;
export const ROADSIDE_WIDTH = 36;
export const ROADSIDE_HEIGHT = 24;
export const PORTRAIT_WIDTH = 24;
export const PORTRAIT_HEIGHT = 32;
export const TOWN_WIDTH = 360;
export const TOWN_HEIGHT = 44;

/** A sky that gets warmer towards the ground, in bands with dithered seams. */
function sky(grid: Grid, bands: readonly Colour[], bottom: number): void {
  const height = bottom / bands.length;
  grid.each((x, y) => {
    if (y >= bottom) return;
    const exact = y / height;
    const band = Math.floor(exact);
    const seam = exact - band > 0.72 && (x + y) % 2 === 0 ? 1 : 0;
    grid.set(x, y, bands[Math.min(bands.length - 1, band + seam)] ?? "k");
  });
}

function hills(grid: Grid, base: number, height: number, wave: number, ink: Colour): void {
  for (let x = 0; x < grid.width; x++) {
    const turn = (x / grid.width) * Math.PI * 2;
    const top =
      base - Math.round((Math.sin(turn * wave) * 0.5 + Math.sin(turn * wave * 2 + 1) * 0.3 + 0.6) * height);
    grid.fill(x, top, 1, grid.height - top, ink);
  }
}

export const bossChamber = (card: CardText): Grid => flatten(chamberLayers(card));

export function chamberLayers(card: CardText): Layers {
  const seed = new Seed(`${seedOf(card)} chamber`);
  const grid = new Grid(ROOM_WIDTH, CHAMBER_HEIGHT, "k");
  const home = classesOf(card)[0] ?? "plain";
  const low = CHAMBER_HEIGHT - 5;
  wall(
    grid,
    seed.pick(["block", "brick"]),
    stone(home),
    [
      { x: 24, y: 18, reach: 24 },
      { x: 5, y: 14, reach: 9 },
      { x: 42, y: 14, reach: 9 },
    ],
    low,
  );
  const cloth = home === "plain" ? "grey" : CLASS_LOOKS[home].cloth;
  const banner = props
    .get("banner")
    .recolour({ ...main(cloth), "9": "y" })
    .pad(1)
    .outline("k");
  grid.stamp(banner, 3, 5).stamp(banner, ROOM_WIDTH - 13, 5);
  floor(grid, low, PLAIN);
  grid.fill(8, low + 1, 32, 4, "r").fill(9, low + 1, 30, 3, "R");
  for (let x = 10; x < 38; x += 4) grid.set(x, low + 2, "y");
  const torches = [4, 39].map((x) => ({ x, y: 18 }));
  for (const { x, y } of torches) grid.stamp(props.get("torch-a").pad(1).outline("k"), x - 1, y - 1);
  frame(grid, 11, true);
  const figure = bossFigure(bossLook(card));
  const front = new Grid(ROOM_WIDTH, CHAMBER_HEIGHT).stamp(
    figure,
    (ROOM_WIDTH - BOSS_WIDTH) / 2,
    CHAMBER_HEIGHT - figure.height - 1,
  );
  return layers(grid, front, torches);
}

/** A hero on the road. */
export const heroScene = (card: CardText) => roadside(card, ROADSIDE_WIDTH, ROADSIDE_HEIGHT);

/** The same hero near enough to see the face, for cards with nothing to read on them. */
export const heroPortrait = (card: CardText) => roadside(card, PORTRAIT_WIDTH, PORTRAIT_HEIGHT);

function roadside(card: CardText, width: number, height: number): Grid {
  const facts = heroFacts(card);
  const seed = new Seed(`${seedOf(card)} road`);
  const grid = new Grid(width, height);
  const road = height - 4;
  if (facts.look === "dark") {
    sky(grid, ["k", "K", "p"], road);
    moon(grid, width - 8, 8, "W");
    hills(grid, road - 2, 5, 1, "k");
  } else if (facts.look === "epic") {
    sky(grid, ["k", "p", "p", "r"], road);
    for (let i = 0; i < 16; i++) {
      const angle = (i * Math.PI) / 8;
      for (let d = 9; d < 40; d++)
        grid.set(
          Math.round(width / 2 + Math.cos(angle) * d),
          Math.round(road - 8 + Math.sin(angle) * d),
          "r",
        );
    }
    for (let i = 0; i < 7; i++) grid.set(seed.below(width), seed.below(road - 6), seed.pick(["y", "O", "w"]));
    hills(grid, road, 4, 2, "K");
  } else {
    sky(
      grid,
      seed.pick<readonly Colour[]>([
        ["U", "c", "w"],
        ["U", "U", "c"],
        ["P", "m", "f"],
      ]),
      road,
    );
    cloud(grid, 2 + seed.below(8), 3);
    cloud(grid, width - 12 + seed.below(6), 6 + seed.below(4));
    hills(grid, road - 1, 5, 1 + seed.below(2), "n");
    hills(grid, road + 1, 3, 2, "N");
  }
  const ground: readonly [Colour, Colour] =
    facts.look === "dark" ? ["s", "K"] : facts.look === "epic" ? ["Y", "b"] : ["O", "o"];
  grid.fill(0, road, width, 1, ground[0]).fill(0, road + 1, width, 3, ground[1]);
  for (let i = 0; i < 6; i++)
    grid.set(seed.below(width), road + 1 + seed.below(3), facts.look === "ordinary" ? "b" : "k");
  return grid.stamp(heroFrame(facts, "walk-a"), (width - HERO_SIZE) / 2, height - HERO_SIZE - 1);
}

function moon(grid: Grid, x: number, y: number, ink: Colour): void {
  for (let dy = -3; dy <= 3; dy++)
    for (let dx = -3; dx <= 3; dx++)
      if (dx * dx + dy * dy <= 10) grid.set(x + dx, y + dy, dx + dy > 2 ? "g" : ink);
}

function cloud(grid: Grid, x: number, y: number): void {
  grid
    .fill(x + 1, y, 4, 1, "w")
    .fill(x, y + 1, 7, 1, "w")
    .fill(x + 1, y + 2, 7, 1, "g");
}

/** The town at dusk; its right edge fits its left edge. */
export function town(): Grid {
  const grid = new Grid(TOWN_WIDTH, TOWN_HEIGHT);
  const seed = new Seed("town");
  sky(grid, ["K", "p", "p", "r", "o", "O"], 34);
  for (let i = 0; i < 70; i++) grid.set(seed.below(TOWN_WIDTH), seed.below(12), seed.pick(["w", "g", "m"]));
  moon(grid, 268, 8, "w");
  hills(grid, 32, 10, 3, "p");
  hills(grid, 35, 6, 5, "K");
  let x = 3;
  let blessed = false;
  while (x < TOWN_WIDTH - 20) {
    const width = 11 + seed.below(8);
    if (x > TOWN_WIDTH / 2 && !blessed) {
      church(grid, x, 37);
      blessed = true;
      x += 8;
    } else if (seed.chance(0.22)) tree(grid, x + 1, 37);
    else house(grid, seed, x, 37, width);
    x += width + 2 + seed.below(5);
  }
  grid.fill(0, 37, TOWN_WIDTH, 1, "O").fill(0, 38, TOWN_WIDTH, 6, "o");
  for (let i = 0; i < 160; i++)
    grid.fill(seed.below(TOWN_WIDTH), 39 + seed.below(5), 2 + seed.below(2), 1, "b");
  return grid;
}

function house(grid: Grid, seed: Seed, x: number, ground: number, width: number): void {
  const height = 9 + seed.below(5);
  const roof = 6 + seed.below(3);
  const wallInk = seed.pick<Colour>(["W", "g", "f"]);
  const tiles = seed.pick<readonly [Colour, Colour]>([
    ["r", "R"],
    ["u", "U"],
    ["b", "o"],
  ]);
  const top = ground - height;
  const art = new Grid(width + 4, height + roof + 4);
  const base = art.height - height;
  art.fill(2, base, width, height, wallInk).fill(width - 1, base, 3, height, "S");
  art.fill(2, base, width, 1, "b");
  for (let i = 0; i < roof; i++) {
    const inset = Math.round((i / roof) * (width / 2 - 2));
    const y = base - 1 - i;
    art.fill(1 + inset, y, width + 2 - 2 * inset, 1, i % 2 ? tiles[0] : tiles[1]);
  }
  art.fill(width - 3, base - roof, 2, 4, "S");
  const door = 4 + seed.below(Math.max(1, width - 8));
  art
    .fill(door, art.height - 6, 4, 6, "b")
    .fill(door + 1, art.height - 5, 2, 5, "o")
    .set(door + 2, art.height - 3, "y");
  const window = door > width / 2 ? 4 : width - 4;
  art.fill(window - 1, base + 2, 4, 4, "b").fill(window, base + 3, 2, 2, "y");
  grid.stamp(art.outline("k"), x - 2, top - (art.height - height));
}

function church(grid: Grid, x: number, ground: number): void {
  const art = new Grid(22, 36);
  art.fill(11, 20, 10, 16, "g").fill(18, 20, 3, 16, "S");
  for (let i = 0; i < 7; i++) art.fill(10 + i, 19 - i, 12 - i, 1, i % 2 ? "u" : "U");
  art.fill(3, 14, 8, 22, "g").fill(8, 14, 3, 22, "S");
  for (let i = 0; i < 9; i++)
    art.fill(2 + Math.floor(i / 2), 13 - i, 10 - 2 * Math.floor(i / 2), 1, i % 2 ? "u" : "U");
  art.fill(6, 1, 2, 5, "y").fill(5, 2, 4, 1, "y");
  art.fill(5, 16, 3, 4, "b").fill(5, 17, 2, 2, "y");
  art.fill(4, 28, 5, 8, "b").fill(5, 29, 3, 7, "o");
  for (const dx of [13, 17]) art.fill(dx, 24, 2, 5, "y").fill(dx, 24, 2, 1, "O");
  grid.stamp(art.outline("k"), x - 2, ground - 36);
}

function tree(grid: Grid, x: number, ground: number): void {
  const art = new Grid(14, 18);
  art.fill(6, 10, 3, 8, "b");
  for (let y = 0; y < 12; y++)
    for (let dx = 0; dx < 14; dx++) {
      const away = Math.hypot((dx - 6.5) / 6.4, (y - 5.5) / 6);
      if (away < 1) art.set(dx, y, dx < 6 && y < 6 && (dx + y) % 3 ? "N" : "n");
    }
  grid.stamp(art.outline("k"), x, ground - 18);
}

/** The way in: grass outside, then a mouth of stone. Without a sky it can stand anywhere. */
export function entrance(open = true): Grid {
  const grid = new Grid(ROOM_WIDTH, ROOM_HEIGHT);
  const seed = new Seed("entrance");
  if (open) {
    sky(grid, ["K", "p", "r", "o"], 24);
    for (let i = 0; i < 8; i++) grid.set(seed.below(28), seed.below(9), "w");
    hills(grid, 25, 6, 1, "K");
  }
  for (let x = 14; x < ROOM_WIDTH; x++) {
    const top = Math.max(1, Math.round(14 - (x - 14) * 0.9 + Math.sin(x * 0.9) * 1.3));
    grid.fill(x, top, 1, ROOM_HEIGHT - top, (x * 5 + top) % 7 === 0 ? "s" : "S");
    grid.fill(x, top, 1, 1, "g").set(x, top - 1, "k");
  }
  for (let i = 0; i < 60; i++) {
    const x = 18 + seed.below(30);
    const y = 4 + seed.below(22);
    if (grid.at(x, y) === "S" && grid.at(x, y - 3) === "S") grid.fill(x, y, 3, 1, "s");
  }
  const mouth = (x: number, y: number) => Math.hypot((x - 36) / 9.5, (Math.min(y, 18) - 18) / 10);
  grid.each((x, y) => {
    const d = mouth(x, y);
    if (y >= FLOOR || x < 24) return;
    if (d < 0.78) grid.set(x, y, "k");
    else if (d < 1.02) grid.set(x, y, (x + y) % 4 === 0 ? "s" : "g");
    else if (d < 1.14) grid.set(x, y, "k");
  });
  for (let x = 30; x < 43; x += 4) grid.fill(x, 10, 1, 3, "w").set(x, 13, "W");
  grid
    .fill(0, FLOOR, ROOM_WIDTH, 1, "l")
    .fill(0, FLOOR + 1, ROOM_WIDTH, 1, "N")
    .fill(0, FLOOR + 2, ROOM_WIDTH, 3, "n");
  grid
    .fill(25, FLOOR, 23, 1, "g")
    .fill(25, FLOOR + 1, 23, 1, "S")
    .fill(25, FLOOR + 2, 23, 3, "s");
  grid.stamp(props.get("torch-a").outline("k"), 21, 14);
  grid.stamp(props.get("sign").pad(1).outline("k"), 5, FLOOR - 9);
  return grid;
}

export const DESCENT_WIDTH = 64;
export const DESCENT_HEIGHT = 72;

/**
 * The way down from the town: an opening in its ground, stairs along the back wall, and the mouth of the dungeon. Its
 * last 48 columns are the entrance; what is above the top of the scene is cut off.
 */
export function descent(): Grid {
  const grid = new Grid(DESCENT_WIDTH, DESCENT_HEIGHT);
  const seed = new Seed("descent");
  const low = DESCENT_HEIGHT - (ROOM_HEIGHT - FLOOR);
  const left = DESCENT_WIDTH - ROOM_WIDTH;
  const dusk: readonly Colour[] = ["O", "o", "r", "p", "K", "k"];
  const ceiling = (x: number) => Math.round(-14 + x * 0.95 + Math.sin(x * 0.7) * 1.4);
  const stair = (x: number) => low - Math.max(0, Math.floor((44 - x) / 4) * 4 - 4);
  for (let x = 0; x < DESCENT_WIDTH; x++) {
    const [top, step] = [Math.max(0, ceiling(x)), stair(x)];
    for (let y = top; y < low; y++) {
      if (y >= step) {
        const deep = y - step;
        const joint = (y - low) % 6 === 0 || (x + (Math.floor((y - low) / 6) & 1) * 5) % 10 === 0;
        grid.set(
          x,
          y,
          deep === 0 ? "W" : deep === 1 ? "g" : deep < 4 ? "S" : joint ? "k" : deep < 10 ? "s" : "K",
        );
        continue;
      }
      // Evening light from above; less of it the further down.
      const exact = Math.min(5, (y * 0.75 + x * 0.62) / 10);
      const band = Math.floor(exact);
      const seam = exact - band > ((x + y) % 2 ? 0.35 : 0.75) ? 1 : 0;
      grid.set(x, y, dusk[Math.min(5, band + seam)] ?? "k");
    }
    if (ceiling(x) >= 0) {
      grid.set(x, ceiling(x), "k");
      grid.fill(x, ceiling(x) - 2, 1, 2, seed.chance(0.6) ? "b" : "s");
    }
  }
  for (let i = 0; i < 9; i++) {
    const x = 10 + seed.below(34);
    grid.fill(x, Math.max(0, ceiling(x)), 1, 2 + seed.below(4), "b");
  }
  const middle = left + 37;
  const mouth = (x: number, y: number) =>
    Math.hypot((x - middle) / 9.5, (Math.min(y, low - 9) - (low - 9)) / 10);
  grid.each((x, y) => {
    if (y >= low || x < left + 25) return;
    const d = mouth(x, y);
    if (d < 0.78) grid.set(x, y, "k");
    else if (d < 1.02) grid.set(x, y, (x + y) % 4 === 0 ? "s" : "g");
    else if (d < 1.14) grid.set(x, y, "k");
    else if (y > low - 24 && x > left + 29)
      grid.set(x, y, (y - low) % 5 === 0 || (x + (Math.floor((y - low) / 5) & 1) * 4) % 8 === 0 ? "k" : "S");
  });
  for (let x = middle - 6; x < middle + 7; x += 4) grid.fill(x, low - 17, 1, 3, "w").set(x, low - 14, "W");
  floor(grid, low, PLAIN);
  grid.stamp(props.get("torch-a").pad(1).outline("k"), left + 21, low - 14);
  grid.stamp(props.get("sign").pad(1).outline("k"), left + 3, low - 9);
  return grid;
}

/** The floor between and beside dungeons; its right edge fits its left edge. */
export function ground(): Grid {
  const grid = new Grid(12, ROOM_HEIGHT - FLOOR, "k");
  floor(grid, 0, PLAIN);
  return grid;
}

/** What the town stands on: its road above, then earth, then rock. */
export function earth(): Grid {
  const grid = new Grid(96, 14);
  const seed = new Seed("earth");
  const bands: readonly Colour[] = ["o", "b", "b", "K", "k"];
  grid.each((x, y) => {
    const exact = (y / 14) * 5;
    const band = Math.floor(exact);
    const seam = exact - band > ((x + y) % 2 ? 0.3 : 0.7) ? 1 : 0;
    grid.set(x, y, bands[Math.min(4, band + seam)] ?? "k");
  });
  for (let i = 0; i < 22; i++)
    grid.fill(seed.below(92), seed.below(9), 2 + seed.below(3), 1, seed.pick(["b", "k", "s"]));
  for (let i = 0; i < 9; i++) {
    const [x, y] = [seed.below(92), 3 + seed.below(6)];
    grid.fill(x, y, 3, 2, "s").fill(x, y, 2, 1, "S");
  }
  return grid;
}

/** Stars, for as much sky as there is. */
export function stars(): Grid {
  const grid = new Grid(96, 96, "K");
  const seed = new Seed("stars");
  for (let i = 0; i < 26; i++) grid.set(seed.below(96), seed.below(96), seed.pick(["S", "S", "g", "w", "m"]));
  return grid;
}

/** The rock around the dungeon. */
export function rockTile(): Grid {
  const grid = new Grid(32, 32, "k");
  const seed = new Seed("tile");
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 2; column++) {
      const x = column * 16 + (row % 2) * 8;
      for (let dx = 0; dx < 15; dx++)
        for (let dy = 0; dy < 7; dy++)
          grid.set(
            (x + dx) % 32,
            row * 8 + dy,
            dy === 0 && seed.chance(0.6) ? "s" : seed.chance(0.06) ? "k" : "K",
          );
    }
  return grid;
}
