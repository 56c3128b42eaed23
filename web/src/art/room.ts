/**
 * Rooms: a cell of the dungeon cut open, 48 by 32. All have the floor at the same height and open sides, so that
 * rooms in a row make one long dungeon. The same card always has the same picture.
 */
import { classesOf, seedOf } from "../cards/card";
import type { CardText } from "../gen/wire";
import { CLASS_LOOKS } from "./classes";
import { main, type Coat } from "./coats";
import { Grid } from "./grid";
import { flatten, layers, type Layers } from "./layers";
import { floor, frame, PLAIN, stone, wall, type Light } from "./masonry";
import {
  BEHIND,
  COATS_OF_MONSTERS,
  FLIES,
  HANGS,
  IN_FLOOR,
  ON_WALL,
  ROOMS_BY_WORD,
  WALLS,
  type RoomParts,
} from "./room-parts";
import { Seed } from "./seed";
import { monsters, props, traps } from "./sheets";

export const ROOM_WIDTH = 48;
export const ROOM_HEIGHT = 32;
/** The row heroes walk on. */
export const FLOOR = 27;
const CEILING = 5;
const DOOR_TOP = 11;
const TORCH_TOP = 8;

/** Coats that would not be seen before the walls of a class. */
const BLENDS: Readonly<Partial<Record<string, readonly Coat[]>>> = {
  fighter: ["brown", "red"],
  mage: ["purple"],
  thief: ["green"],
  cleric: ["blue", "night"],
};

export function roomParts(card: CardText): Required<RoomParts> {
  const seed = new Seed(`${seedOf(card)} ${card.name}`);
  const classes = classesOf(card);
  const chief = classes[0] ?? "explorer";
  const name = card.name.toLowerCase();
  const hint = ROOMS_BY_WORD.find(([words]) => words.test(name))?.[1];
  const isTrap = card.subtype === "trap";
  const who = [seed.pick(CLASS_LOOKS[chief].who)];
  const what = [seed.pick(CLASS_LOOKS[chief].what)];
  const around = [seed.pick(CLASS_LOOKS[classes[1] ?? chief].around), seed.pick(CLASS_LOOKS[chief].around)];
  return {
    who: hint ? (hint.who ?? []) : isTrap ? [] : who,
    what: hint ? (hint.what ?? []) : isTrap ? what : [],
    around: [...new Set(hint?.around ?? around)],
    coat: hint?.coat ?? seed.pick(COATS_OF_MONSTERS),
    wall: hint?.wall ?? seed.pick(WALLS),
  };
}

export const roomScene = (card: CardText): Grid => flatten(roomLayers(card));

export function roomLayers(card: CardText): Layers {
  const parts = roomParts(card);
  const seed = new Seed(`${seedOf(card)} scene`);
  const classes = classesOf(card);
  const home = classes.length > 2 ? "plain" : (classes[seed.below(classes.length)] ?? "plain");
  const shades = stone(BLENDS[home]?.includes(parts.coat) && parts.who.length ? "plain" : home);
  const grid = new Grid(ROOM_WIDTH, ROOM_HEIGHT, "k");

  const torches = seed.chance(0.5) ? [seed.pick([9, 36])] : [8, 37];
  const lights: Light[] = torches.map((x) => ({ x: x + 2, y: 12, reach: torches.length > 1 ? 12 : 17 }));
  lights.push({ x: 25, y: 20, reach: 15 });
  wall(grid, parts.wall, shades, lights, FLOOR);
  floor(grid, FLOOR, parts.wall === "cave" || parts.wall === "plank" ? ["k", "k", "b", "o", "O"] : PLAIN);
  for (const x of torches) grid.stamp(props.get("torch-a").pad(1).outline("k"), x - 1, TORCH_TOP - 1);

  const tint = main(classTint(card));
  const spots = seed.chance(0.5) ? [5, 34] : [34, 5];
  const crowded = parts.who.length > 1 || parts.what.some((name) => traps.get(name).width > 20);
  parts.around.forEach((name, i) => {
    const prop = props
      .get(name)
      .recolour({ ...tint, "9": "y", "8": "Y" })
      .pad(1)
      .outline("k");
    const small = prop.width < 20;
    const spot = spots[i % 2] ?? 5;
    if (small && crowded && !HANGS.has(name) && !ON_WALL.has(name) && i > 0) return;
    place(grid, name, prop, small ? spot + 4 : 24);
  });

  const behind = parts.what.filter((name) => BEHIND.has(name));
  const before = parts.what.filter((name) => !BEHIND.has(name));
  const put = (names: readonly string[], from: number) =>
    names.forEach((name, i) => {
      const sunk = IN_FLOOR.has(name);
      const drawn = traps.get(name);
      place(
        grid,
        name,
        sunk ? drawn : drawn.pad(1).outline("k"),
        from + (names.length > 1 && !IN_FLOOR.has(names[0] ?? "") ? (i ? 8 : -8) : 0),
      );
    });
  put(behind, parts.who.length ? 21 : 24);
  put(before, parts.who.length ? 18 : 24);
  frame(grid, DOOR_TOP, card.advanced ?? false);
  if (card.advanced) keystone(grid);

  const front = new Grid(ROOM_WIDTH, ROOM_HEIGHT);
  const [first] = parts.who;
  const step = parts.who.length > 2 ? 10 : 15;
  parts.who.forEach((name, i) => {
    const monster = monsters
      .get(name)
      .recolour({
        ...main(parts.coat),
        "4": "b",
        "5": "o",
        "6": "O",
        "8": "Y",
        "9": "y",
        "7": eyes(parts.coat),
      })
      .pad(1)
      .outline("k");
    const middle =
      parts.who.length === 1 ? (parts.what.length ? 32 : 26) : 33 - i * step + (name !== first ? 2 : 0);
    place(front, name, i % 2 ? monster.flip() : monster, middle);
  });
  return layers(
    grid,
    front,
    torches.map((x) => ({ x, y: TORCH_TOP })),
  );
}

