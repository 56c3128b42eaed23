/** Heroes: one figure per class, made somebody by hair, skin and small things drawn from the card's seed. */
import { classesOf, seedOf } from "../cards/card";
import type { CardText, Class } from "../gen/wire";
import { COATS, trim, type Coat, type Ramp } from "./coats";
import { Grid, type Recolour } from "./grid";
import { CLASS_LOOKS, CLASSES } from "./classes";
import type { Colour } from "./palette";
import { Seed } from "./seed";
import { heroes, icons } from "./sheets";

export type HeroLook = "ordinary" | "dark" | "epic";
export type HeroFrame = "walk-a" | "walk-b" | "hit" | "fall";
export const HERO_FRAMES: readonly HeroFrame[] = ["walk-a", "walk-b", "hit", "fall"];

export interface HeroFacts {
  /** Which one: the collector number, or any words. */
  seed: string;
  classes: readonly Class[];
  look: HeroLook;
  /** A star hero: one of a kind, with a star over its shoulder. */
  star?: boolean;
  /** Who seeks no treasure is told by name. */
  figure?: Nobody;
}

/** Width and height of a frame; the feet stand on its second row from below. */
export const HERO_SIZE = 20;

/** Heroes of no class. What they are is in the name; the first line that fits counts. */
const NOBODIES = [
  [/princess|queen|lady/, "princess"],
  [/prince\b|pretender|heir/, "prince"],
  [/breaker|crusher|slayer/, "breaker"],
  [/king|emperor|lord/, "king"],
  [/god|angel|saint/, "demigod"],
  [/lincoln|president|mayor/, "top-hat"],
  [/progenitor|ancestor|elder|parent/, "elder"],
  [/bar|brawl|drunk|fighter/, "brawler"],
  [/brothers|sisters|twins/, "brothers"],
  [/lay|lazy|sleep|nap/, "nightcap"],
  [/fool|jester|clown/, "jester"],
] as const;
type Nobody = (typeof NOBODIES)[number][1];
type Figure = Class | Nobody;
const ROBED: ReadonlySet<Figure> = new Set<Figure>(["cleric", "mage", "king", "princess", "elder"]);
/** What those of no class have in hand; the others have it drawn, or nothing. */
const HELD: Readonly<Partial<Record<Figure, string>>> = {
  breaker: "item-fighter-hammer",
  demigod: "item-mage-flame",
  "top-hat": "item-fighter-axe",
  elder: "item-cleric-staff",
};

/** Dark and epic heroes are told by their edge even where they are small. */
const OUTLINES: Readonly<Record<HeroLook, Colour>> = { ordinary: "k", dark: "P", epic: "Y" };

const HAIR: readonly Ramp[] = [
  COATS.brown,
  COATS.gold,
  COATS.night,
  COATS.fire,
  COATS.steel,
  ["b", "b", "o"],
];
const SKIN: readonly [Colour, Colour][] = [
  ["f", "o"],
  ["f", "o"],
  ["o", "b"],
  ["W", "o"],
];
const TRIMS: readonly Coat[] = ["gold", "gold", "steel", "bone"];

export function heroFacts(card: CardText): HeroFacts {
  const look = card.kind === "epic" ? "epic" : card.dark ? "dark" : "ordinary";
  const [seed, classes] = [seedOf(card), classesOf(card)];
  const figure = classes.length > 0 ? undefined : nobody(card.name, seed, look);
  return { seed, classes, look, ...(card.star && { star: true }), ...(figure && { figure }) };
}

function nobody(name: string, seed: string, look: HeroLook): Nobody {
  const told = NOBODIES.find(([words]) => words.test(name.toLowerCase()))?.[1];
  const all = NOBODIES.map(([, figure]) => figure);
  return told ?? (look === "epic" ? new Seed(`${seed} nobody`).pick(all) : "jester");
}

/** The four frames side by side, in the order of `HERO_FRAMES`. */
export function heroStrip(facts: HeroFacts): Grid {
  const strip = new Grid(HERO_SIZE * HERO_FRAMES.length, HERO_SIZE);
  HERO_FRAMES.forEach((frame, i) => strip.stamp(heroFrame(facts, frame), i * HERO_SIZE, 0));
  return strip;
}

