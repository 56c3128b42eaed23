/** Armed cards: what they can wait for, and how that reads. */
import type { ArmedFor, Card, CardText, Table, Update, You } from "../../gen/wire";
import { words } from "../../words/table";
import { others, playerOf } from "../board/sums";

export interface Thing {
  id: number;
  name: string;
}

export function armableIn(update: Update | undefined): ReadonlySet<number> {
  return new Set(update?.armable);
}

/** What is armed, in words, by card. */
export function armedIn(
  { you, cards }: { you?: You; cards: ReadonlyMap<number, CardText> },
  view: Table | undefined,
): ReadonlyMap<number, string> {
  const name = (id: number) => nameIn(view, cards, id);
  return new Map(you?.armed?.map(({ card, when }) => [card, armedWords(when, name)]));
}

/** The name of a card on the table, if it can be seen. */
export function nameIn(
  view: Table | undefined,
  cards: ReadonlyMap<number, CardText>,
  id: number,
): string | undefined {
  const found = view && onTable(view).find((card) => card.id === id);
  return found?.face === undefined ? undefined : cards.get(found.face)?.name;
}

/** What an armed card waits for. */
export function armedWords(when: ArmedFor, name: (id: number) => string | undefined): string {
  switch (when.kind) {
    case "next_chance":
      return words.arm.nextChance;
    case "hero_in_room":
      return words.arm.heroIn(name(when.room) ?? words.arm.thatRoom);
    case "hero_survives":
      return words.arm.survives(name(when.hero) ?? words.arm.thatHero);
  }
}

/** The rooms a hero could be in: yours first, each dungeon in the order of a walk. */
export function roomsOf(
  view: Table,
  cards: ReadonlyMap<number, CardText>,
  names: readonly string[],
): Thing[] {
  const me = playerOf(view, view.seat);
  return [...(me ? [me] : []), ...others(view, view.seat)].flatMap((player) =>
    [...player.dungeon].reverse().flatMap(({ card }) => {
      const name = card.face === undefined ? undefined : cards.get(card.face)?.name;
      const whose = player.seat === view.seat ? words.arm.yours : (names[player.seat - 1] ?? "");
      return name ? [{ id: card.id, name: `${name} (${whose})` }] : [];
    }),
  );
}

/** The heroes who may still walk: those at a dungeon first. */
export function heroesOn(view: Table, cards: ReadonlyMap<number, CardText>): Thing[] {
  const there = view.players.flatMap(({ inside, entrance }) => [...inside, ...entrance]);
  return [...there, ...view.town].flatMap(({ card }) => {
    const name = card.face === undefined ? undefined : cards.get(card.face)?.name;
    return name ? [{ id: card.id, name }] : [];
  });
}

function onTable(view: Table): Card[] {
  const of = (heroes: readonly { card: Card }[]) => heroes.map(({ card }) => card);
  return [
    ...of(view.town),
    ...view.players.flatMap((player) => [
      ...of(player.inside),
      ...of(player.entrance),
      ...of(player.dungeon),
      ...player.hand.cards,
      ...(player.boss ? [player.boss] : []),
    ]),
  ];
}
