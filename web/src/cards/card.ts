/** The few things the client reads off a printed card. No rules here. */
import { CLASSES } from "../art/classes";
import { KIND_WORDS, type CardText, type Class, type Kind, type Subtype } from "../gen/wire";
import { words } from "../words";

/** In the order in which they are listed. */
export const KINDS = Object.keys(KIND_WORDS) as Kind[];
export const SUBTYPES = Object.keys(words.subtypes) as Subtype[];

/** The classes a card has treasure of (or, a hero, looks for), in the order of the game. */
export function classesOf(card: Pick<CardText, "treasure">): Class[] {
  return CLASSES.filter((of) => treasureOf(card, of) > 0);
}

/** The classes that occur among cards: one that no card has is not shown. */
export function classesIn(cards: Iterable<CardText>): Class[] {
  const all = [...cards];
  return CLASSES.filter((of) => all.some((card) => treasureOf(card, of) > 0));
}

/** The kinds that occur among cards. */
export function kindsIn(cards: Iterable<CardText>): Kind[] {
  const all = new Set([...cards].map(({ kind }) => kind));
  return KINDS.filter((kind) => all.has(kind));
}

export function treasureOf(card: Pick<CardText, "treasure">, of: Class): number {
  return card.treasure[of] ?? 0;
}

/** What its picture is drawn by. */
export function seedOf(card: Pick<CardText, "name" | "number">): string {
  return card.number ?? card.name;
}

/** A card of no set, for a picture. */
export function inventCard(kind: Kind, name: string, facts: Partial<CardText>): CardText {
  return {
    face: 0,
    number: "",
    name,
    kind,
    copies: 0,
    set: "",
    facts: "",
    text: [],
    treasure: {},
    ...facts,
  };
}

/** A card as one reads it out: its name, the line below it, and its text. */
export function spelledOut(card: CardText): string {
  return [`${card.name}.`, card.facts && `${card.facts}.`, ...card.text].filter(Boolean).join(" ");
}
