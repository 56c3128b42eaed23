/** The town board of Super Boss Monster: its landmarks, the market, minions and what is laid on cards. */
import type { Errand, Landmark } from "../gen/wire";
import { CLASS_LOOKS } from "./classes";
import { COATS, main, second, type Coat } from "./coats";
import { Grid } from "./grid";
import { picture } from "./picture";
import { Seed } from "./seed";
import { townBoard as sheet } from "./sheets";
import { LANDMARK_CLASS } from "../cards/landmarks";

/** A minion wears its player's colours: by seat, from 1. */
const MINIONS: readonly (readonly [Coat, Coat])[] = [
  ["red", "gold"],
  ["blue", "bone"],
  ["green", "brown"],
  ["purple", "grey"],
  ["pink", "night"],
  ["ghost", "fire"],
];

/** The colour of a seat, for what belongs to its minion. */
export function seatColour(seat: number): (typeof COATS)[Coat][1] {
  return COATS[coatsOf(seat)[0]][1];
}

function coatsOf(seat: number): readonly [Coat, Coat] {
  return MINIONS[(seat - 1) % MINIONS.length] ?? ["red", "gold"];
}

export function building(landmark: Landmark): Grid {
  const of = LANDMARK_CLASS[landmark];
  const [dark, middle, light] = of ? CLASS_LOOKS[of].colours : (["r", "R", "O"] as const);
  return sheet.get(landmark).recolour({ "1": dark, "2": middle, "3": light }).pad(1).outline("k");
}

export const buildingPicture = (landmark: Landmark) =>
  picture(`landmark ${landmark}`, () => building(landmark));

/** Standing, then running: side by side. */
export const minionPicture = (seat: number) =>
  picture(`minion ${seat}`, () => {
    const [skin, apron] = coatsOf(seat);
    const drawn = (name: string) =>
      sheet
        .get(name)
        .recolour({ ...main(skin), ...second(apron) })
        .pad(1)
        .outline("k");
    const stands = drawn("minion");
    return new Grid(2 * stands.width, stands.height)
      .stamp(stands, 0, 0)
      .stamp(drawn("minion-run"), stands.width, 0);
  });

export const awningPicture = () => picture("awning", () => sheet.get("awning"));
export const firstPicture = () => picture("first player", () => sheet.get("first").pad(1).outline("k"));

/** A health token: good for the hero, or bad. */
export const tokenPicture = (good: boolean) =>
  picture(`token ${good}`, () =>
    sheet
      .get("token")
      .recolour(main(good ? "green" : "red"))
      .pad(1)
      .outline("k"),
  );

const ERRANDS: Readonly<Record<Landmark, string>> = {
  temple: "do-market",
  stadium: "do-room",
  library: "do-spell",
  hideout: "do-last",
  launchpad: "do-shuffle",
  tavern: "do-summon",
};

/** What a minion does there; treasure has its own icon. */
export const errandPicture = (landmark: Landmark, errand: Exclude<Errand, "treasure">) => {
  const name = errand === "summon" ? "do-summon" : ERRANDS[landmark];
  return picture(`errand ${name}`, () => sheet.get(name).pad(1).outline("k"));
};

/** The street: a kerb, then cobbles that get larger towards us. Its right edge fits its left edge. */
export function street(): Grid {
  const grid = new Grid(64, 24, "s");
  const seed = new Seed("street");
  grid.fill(0, 0, 64, 1, "g").fill(0, 1, 64, 1, "S").fill(0, 2, 64, 1, "k");
  let y = 3;
  for (const [row, height] of [2, 3, 4, 5, 6].entries()) {
    const wide = 3 + row;
    const count = Math.floor(64 / (wide + 1));
    for (let i = 0; i < count; i++) {
      const x = Math.round((i * 64) / count) + (row % 2) * Math.floor(wide / 2);
      const width = Math.round(((i + 1) * 64) / count) - Math.round((i * 64) / count) - 1;
      const ink = seed.pick(["S", "S", "S", "s"] as const);
      for (let dx = 0; dx < width; dx++)
        for (let dy = 0; dy < height - 1; dy++) {
          const corner = (dx === 0 || dx === width - 1) && (dy === 0 || dy === height - 2) && height > 3;
          grid.set(
            (x + dx) % 64,
            y + dy,
            corner ? "s" : dy === 0 && ink === "S" && seed.chance(0.35) ? "g" : ink,
          );
        }
    }
    for (let x = 0; x < 64; x++) if (seed.chance(0.5)) grid.set(x, y + height - 1, "K");
    y += height;
  }
  return grid;
}