function place(grid: Grid, name: string, thing: Grid, middle: number): void {
  const x = Math.round(middle - thing.width / 2);
  if (HANGS.has(name)) grid.stamp(thing, x, CEILING - 1);
  else if (ON_WALL.has(name))
    grid.stamp(thing, x, Math.max(CEILING, Math.round((CEILING + FLOOR - thing.height) / 2) - 2));
  else if (IN_FLOOR.has(name)) grid.stamp(thing, x, Math.min(FLOOR, ROOM_HEIGHT - thing.height));
  else grid.stamp(thing, x, FLOOR + 2 - thing.height - (FLIES.has(name) ? 4 : 0));
}

function classTint(card: CardText): Coat {
  return CLASS_LOOKS[classesOf(card)[0] ?? "explorer"].cloth;
}

function eyes(coat: Coat) {
  return coat === "red" || coat === "fire" || coat === "brown"
    ? "y"
    : coat === "green"
      ? "R"
      : coat === "ghost"
        ? "R"
        : "y";
}

/** Advanced rooms have a golden beam with a jewel in it. */
function keystone(grid: Grid): void {
  const jewel = Grid.parse("keystone", ["..yyy..", ".yRRRy.", "yRmRRrY", ".yRRrY.", "..YYY.."])
    .pad(1)
    .outline("k");
  grid.stamp(jewel, ROOM_WIDTH / 2 - 5, 0);
}

/** A room that lies face down: boarded up, and somebody is at work behind the boards. */
export function boardedRoom(): Grid {
  const grid = new Grid(ROOM_WIDTH, ROOM_HEIGHT, "k");
  wall(grid, "block", PLAIN, [], FLOOR);
  floor(grid, FLOOR, PLAIN);
  const board = (y: number, tilt: number) => {
    for (let x = 2; x < ROOM_WIDTH - 2; x++) {
      const top = y + Math.round(((x - 24) / 24) * tilt);
      grid.fill(x, top - 1, 1, 7, "k");
    }
    for (let x = 3; x < ROOM_WIDTH - 3; x++) {
      const top = y + Math.round(((x - 24) / 24) * tilt);
      grid.set(x, top, "O");
      grid.fill(x, top + 1, 1, 4, (x * 7 + y) % 11 === 0 ? "b" : "o");
      if (x === 6 || x === ROOM_WIDTH - 7) grid.set(x, top + 2, "w");
    }
  };
  board(8, -2);
  board(15, 2);
  board(21, -1);
  frame(grid, DOOR_TOP, false);
  return grid;
}

/** Rock that nobody has dug into yet. */
export function solidRock(): Grid {
  const grid = new Grid(ROOM_WIDTH, ROOM_HEIGHT, "K");
  const seed = new Seed("rock");
  for (let i = 0; i < 26; i++) {
    const x = seed.below(ROOM_WIDTH);
    const y = seed.below(ROOM_HEIGHT);
    const long = 2 + seed.below(4);
    grid.fill(x, y, long, 1, "s");
    grid.fill(x + 1, y + 1, long, 1, "k");
  }
  return grid;
}
