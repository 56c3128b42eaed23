/** Items: what heroes carry and bosses claim. Small enough for a hand, and on its card in a shaft of light. */
import { classesOf, seedOf } from "../cards/card";
import type { CardText } from "../gen/wire";
import { CLASS_LOOKS } from "./classes";
import { Grid } from "./grid";
import type { Colour } from "./palette";
import { ROOM_HEIGHT, ROOM_WIDTH } from "./room";
import { Seed } from "./seed";
import { items } from "./sheets";

export const ITEM_SIZE = 18;

/** The first line whose words are in the name counts. */
const BY_WORD: readonly (readonly [RegExp, string])[] = [
  [/extra life|1-?up|halo|lives/, "extra-life"],
  [/grenade/, "grenade"],
  [/robe|armor|armour|cloak|rental|vestment/, "robes"],
  [/healing|crutch|lunchbox|bandage/, "healing-staff"],
  [/suit|costume|disguise/, "goblin-suit"],
  [/claw|gauntlet|knuckle|glove/, "claws"],
  [/sword|mallet|hammer|axe/, "big-sword"],
  [/blade|vorpal|dagger|knife/, "vorpal"],
  [/lizard|toad|newt|familiar/, "lizard"],
  [/rod\b|wand|ice\b|frost/, "ice-rod"],
  [/mirror|glass\b|copy|lens/, "mirror"],
  [/nomicon|book|grimoire|tome|hymnal/, "grimoire"],
  [/bag\b|holding|purse|sack|sandbag/, "bag-of-holding"],
  [/cheat|code\b|game|controller|lag\b|jetpack/, "cheat-code"],
  [/pole\b|staff|stick|flag\b|drill/, "pole"],
  [/bomb|dynamite|powder/, "bomb"],
  [/boots|shoes|sandals|jumping/, "boots"],
  [/pet\b|monster|beast/, "pet"],
  [/star\b|invulner|trophy/, "invincible-star"],
  [/ring\b|bracelet/, "ring"],
  [/potion|elixir|flask|draught/, "potion"],
  [/shield|buckler/, "shield"],
  [/scroll|map\b|iou|letter|contract/, "scroll"],
  [/amulet|beacon|necklace|charm|confess/, "amulet"],
  [/helm|hat\b|cap\b|crown/, "helmet"],
  [/horn|trumpet|whistle|flute/, "trumpet"],
  [/key/, "key"],
  [/umbrella|parasol|plot/, "umbrella"],
];
const OTHERS = ["potion", "shield", "scroll", "amulet", "helmet", "trumpet", "key"];

export function itemName(card: CardText): string {
  const name = card.name.toLowerCase();
  return BY_WORD.find(([words]) => words.test(name))?.[1] ?? new Seed(seedOf(card)).pick(OTHERS);
}

/** The thing alone, outlined. */
export function itemFigure(card: CardText): Grid {
  const thing = items.get(itemName(card));
  const square = new Grid(16, 16).stamp(thing, Math.floor((16 - thing.width) / 2), 16 - thing.height);
  return square.pad(1).outline("k");
}

export function itemScene(card: CardText): Grid {
  const classes = classesOf(card);
  const [home] = classes;
  const glow: readonly Colour[] =
    classes.length === 1 && home ? ["k", "K", ...CLASS_LOOKS[home].colours] : ["k", "K", "s", "S", "g"];
  const grid = new Grid(ROOM_WIDTH, ROOM_HEIGHT, "k");
  const seed = new Seed(`${seedOf(card)} light`);
  // A shaft of light from above falls on the thing; where it ends is a pedestal.
  grid.each((x, y) => {
    const spread = 5 + y * 0.42;
    const away = Math.abs(x - ROOM_WIDTH / 2 + 0.5);
    const level = away < spread ? 2.6 - away / spread - y / 40 : 1.1 - (away - spread) / 12;
    const base = Math.floor(level);
    const step = level - base > ((x + y) % 2 ? 0.35 : 0.75) ? 1 : 0;
    grid.set(x, y, glow[Math.max(0, Math.min(3, base + step))] ?? "k");
  });
  for (let i = 0; i < 9; i++) grid.set(14 + seed.below(20), seed.below(24), seed.pick(["w", "y"]));
  grid
    .fill(11, 27, 26, 5, "k")
    .fill(12, 28, 24, 4, "S")
    .fill(12, 28, 24, 1, "g")
    .fill(14, 26, 20, 2, "k")
    .fill(15, 26, 18, 2, "g");
  for (let x = 14; x < 34; x += 5) grid.fill(x, 30, 3, 1, "s");
  return grid.stamp(itemFigure(card), (ROOM_WIDTH - ITEM_SIZE) / 2, 26 - ITEM_SIZE + 1);
}