export const streetPicture = () => picture("street", street);

/** A title as a badge: the better, the more of it shines. `rank` is 0 for a failure, up to 10. */
export function badge(rank: number): Grid {
  const metals: readonly Coat[] = [
    "grey",
    "brown",
    "brown",
    "bone",
    "steel",
    "steel",
    "gold",
    "gold",
    "fire",
    "fire",
    "ghost",
  ];
  const metal = metals[Math.max(0, Math.min(10, rank))] ?? "grey";
  const grid = new Grid(48, 40);
  const [x, y] = [24, 20];
  const points = 6 + rank;
  grid.each((px, py) => {
    const [dx, dy] = [px + 0.5 - x, py + 0.5 - y];
    const away = Math.hypot(dx, dy);
    const turn = Math.atan2(dy, dx);
    const edge = rank === 0 ? 13 : 14 + Math.cos(turn * points) * (1.2 + rank * 0.12);
    if (away > edge) return;
    grid.set(px, py, away > 11.5 ? (dy < 0 ? "3" : "1") : away > 10.2 ? "1" : "2");
  });
  // Ribbons below.
  const under = new Grid(48, 40);
  if (rank > 0)
    for (let i = 0; i < 12; i++)
      under.fill(14 - Math.floor(i / 3), 27 + i, 6, 1, "4").fill(28 + Math.floor(i / 3), 27 + i, 6, 1, "5");
  const face = RANKS[Math.max(0, Math.min(10, rank))] ?? RANKS[0];
  under.stamp(grid, 0, 0);
  const mark = face?.() ?? new Grid(1, 1);
  under.stamp(mark, Math.round(24 - mark.width / 2), Math.round(20 - mark.height / 2));
  return under
    .recolour({ ...main(metal), "4": "r", "5": "R" })
    .pad(1)
    .outline("k");
}

const STARS: readonly (readonly [number, number])[][] = [
  [[0, 0]],
  [
    [0, 0],
    [8, 0],
  ],
  [
    [4, 0],
    [0, 7],
    [8, 7],
  ],
];

function stars(count: 1 | 2 | 3): Grid {
  const grid = new Grid(count === 1 ? 7 : 15, count === 3 ? 14 : 7);
  for (const [x, y] of STARS[count - 1] ?? []) grid.stamp(sheet.get("badge-star"), x, y);
  return grid;
}

/** A crown over gems. */
function crowned(gems: number): Grid {
  const grid = new Grid(13, 14).stamp(sheet.get("badge-crown"), 2, 0);
  for (let i = 0; i < gems; i++)
    grid.stamp(sheet.get("badge-gem"), Math.round(6 - (gems * 3) / 2 + i * 3), 8 + (i % 2));
  return grid;
}

/** What is on the badge of each title, lowest first. */
const RANKS: readonly (() => Grid)[] = [
  () => sheet.get("badge-cross"),
  () => sheet.get("badge-dot"),
  () => sheet.get("minion").recolour({ ...main("red"), ...second("brown") }),
  () => stars(1),
  () => stars(2),
  () => stars(3),
  () => sheet.get("badge-crown"),
  () => crowned(1),
  () => crowned(2),
  () => crowned(3),
  () => crowned(4),
];

export const badgePicture = (rank: number) => picture(`badge ${rank}`, () => badge(rank));
