/** Bosses: put together from parts, lit from the left, and large. */
import { seedOf } from "../cards/card";
import type { CardText } from "../gen/wire";
import { BY_NUMBER, BY_WORD, HATS_BY_WORD, type BossLook } from "./boss-looks";
import { main, second, trim, type Coat } from "./coats";
import { Grid } from "./grid";
import type { Colour } from "./palette";
import { Seed } from "./seed";
import { bosses } from "./sheets";

export const BOSS_WIDTH = 44;
export const BOSS_HEIGHT = 38;

/** Heads go with some bodies better than with others. */
const BODIES: Readonly<Record<string, readonly string[]>> = {
  vampire: ["coat", "robe"],
  skull: ["robe", "brute", "coat"],
  frog: ["fat"],
  robot: ["golem"],
  brain: ["robe", "golem"],
  lady: ["dress", "genie", "robe"],
  mummy: ["robe", "brute"],
  scarecrow: ["coat", "robe"],
  ape: ["brute", "fat"],
  kappa: ["fat"],
  dragon: ["beast", "brute"],
  pig: ["fat", "brute"],
  demon: ["brute", "coat", "beast"],
  goggles: ["coat", "golem"],
  hood: ["robe"],
  squid: ["robe", "genie"],
  pumpkin: ["robe", "coat"],
  stitched: ["brute", "coat"],
  raven: ["coat", "robe"],
  baron: ["coat"],
  eye: ["robe", "fat"],
  kobold: ["coat", "brute"],
  shades: ["coat"],
  cow: ["brute", "fat"],
  ghoul: ["coat", "robe"],
  visor: ["golem", "brute"],
  seer: ["robe", "dress"],
};
const HATS = ["", "", "crown", "horns", "ram", "flame"];
const ARMS = ["", "staff", "scythe", "trident", "sword", "sceptre", "club"];
const BACKS = ["", "", "cape", "batwings", "flames", "tentacles"];
const SKINS: readonly Coat[] = ["green", "red", "bone", "purple", "blue", "brown", "grey", "pink", "pale"];
const CLOTHS: readonly Coat[] = ["green", "red", "purple", "blue", "brown", "grey", "gold", "night"];
const EYES: readonly Colour[] = ["R", "y", "c", "l", "O"];

/** How deep a hat sits on the head. */
const HAT_DEPTH: Readonly<Record<string, number>> = {
  crown: 2,
  nemes: 12,
  snakes: 4,
  straw: 3,
  horns: 4,
  ram: 4,
  tiara: 2,
  turban: 4,
  flame: 2,
  "top-hat": 4,
  stalks: 3,
  petals: 15,
  blaze: 8,
  antennae: 4,
  "tall-crown": 2,
};

/** Worn behind the head. */
const BEHIND: ReadonlySet<string> = new Set(["horns", "ram", "petals", "blaze"]);

/** Stand on the floor behind the boss. */
const ON_THE_FLOOR: ReadonlySet<string> = new Set(["gate", "hoard"]);

/** Held upright, from above the shoulder down to the floor. */
const POLES: ReadonlySet<string> = new Set(["staff", "scythe", "trident", "shovel"]);

function pole(arm: Grid): Grid {
  const long = 26;
  return Grid.from(arm.width, long, (x, y) =>
    arm.at(x, y < arm.height ? y : arm.height - 1 - ((long - y) % 3)),
  );
}

export function bossLook(card: CardText): BossLook {
  const seed = new Seed(`${seedOf(card)} ${card.name}`);
  const name = card.name.toLowerCase();
  const hint: Partial<BossLook> = {
    ...BY_WORD.find(([words]) => words.test(name))?.[1],
    ...BY_NUMBER[card.number ?? card.name],
  };
  const head = hint.head ?? seed.pick(Object.keys(BODIES));
  const skin = hint.skin ?? seed.pick(SKINS);
  const cloths = CLOTHS.filter((cloth) => cloth !== skin);
  const royal = HATS_BY_WORD.find(([words]) => words.test(name))?.[1];
  return {
    head,
    body: seed.pick(BODIES[head] ?? ["robe"]),
    back: seed.pick(BACKS),
    hat: royal ?? seed.pick(HATS),
    arm: seed.pick(ARMS),
    skin,
    cloth: seed.pick(cloths),
    trim: seed.pick<Coat>(["gold", "gold", "steel", "bone"]),
    eyes: seed.pick(EYES),
    ...hint,
  };
}

/** Flat on its side, with empty hands. */
export function fallenBoss(look: BossLook): Grid {
  return bossFigure({ ...look, back: "", arm: "" })
    .toppled()
    .trimmed();
}

/** On an empty ground, its feet on the lowest row but one. */
export function bossFigure(look: BossLook): Grid {
  const canvas = new Grid(BOSS_WIDTH, BOSS_HEIGHT);
  const body = bosses.get(`body-${look.body}`);
  const head = bosses.get(`head-${look.head}`);
  const bodyTop = BOSS_HEIGHT - 1 - body.height;
  const headTop = bodyTop + 3 - head.height;
  const colours = { ...main(look.skin), ...second(look.cloth), ...trim(look.trim), "7": look.eyes };
  const layer = (grid: Grid, x: number, y: number) => {
    const whole = new Grid(BOSS_WIDTH, BOSS_HEIGHT).stamp(grid, x, y);
    canvas.stamp(whole.recolour(colours).outline("k"), 0, 0);
  };
  const centre = (grid: Grid, y: number) => layer(grid.litFromLeft(), (BOSS_WIDTH - grid.width) / 2, y);

  if (look.back) {
    const back = bosses.get(`back-${look.back}`);
    const top = ON_THE_FLOOR.has(look.back)
      ? BOSS_HEIGHT - 1 - back.height
      : look.back === "shell"
        ? bodyTop - 1
        : bodyTop + 8 - back.height + (look.back === "cape" ? 10 : 0);
    centre(back, Math.max(1, top));
  }
  let held: (() => void) | undefined;
  if (look.arm) {
    const arm = bosses.get(`arm-${look.arm}`);
    held = () =>
      layer(
        arm,
        BOSS_WIDTH / 2 + body.width / 2 - 2 - Math.floor(arm.width / 2),
        bodyTop + 14 - Math.min(arm.height, 24),
      );
    if (POLES.has(look.arm))
      held = () =>
        layer(pole(arm), BOSS_WIDTH / 2 + body.width / 2 - 2 - Math.floor(arm.width / 2), bodyTop - 9);
  }
  centre(body, bodyTop);
  held?.();
  if (look.hat && BEHIND.has(look.hat)) wear(look.hat);
  centre(head, headTop);
  if (look.hat && !BEHIND.has(look.hat)) wear(look.hat);
  return canvas;

  function wear(name: string) {
    const hat = bosses.get(`hat-${name}`);
    centre(hat, Math.max(1, headTop + (HAT_DEPTH[name] ?? 2) - hat.height));
  }
}
