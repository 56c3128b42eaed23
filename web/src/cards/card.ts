/** What the server tells of a printed card, and the few things the client reads off it. No rules here. */
import { CLASSES, type Class } from "../art/palette";

export type Kind = "boss" | "room" | "spell" | "hero" | "epic";

export type TreasureCount = Partial<Record<Class, number>>;

export interface CardText {
  face: number;
  /** Collector number, e.g. "BMR015". */
  number: string;
  name: string;
  kind: Kind;
  copies: number;
  set: string;
  /** The line below the name. */
  facts: string;
  text: string[];
  rulings: string[];
  subtype?: string;
  advanced?: boolean;
  damage?: number;
  health?: number;
  souls?: number;
  xp?: number;
  phases?: string[];
  treasure: TreasureCount;
}

/** The classes a card has treasure of (or, a hero, looks for), in the order of the game. */
export function classesOf(card: CardText): Class[] {
  return CLASSES.filter((name) => (card.treasure[name] ?? 0) > 0);
}

/** A dark hero is told by its facts line alone. */
export function isDark(card: CardText): boolean {
  return card.kind === "hero" && /^dark\b/i.test(card.facts);
}

/** A room whose printed damage is an asterisk: what it deals is counted at the table. */
export function damageIsCounted(card: CardText): boolean {
  return /damage \*/.test(card.facts);
}

/** "Draculord, Hypnotic Vampire" is Draculord to friends. */
export function shortName(card: CardText): string {
  return card.kind === "room" || card.kind === "spell" ? card.name : (card.name.split(",")[0] ?? card.name);
}
