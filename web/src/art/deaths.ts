/** How a hero dies: worked out from the room's name, then from what stands in it, then from its subtype. */
import type { CardText } from "../gen/wire";
import { roomParts } from "./room";

export const DEATHS = [
  "pit",
  "spikes",
  "blade",
  "crush",
  "fire",
  "ice",
  "slime",
  "gas",
  "bite",
  "blast",
  "magic",
  "fright",
  "club",
] as const;
export type Death = (typeof DEATHS)[number];

/** The first line whose words are in the room's name counts. */
const BY_WORD: readonly (readonly [RegExp, Death])[] = [
  [/spik|impal|skewer/, "spikes"],
  [/pit\b|bottomless|abyss|hole|bridge|trapdoor/, "pit"],
  [/blade|decap|guillot|axe|slic|saw\b|sword|shred/, "blade"],
  [/crush|press|boulder|smash|wreck|ramp|hammer|stomp/, "crush"],
  [/fire|flame|burn|lava|inferno|magma|dragon|drake|furnace/, "fire"],
  [/frost|ice\b|snow|frozen|glaci/, "ice"],
  [/slime|ooze|jelly|goo\b|sewer|spawn/, "slime"],
  [/gas\b|dizzy|poison|fume|venom|laborator|alchem|shroom|fung/, "gas"],
  [/bomb|bom-|explos|powder|cannon|bullet/, "blast"],
  [/chomp|bite|jaw|fang|mimic|shark|vampir|zombie/, "bite"],
  [/ghost|spect|phantom|haunt|crypt|tomb|grave|wraith|nightmare|fear/, "fright"],
  [/magic|sorcer|wizard|witch|portal|altar|sanctum|mirror|mind|brain|librar|genie/, "magic"],
];

/** What stands in a room, by the name of its sprite. */
const BY_SIGHT: Readonly<Record<string, Death>> = {
  pit: "pit",
  bridge: "pit",
  spikes: "spikes",
  blade: "blade",
  gears: "blade",
  rack: "blade",
  boulder: "crush",
  crusher: "crush",
  hammer: "crush",
  "wrecking-ball": "crush",
  blocks: "crush",
  treadmill: "crush",
  "flame-jets": "fire",
  dragon: "fire",
  whelp: "fire",
  elemental: "fire",
  frostbat: "ice",
  slime: "slime",
  "jelly-cube": "slime",
  vents: "gas",
  lab: "gas",
  mushroom: "gas",
  cannon: "blast",
  bomb: "blast",
  jaws: "bite",
  wolf: "bite",
  liger: "bite",
  plant: "bite",
  worm: "bite",
  spider: "bite",
  centipede: "bite",
  "rust-beetle": "bite",
  bat: "bite",
  mimic: "bite",
  zombie: "bite",
  vampire: "bite",
  "skeletal-dragon": "fire",
  ghost: "fright",
  skeleton: "fright",
  coffin: "fright",
  grave: "fright",
  "big-eye": "fright",
  mirror: "fright",
  robe: "magic",
  witch: "magic",
  genie: "magic",
  brain: "magic",
  altar: "magic",
  portal: "magic",
  "save-point": "magic",
  bookshelf: "magic",
};

export function deathOf(room: CardText): Death {
  const name = room.name.toLowerCase();
  const word = BY_WORD.find(([words]) => words.test(name))?.[1];
  if (word) return word;
  const { who, what } = roomParts(room);
  const seen = [...what, ...who].flatMap((thing) => BY_SIGHT[thing] ?? [])[0];
  return seen ?? (room.subtype === "trap" ? "crush" : "club");
}
