/** How the hero of an event dies. */
import { deathOf, type Death } from "../../art/deaths";
import type { CardText, GameEvent, Table } from "../../gen/wire";

/** The death of an event: by the room the hero is in, or by the spell that kills it. */
export function deathIn(view: Table, event: GameEvent, cards: ReadonlyMap<number, CardText>): Death {
  if (event.cause?.kind === "spell") return "magic";
  const id = event.room?.id ?? heroRoom(view, event.card?.id);
  const room = view.players.flatMap(({ dungeon }) => dungeon).find(({ card }) => card.id === id);
  const face =
    room?.card.face ?? event.room?.face ?? (event.cause?.kind === "room" ? event.cause.face : undefined);
  const card = face === undefined ? undefined : cards.get(face);
  return card ? deathOf(card) : "club";
}

function heroRoom(view: Table, hero: number | undefined): number | undefined {
  return view.players.flatMap(({ inside }) => inside).find(({ card }) => card.id === hero)?.room;
}
