/** Cards to show without a server, and some nobody has drawn for. */
import { inventCard } from "../cards/card";
import type { CardPage, CardText, Kind } from "../gen/wire";
import known from "./cards.json";

export const sample = known as CardPage[];

function homebrew(face: number, kind: Kind, name: string, facts: Partial<CardText>): CardText {
  const number = `HOM${String(face).padStart(3, "0")}`;
  return inventCard(kind, name, { face, number, copies: 1, set: "HOM", ...facts });
}

export const strangers: CardText[] = [
  homebrew(1, "boss", "Quibble the Unfinished", { xp: 610, treasure: { mage: 1 } }),
  homebrew(2, "boss", "Mordax, Emperor of Ash", { short_name: "Mordax", xp: 820, treasure: { fighter: 1 } }),
  homebrew(3, "boss", "Nib", { xp: 333, treasure: { thief: 1 } }),
  homebrew(4, "boss", "Aunt Petunia", { xp: 990, treasure: { cleric: 1 } }),
  homebrew(5, "boss", "Professor Gloom", { xp: 480, treasure: { mage: 1 } }),
  homebrew(6, "boss", "Vorpal", { xp: 512, treasure: { fighter: 1 } }),
  homebrew(7, "room", "Waiting Area", { subtype: "monster", damage: 2, treasure: { fighter: 1 } }),
  homebrew(8, "room", "Lost Luggage", { subtype: "trap", damage: 1, treasure: { thief: 2 } }),
  homebrew(9, "room", "Choir Practice", {
    subtype: "monster",
    damage: 3,
    advanced: true,
    treasure: { cleric: 1 },
  }),
  homebrew(10, "room", "Wet Paint", { subtype: "trap", damage: 2, treasure: { mage: 1 } }),
  homebrew(11, "room", "Gift Shop", { subtype: "trap", damage: 4, advanced: true, treasure: { fighter: 1 } }),
  homebrew(12, "room", "Night Shift", { subtype: "monster", damage: 1, treasure: { mage: 1, thief: 1 } }),
  homebrew(16, "miniboss", "Goblin Foreman", { text: ["Its room deals 1 more damage."] }),
  homebrew(17, "miniboss", "Frosty", { text: ["Its room deals 1 more damage."] }),
  homebrew(18, "miniboss", "Lucky", { text: ["Its room deals 1 more damage."] }),
  homebrew(19, "item", "Leaky Umbrella", { treasure: { thief: 1 }, text: ["This hero has +1 health."] }),
  homebrew(20, "item", "Rusty Helmet", { treasure: { fighter: 1 }, text: ["This hero has +1 health."] }),
  homebrew(21, "item", "Borrowed Ring", { treasure: { mage: 1 }, text: ["This hero has +1 health."] }),
  homebrew(13, "spell", "Second Thoughts", { phases: ["build"] }),
  homebrew(14, "spell", "Paperwork", { phases: ["adventure"] }),
  homebrew(15, "spell", "Echo", { phases: ["build", "adventure"] }),
];
