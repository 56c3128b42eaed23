/** What events do to coins, minibosses and items. */
import type { Card, GameEvent, Hero, Item, Player, Room, Table } from "../../gen/wire";

/** The table right after an event about them; nothing if the event is about something else. */
export function applyPieces(view: Table, event: GameEvent): Table | undefined {
  const { card } = event;
  switch (event.kind) {
    case "coins":
      return players(view, (p) => (p.seat === event.actor ? { ...p, coins: event.coins } : p));
    case "coins_on":
      return rooms(view, (room) =>
        room.card.id === card?.id ? { ...room, coins: event.coins, damage: event.damage } : room,
      );
    case "joins_room":
      return card && joined(view, card, event.room, event.level);
    case "level":
      return rooms(view, (room) =>
        room.miniboss && room.miniboss.card.id === card?.id
          ? { ...room, miniboss: { ...room.miniboss, level: event.level } }
          : room,
      );
    case "item_arrives": {
      if (!card) return undefined;
      const left = without(drawn(view, event), card);
      return { ...left, items: [...(left.items ?? []), card] };
    }
    case "carries":
      return (
        card &&
        heroes(without(view, card), (hero) =>
          hero.card.id === event.room?.id ? { ...hero, item: card, health: event.health } : hero,
        )
      );
    case "claims":
      return (
        card &&
        players(without(view, card), (p) =>
          p.seat === (event.to?.seat ?? event.actor)
            ? { ...p, items: [...(p.items ?? []), { card, facedown: !event.faceup }] }
            : p,
        )
      );
    case "turns_item": {
      const turned = (item: Item) =>
        item.card.id === card?.id ? { ...item, facedown: !event.faceup } : item;
      return players(view, (p) => (p.items ? { ...p, items: p.items.map(turned) } : p));
    }
    default:
      return undefined;
  }
}

/** One fewer in the deck it comes from. */
function drawn(view: Table, { from }: GameEvent): Table {
  const left = from && view.decks[from.zone];
  return left === undefined ? view : { ...view, decks: { ...view.decks, [from?.zone ?? ""]: left - 1 } };
}

/** Out of whatever stack it lies on, and with the room. */
function joined(view: Table, card: Card, host: Card | undefined, level: number): Table {
  return rooms(unhosted(view, card), (room) => {
    const [below, ...beneath] = room.beneath;
    const bare =
      room.card.id === card.id && below ? { ...room, card: below, beneath, facedown: false } : room;
    return bare.card.id === host?.id ? { ...bare, miniboss: { card, level, facedown: false } } : bare;
  });
}

/** A miniboss is with no room any more. */
export function unhosted(view: Table, card: Card): Table {
  return rooms(view, (room) => {
    if (room.miniboss?.card.id !== card.id) return room;
    const { miniboss: _, ...rest } = room;
    return rest;
  });
}

/** An item lies nowhere any more, and nobody carries it. */
export function without(view: Table, card: Card): Table {
  const others = (items: readonly Card[]) => items.filter(({ id }) => id !== card.id);
  const bare = heroes(view, (hero) => {
    if (hero.item?.id !== card.id) return hero;
    const { item: _, ...rest } = hero;
    return rest;
  });
  const cleared = players(bare, (p) =>
    p.items ? { ...p, items: p.items.filter((item) => item.card.id !== card.id) } : p,
  );
  return { ...cleared, ...(cleared.items && { items: others(cleared.items) }) };
}

function players(view: Table, change: (player: Player) => Player): Table {
  return { ...view, players: view.players.map(change) };
}

function rooms(view: Table, change: (room: Room) => Room): Table {
  return players(view, (p) => ({ ...p, dungeon: p.dungeon.map(change) }));
}

function heroes(view: Table, change: (hero: Hero) => Hero): Table {
  const moved = players(view, (p) => ({
    ...p,
    entrance: p.entrance.map(change),
    inside: p.inside.map(change),
  }));
  return { ...moved, town: moved.town.map(change) };
}
