/** How each treasure class looks: one row says everything but the drawings, which are in the sheets by its name. */
import type { Class } from "../gen/wire";
import type { Coat } from "./coats";
import type { Colour } from "./palette";

/** From unlit to brightly lit. */
export type Shades = readonly [Colour, Colour, Colour, Colour, Colour];

interface ClassLook {
  /** Dark, middle and light, the same wherever the class is shown. */
  colours: readonly [Colour, Colour, Colour];
  /** Colour of its letter, light enough to read. */
  tone: string;
  /** Stone of its rooms. */
  shades: Shades;
  /** Cloth of its banners. */
  cloth: Coat;
  /** Who lives in its rooms, what stands in them and around it. */
  who: readonly string[];
  what: readonly string[];
  around: readonly string[];
}

export const CLASS_LOOKS: Readonly<Record<Class, ClassLook>> = {
  cleric: {
    colours: ["u", "U", "c"],
    tone: "var(--c-ice)",
    shades: ["k", "K", "u", "S", "g"],
    cloth: "blue",
    who: ["ghost", "zombie", "skeleton", "vampire", "imp"],
    what: ["altar", "coffin", "grave", "portal"],
    around: ["candles", "window", "skulls", "banner"],
  },
  fighter: {
    colours: ["r", "R", "O"],
    tone: "#ff9d8a",
    shades: ["k", "K", "b", "o", "o"],
    cloth: "red",
    who: ["goblin", "ogre", "minotaur", "knight", "wolf", "golem", "mushroom"],
    what: ["statue", "blade", "crusher", "cannon", "spikes"],
    around: ["shield", "barrel", "weapon-rack", "bones", "banner"],
  },
  mage: {
    colours: ["p", "P", "m"],
    tone: "#e3b6ff",
    shades: ["k", "K", "p", "S", "g"],
    cloth: "purple",
    who: ["brain", "robe", "slime", "eye", "elemental", "witch", "bat", "jelly-cube"],
    what: ["lab", "bookshelf", "portal", "mirror", "big-eye"],
    around: ["orb", "crystals", "cobweb", "candles"],
  },
  thief: {
    colours: ["n", "N", "l"],
    tone: "var(--c-lime)",
    shades: ["k", "K", "n", "S", "g"],
    cloth: "green",
    who: ["mimic", "goblin", "spider", "genie", "worm"],
    what: ["pit", "boulder", "gears", "hoard", "vents", "flame-jets", "blocks"],
    around: ["crate", "pot", "chain", "barrel", "grate"],
  },
  explorer: {
    colours: ["o", "Y", "y"],
    tone: "var(--c-yellow)",
    shades: ["k", "K", "b", "o", "o"],
    cloth: "gold",
    who: ["worm", "centipede", "plant", "liger", "dragon"],
    what: ["bridge", "boulder", "spikes", "pit"],
    around: ["roots", "skulls", "pot", "gems"],
  },
};

/** In the order of the game. */
export const CLASSES = Object.keys(CLASS_LOOKS) as Class[];
