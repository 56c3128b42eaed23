/** Moments of real games as a server sent them (`npm run moments`); `LAIR_MOMENTS` names another file. */
import { readFileSync } from "node:fs";
import type { CardText, Class, Table, Update } from "../src/gen/wire";

interface Moments {
  classes: Class[];
  cards: CardText[];
  moments: { before: Table; update: Update }[];
}

const file = process.env["LAIR_MOMENTS"] ?? "test/fixtures/moments.json";
const read = JSON.parse(readFileSync(file, "utf8")) as Moments;

export const { classes, moments } = read;
export const cards: ReadonlyMap<number, CardText> = new Map(read.cards.map((card) => [card.face, card]));

/** Every card that lies somewhere, by id; twice if it lies in two places. */
export function lying(view: Table): number[] {
  return [
    ...view.town.map((hero) => hero.card.id),
    // An ability waits for a room that lies in its dungeon.
    ...view.pending.filter(({ card }) => card.kind === "spell").map(({ card }) => card.id),
    ...view.players.flatMap((player) => [
      ...player.dungeon.map((room) => room.card.id),
      ...[...player.entrance, ...player.inside].map((hero) => hero.card.id),
      ...player.hand.cards.map((card) => card.id),
    ]),
  ];
}
