/** The page for cards of one's own, and what is said of them at a table. */
import type { Kind } from "../gen/wire";

export const say = {
  title: "Own cards",
  lead: "Write cards of your own and play them with friends. What a card does is printed from what you write.",
  editor: "The card file",
  fine: (cards: number) =>
    cards === 1 ? "No problems: 1 card can be played." : `No problems: ${cards} cards can be played.`,
  wrong: (count: number) => (count === 1 ? "1 problem" : `${count} problems`),
  checking: "Checking …",
  drawn: "As players will see them",
  none: "Cards appear here as soon as they make sense.",
  some: (drawn: number) =>
    drawn === 1
      ? "Only the card that makes sense so far is drawn."
      : `Only the ${drawn} cards that make sense so far are drawn.`,
  replaces: (set: string) => `Replaces the card of this name (${set})`,
  add: "Add a card",
  kinds: {
    room: "Room",
    spell: "Spell",
    boss: "Boss",
    hero: "Hero",
    epic: "Epic hero",
    item: "Item",
    miniboss: "Miniboss",
  } satisfies Record<Kind, string>,
  upload: "Open a file",
  download: "Download",
  reset: "Begin again",
  resetSure: "Begin again with the example? Your text is lost.",
  tooLarge: (kilobytes: number) => `That file is too large: at most ${kilobytes} KB are possible.`,
  notText: "That file is not plain text (UTF-8).",
  deck: "Shuffled into",
  play: "Make a table",
  kept: "Saved in this browser. The server reads it to check it, and keeps it with the tables you make.",
  help: "Words such as damage, draw or when have a meaning; everything else stands in quotes. Indent by two spaces. A card with the name of another replaces it. At most 64 KB and 120 different cards.",
  table: (cards: number) =>
    cards === 1 ? "This table uses 1 card of its own." : `This table uses ${cards} cards of its own.`,
  tableMeans: "Written by a player, and marked in the game: have a look before you sit down.",
  tableShow: "Show the cards",
  tableText: "The card file",
} as const;

/** A card of each kind to begin with. */
export const TEMPLATES: Readonly<Record<Kind, string>> = {
  room: `room "Goblin Dentist" x3
  -  monster  damage 1  cleric  house
  ruling "The appointment was last week."
  when hero survives this once per turn
    draw room 1
`,
  spell: `spell "Second Helping" x2
  -  build adventure  house
  play
    draw room 1
    draw spell 1
`,
  boss: `boss "Aunt Agatha, Keeper of Keys"
  -  xp 640  thief  house
  level up
    draw room 2
`,
  hero: `hero "Percival the Punctual"
  -  fighter  health 6  star  house
`,
  epic: `epic "Dame Thunderclap"
  -  mage  health 11  star  house
  when this killed
    each p = player
      draw spell 1 for p
`,
  item: `item "Pocket Anvil" x2
  -  fighter  house
  play
    target h = hero in dungeon of any
    damage h 2
`,
  miniboss: `miniboss "Nurse Gnaw"
  -  house
  level 1
    always: host has damage +1
  level 2
    when hero survives host once per turn
      draw room 1
  level 3
    ability
      target h = hero in host
      kill h
`,
};

export const EXAMPLE = `# The first line names your set. A # begins a comment.
set HOME "My own cards"

# A room: its name, how many of it (x3), its facts, and what it does.
${TEMPLATES.room}
${TEMPLATES.spell}`;