export function heroFrame(facts: HeroFacts, frame: HeroFrame): Grid {
  const figure: Figure = facts.classes[0] ?? facts.figure ?? "jester";
  const colours = wardrobe(facts, figure);
  const body =
    frame === "fall"
      ? new Grid(16, 16).stamp(heroes.get("fallen"), 0, 8)
      : stand(facts, figure, frame === "walk-b");
  const posed = frame === "hit" ? body.shift((y) => (y < 5 ? -2 : y < 11 ? -1 : 0)) : body;
  const grid = posed.pad(2).recolour(colours).outline(OUTLINES[facts.look]);
  if (facts.star && frame !== "fall") grid.stamp(icons.get("star-hero").pad(1).outline("u"), 0, 0);
  else if (frame === "hit") grid.stamp(icons.get("star"), 0, 0);
  return grid;
}

const isClass = (figure: Figure): figure is Class => figure in CLASS_LOOKS;

function stand(facts: HeroFacts, figure: Figure, passing: boolean): Grid {
  const robed = ROBED.has(figure);
  const grid = new Grid(16, 16);
  if (facts.look === "epic") grid.stamp(heroes.get("cape"), 0, passing ? 1 : 0);
  grid.stamp(heroes.get(`${robed ? "robe" : "legs"}-${passing ? "b" : "a"}`), 0, 13);
  grid.stamp(dressed(facts, figure), 0, passing ? 1 : 0);
  return grid;
}

/** Head and body with what makes this one different. */
function dressed(facts: HeroFacts, figure: Figure): Grid {
  const body = heroes.get(figure).copy();
  const seed = new Seed(`${facts.seed} things`);
  // Who seeks two kinds of treasure has the clothes of one and the weapon of the other.
  const armed = heroes.names().filter((name) => name.startsWith(`item-${facts.classes[1] ?? figure}-`));
  const items = armed.length ? armed : heroes.names().filter((name) => name.startsWith(`item-${figure}-`));
  const held = HELD[figure];
  if (held) body.stamp(heroes.get(held), 11, 0);
  if (items.length) body.stamp(heroes.get(seed.pick(items)), 11, 0);
  const thing = seed.pick(["none", "beard", "long-hair", "scarf", "none"]);
  const at: Partial<Record<string, [number, number]>> = { beard: [1, 8], "long-hair": [0, 5], scarf: [0, 9] };
  const place = at[thing];
  const suits =
    figure === "fighter" || figure === "explorer" || (figure === "cleric" && thing !== "long-hair");
  if (place && suits && facts.look !== "dark") body.stamp(heroes.get(thing), ...place);
  if (facts.look === "epic" && figure !== "mage" && isClass(figure))
    body.stamp(heroes.get("crown"), 1, figure === "fighter" ? 1 : 0);
  return body;
}

function wardrobe(facts: HeroFacts, figure: Figure): Recolour {
  const seed = new Seed(`${facts.seed} colours`);
  const own = CLASS_LOOKS[isClass(figure) ? figure : seed.pick(CLASSES)].colours;
  const other = facts.classes[1] ? CLASS_LOOKS[facts.classes[1]].colours : undefined;
  const hair = seed.pick(HAIR);
  const skin = seed.pick(SKIN);
  const cut = seed.below(3);
  const clothes: Recolour =
    cut === 0 || other
      ? { "1": own[0], "2": own[1], "3": own[2] }
      : cut === 1
        ? { "1": own[0], "2": own[1], "3": own[1] }
        : { "1": "K", "2": own[0], "3": own[1] };
  const head: Recolour = { "4": hair[1], "5": hair[2], "0": skin[0], "6": skin[1], "7": "k" };
  if (facts.look === "dark") {
    return {
      ...trim("purple"),
      "1": "k",
      "2": "K",
      "3": own[0],
      "4": "s",
      "5": "S",
      "0": "W",
      "6": "g",
      "7": "R",
      g: "s",
      S: "K",
      w: "g",
      W: "S",
    };
  }
  const trims = other
    ? { "8": other[1], "9": other[2] }
    : trim(facts.look === "epic" ? "gold" : seed.pick(TRIMS));
  return { ...clothes, ...head, ...trims };
}
