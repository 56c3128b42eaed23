/** What is in a room: what its name suggests first, then what fits its subtype and class. */
import type { Coat } from "./coats";

export interface RoomParts {
  /** Inhabitants, from the sheet of monsters, from front to back. */
  who?: readonly string[];
  /** The thing that hurts, from the sheet of traps. */
  what?: readonly string[];
  /** Around them, from the sheet of props. */
  around?: readonly string[];
  coat?: Coat;
  wall?: Wall;
}

export type Wall = "brick" | "block" | "cave" | "plank" | "tile";

/** The first line whose words are in the name of the room counts. */
export const ROOMS_BY_WORD: readonly (readonly [RegExp, RoomParts])[] = [
  [/nursery|kinder/, { who: ["kid-goblin", "kid-goblin", "kid-goblin"], around: ["crate"], coat: "green" }],
  [
    /mess hall|kitchen.*goblin|feast/,
    { who: ["goblin"], around: ["table", "barrel"], coat: "green", wall: "plank" },
  ],
  [/goblin|orc\b/, { who: ["goblin"], around: ["weapon-rack", "shield"], coat: "green", wall: "plank" }],
  [/spect|ghost|phantom/, { who: ["ghost"], around: ["candles", "window"], coat: "ghost", wall: "block" }],
  [/haunted hall|poltergeist/, { who: ["ghost"], around: ["window", "table"], coat: "ghost" }],
  [/succub|spa\b/, { who: ["imp"], around: ["cauldron", "candles"], coat: "pink", wall: "tile" }],
  [/incub|gym/, { who: ["imp"], around: ["dumbbell", "banner"], coat: "red", wall: "tile" }],
  [/dracolich/, { who: ["skeletal-dragon"], wall: "cave" }],
  [/vampir/, { who: ["vampire"], around: ["chandelier", "window"], wall: "block" }],
  [/golem|automat/, { who: ["golem"], around: ["anvil", "chain"], coat: "steel" }],
  [/minotaur|maze|labyrinth/, { who: ["minotaur"], around: ["arch"], coat: "brown" }],
  [/neander|caveman|troll|ogre|giant/, { who: ["ogre"], around: ["skulls"], coat: "brown", wall: "cave" }],
  [/barbarian/, { who: ["ogre"], around: ["shield", "table"], coat: "skin", wall: "plank" }],
  [/menagerie|zoo/, { who: ["wolf"], what: ["cage"], coat: "brown" }],
  [
    /ballroom|dance/,
    { who: ["skeleton", "ghost"], around: ["chandelier", "rug"], coat: "ghost", wall: "tile" },
  ],
  [/queen/, { who: ["brain"], around: ["crystals"], wall: "cave" }],
  [/brain|mind|hive/, { who: ["brain"], around: ["drip", "roots"], wall: "cave" }],
  [/witch|hag|coven/, { who: ["witch"], around: ["cauldron", "cobweb"], coat: "purple" }],
  [/liger|lion|tiger|panther|cat\b/, { who: ["liger"], around: ["bones"], wall: "cave" }],
  [/centipede|insect|bug|beetle/, { who: ["centipede"], around: ["roots"], coat: "red", wall: "cave" }],
  [/rust/, { who: ["rust-beetle"], around: ["shield"], wall: "block" }],
  [/spider|arach|web/, { who: ["spider"], around: ["cobweb"], coat: "purple" }],
  [/hoard/, { who: ["whelp"], what: ["hoard"], coat: "green", wall: "cave" }],
  [/dragon graveyard/, { what: ["grave"], around: ["skulls", "bones"], wall: "cave" }],
  [/hatch|nest|egg/, { who: ["whelp", "egg", "egg"], around: ["nest"], coat: "red", wall: "cave" }],
  [/dragon|drake|wyrm/, { who: ["dragon"], around: ["gems"], coat: "red", wall: "cave" }],
  [/zombie|undead/, { who: ["zombie"], what: ["cage"], wall: "block" }],
  [/imp\b|devil|demon/, { who: ["imp"], around: ["candles", "banner"], coat: "red", wall: "block" }],
  [/wraith/, { who: ["robe"], what: ["throne"], coat: "night", wall: "block" }],
  [/spawn/, { who: ["slime"], what: ["portal"], coat: "green" }],
  [/spellslime|slime|ooze|jelly/, { who: ["jelly-cube"], around: ["orb"], coat: "purple" }],
  [/fang|garden|plant|vine|root/, { who: ["plant"], around: ["roots", "pot"], wall: "cave" }],
  [/shroom|mushroom|fung/, { who: ["mushroom"], around: ["shrooms"], wall: "cave" }],
  [/worm|burrow/, { who: ["worm"], around: ["roots"], coat: "pink", wall: "cave" }],
  [/arena|pit fight|colos/, { who: ["knight"], around: ["banner", "skulls"], coat: "red", wall: "block" }],
  [/frost|ice\b|snow/, { who: ["frostbat"], around: ["crystals"], wall: "cave" }],
  [/bat\b|bats\b/, { who: ["bat"], coat: "purple", wall: "cave" }],
  [/sorcer|school|wizard|academ/, { who: ["robe"], what: ["bookshelf"], coat: "purple" }],
  [/elemental|generator/, { who: ["elemental"], around: ["grate", "chain"] }],
  [/genie|lounge|djinn/, { who: ["genie"], around: ["rug", "pot"], coat: "blue", wall: "tile" }],
  [/wolf|hound|beast|kennel/, { who: ["wolf"], around: ["bones", "window"], coat: "grey", wall: "cave" }],
  [/skelet|bone/, { who: ["skeleton"], around: ["skulls"], wall: "block" }],
  [/knight|guard|barrack/, { who: ["knight"], around: ["weapon-rack"], coat: "red" }],

  [/altar|ritual|sacrific/, { what: ["altar"], around: ["banner"], wall: "block" }],
  [/grave\b|graveyard/, { what: ["grave"], around: ["skulls"], wall: "cave" }],
  [/crypt/, { what: ["coffin"], around: ["candles", "cobweb"], wall: "block" }],
  [/tomb|burial/, { what: ["coffin"], around: ["skulls", "pot"], wall: "tile" }],
  [/laborator|alchem|potion/, { what: ["lab"], around: ["cobweb"] }],
  [/haunted library/, { who: ["ghost"], what: ["bookshelf"], coat: "ghost" }],
  [/library|archive|study/, { what: ["bookshelf"], around: ["candles", "cobweb"], wall: "plank" }],
  [/eye\b|watch/, { what: ["big-eye"], around: ["candles"], wall: "block" }],
  [/spik/, { what: ["pit", "spikes"], around: ["skulls"], wall: "block" }],
  [/pit\b|abyss|hole|bottomless/, { what: ["pit"], around: ["sign", "chain"], wall: "brick" }],
  [/boulder|ramp|rolling/, { what: ["boulder"], around: ["bones"], wall: "cave" }],
  [/gas\b|dizzy|poison|fume/, { what: ["vents"], around: ["grate"] }],
  [/stash|jackpot|treasure|gold/, { what: ["hoard"], around: ["pot"] }],
  [/recycl|scrap|junk/, { what: ["gears"], around: ["crate"] }],
  [/wreck/, { what: ["wrecking-ball"], around: ["crate"], wall: "plank" }],
  [/smash/, { what: ["hammer"], around: ["skulls"], wall: "block" }],
  [/chomp|bite|jaw/, { what: ["jaws"], around: ["chain"], wall: "brick" }],
  [/crush|press/, { what: ["crusher"], around: ["bones"], wall: "block" }],
  [/construct/, { what: ["scaffold"], around: ["sign"], wall: "brick" }],
  [/mimic/, { who: ["mimic"], what: ["hoard"] }],
  [/monument|statue|idol/, { what: ["statue"], around: ["candles"], wall: "block" }],
  [/tortur|dungeon|pain/, { what: ["rack"], around: ["chain"], wall: "block" }],
  [/portal|gate|rift/, { what: ["portal"], wall: "block" }],
  [/madman|manor|asylum/, { what: ["mirror"], around: ["cobweb", "window"], wall: "plank" }],
  [/sanctum|inner|shrine/, { what: ["altar"], around: ["window", "orb"], wall: "tile" }],
  [/antimagic|magic|zone|ward/, { what: ["save-point"], around: ["orb"], wall: "tile" }],
  [/observ|star\b|tower/, { what: ["telescope"], around: ["window"] }],
  [/mirror|reflect/, { what: ["mirror", "mirror"], wall: "tile" }],
  [/bullet|cannon|gun|arrow/, { what: ["cannon"], around: ["crate"], wall: "plank" }],
  [/treadmill|convey|belt/, { what: ["treadmill"], around: ["grate"] }],
  [/bridge|collaps/, { what: ["bridge"], wall: "cave" }],
  [/decap|blade|guillot|axe|slic/, { what: ["blade"], around: ["skulls"] }],
  [/block|puzzle|tile/, { what: ["blocks"], wall: "tile" }],
  [/tube|pipe|warp|sewer/, { what: ["pipe"], wall: "brick" }],
  [/bom-|bomb|explos|powder/, { who: ["bomb", "bomb"], around: ["barrel", "crate"] }],
  [/save|point|checkpoint/, { what: ["save-point"], around: ["pot"] }],
  [/fire|flame|burn|lava/, { what: ["flame-jets"], around: ["skulls"] }],
  [/throne/, { what: ["throne"], around: ["banner"] }],
];

export const WALLS: readonly Wall[] = ["brick", "block", "cave", "plank", "tile"];
export const COATS_OF_MONSTERS: readonly Coat[] = ["green", "red", "purple", "blue", "brown", "grey"];

/** Where things go that do not stand on the floor. */
export const HANGS: ReadonlySet<string> = new Set([
  "crusher",
  "blade",
  "hammer",
  "wrecking-ball",
  "chain",
  "cobweb",
  "chandelier",
  "roots",
  "banner",
]);
export const ON_WALL: ReadonlySet<string> = new Set(["big-eye", "shield", "window", "grate", "drip"]);
export const IN_FLOOR: ReadonlySet<string> = new Set(["pit", "bridge"]);
export const FLIES: ReadonlySet<string> = new Set(["bat", "frostbat", "eye", "brain", "ghost"]);
export const BEHIND: ReadonlySet<string> = new Set(["bookshelf", "throne", "hoard", "cage"]);
