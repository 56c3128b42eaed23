/**
 * The table between two updates: an event moves a card from where it lay to where it goes, so that it can be seen
 * moving. Only for showing; the update that comes after is the truth and replaces whatever stands here.
 */
import type { Card, CardText, Happening, Hero, Player, Room, Table } from "../gen/wire";

export interface Known {
  cards: ReadonlyMap<number, CardText>;
  /** The table when all is done: what is not told by an event is read from there. */
  after: Table;
}

export function stage(view: Table, event: Happening, known: Known): Table {
  switch (event.kind) {
    case "turn_begins":
      return { ...view, turn: event.turn };
    case "phase_begins":
      return { ...view, phase: event.phase };
    case "active":
      return { ...view, active: event.seat };
    case "boss_chosen":
      return player(view, event.seat, (p) => ({ ...p, boss: event.card }));
    case "mulligan":
      return player(view, event.seat, (p) => ({ ...p, hand: { rooms: 0, spells: 0, cards: [] } }));
    case "arrives":
      return { ...view, town: [...without(view.town, event.card), heroFor(event.card, view, known)] };
    case "draws":
      return drawn(view, event.seat, event.card);
    case "takes":
      return drawn(taken(view, event.card), event.seat, event.card, false);
    case "places":
      return built(taken(view, event.card), event.dungeon, event.place, roomFor(event.card, known, true));
    case "builds":
      return built(taken(view, event.card), event.seat, event.place, roomFor(event.card, known, false));
    case "reveals":
      return room(view, event.card, () => roomFor(event.card, known, false));
    case "levels_up":
      return player(view, event.seat, (p) => ({ ...p, levelled: true }));
    case "uses":
      return event.card.kind === "spell" ? declared(view, event.seat, event.card) : view;
    case "cancelled":
      return {
        ...view,
        pending: view.pending.map((p) => (p.card.id === event.card.id ? { ...p, cancelled: true } : p)),
      };
    case "discards":
    case "destroyed": {
      const left = taken(view, event.card);
      return { ...left, discard: [...left.discard, event.card] };
    }
    case "removed":
      return taken(view, event.card);
    case "deactivated":
    case "upright":
      return room(view, event.card, (r) => ({ ...r, deactivated: event.kind === "deactivated" }));
    case "swapped":
      return swapped(view, event.card, event.other);
    case "healed": {
      const left = taken(view, event.card);
      return player(left, event.seat, (p) => ({ ...p, wounds: p.wounds - soulsOf(event.card, known) }));
    }
    case "lured":
      return goes(view, event.card, "entrance", event.seat, known);
    case "hero_goes":
      return goes(view, event.card, event.at.place, event.at.seat, known);
    case "enters":
      return entered(view, event.card, event.room, known);
    case "damaged":
      return hero(view, event.card, (h) => ({ ...h, damage: h.damage + event.amount }));
    case "recovers":
      return hero(view, event.card, (h) => ({ ...h, damage: 0 }));
    case "dies":
      return player(taken(view, event.card), event.seat, (p) => ({
        ...p,
        souls: p.souls + soulsOf(event.card, known),
        soul_cards: [...p.soul_cards, event.card],
      }));
    case "wounds":
      return player(taken(view, event.card), event.seat, (p) => ({
        ...p,
        wounds: p.wounds + soulsOf(event.card, known),
        wound_cards: [...p.wound_cards, event.card],
      }));
    case "eliminated":
      return player(view, event.seat, (p) => ({ ...p, playing: false }));
    default:
      return view;
  }
}

/** Whose dungeon a room is in. */
export function ownerOf(view: Table, id: number): number | undefined {
  const holds = (p: Player) =>
    p.dungeon.some((each) => each.card.id === id || each.beneath.some((card) => card.id === id));
  return view.players.find(holds)?.seat;
}

function playerIn(view: Table, seat: number): Player | undefined {
  return view.players.find((each) => each.seat === seat);
}

function player(view: Table, seat: number, change: (player: Player) => Player): Table {
  return { ...view, players: view.players.map((each) => (each.seat === seat ? change(each) : each)) };
}

function room(view: Table, card: Card, change: (room: Room) => Room): Table {
  const changed = (each: Room) =>
    each.card.id === card.id ? { ...change(each), beneath: each.beneath } : each;
  return { ...view, players: view.players.map((p) => ({ ...p, dungeon: p.dungeon.map(changed) })) };
}

function hero(view: Table, card: Card, change: (hero: Hero) => Hero): Table {
  const changed = (each: Hero) => (each.card.id === card.id ? change(each) : each);
  const players = view.players.map((p) => ({
    ...p,
    entrance: p.entrance.map(changed),
    inside: p.inside.map(changed),
  }));
  return { ...view, town: view.town.map(changed), players };
}

/** The table without the card, wherever it was. */
function taken(view: Table, card: Card): Table {
  const other = (each: Card) => each.id !== card.id;
  const players = view.players.map((p): Player => {
    const held = p.hand.cards.some((each) => each.id === card.id);
    return {
      ...p,
      boss: p.boss?.id === card.id ? undefined : p.boss,
      dungeon: p.dungeon.flatMap((each) => uncovered(each, card)),
      entrance: without(p.entrance, card),
      inside: without(p.inside, card),
      soul_cards: p.soul_cards.filter(other),
      wound_cards: p.wound_cards.filter(other),
      hand: held
        ? {
            rooms: p.hand.rooms - (card.kind === "room" ? 1 : 0),
            spells: p.hand.spells - (card.kind === "spell" ? 1 : 0),
            cards: p.hand.cards.filter(other),
          }
        : p.hand,
    };
  });
  return {
    ...view,
    players,
    town: without(view.town, card),
    pending: view.pending.filter((each) => each.card.id !== card.id),
    discard: view.discard.filter(other),
  };
}

function without(heroes: readonly Hero[], card: Card): Hero[] {
  return heroes.filter((each) => each.card.id !== card.id);
}

function uncovered(each: Room, card: Card): Room[] {
  if (each.card.id !== card.id)
    return [{ ...each, beneath: each.beneath.filter((under) => under.id !== card.id) }];
  const [next, ...beneath] = each.beneath;
  return next ? [{ card: next, damage: each.damage, facedown: false, deactivated: false, beneath }] : [];
}

function drawn(view: Table, seat: number, card: Card, fromDeck = true): Table {
  const { decks } = view;
  const next = player(view, seat, (p) => ({
    ...p,
    hand: {
      rooms: p.hand.rooms + (card.kind === "room" ? 1 : 0),
      spells: p.hand.spells + (card.kind === "spell" ? 1 : 0),
      cards:
        card.face === undefined
          ? p.hand.cards
          : [...p.hand.cards.filter((held) => held.id !== card.id), card],
    },
  }));
  if (!fromDeck) return next;
  const less = {
    rooms: decks.rooms - (card.kind === "room" ? 1 : 0),
    spells: decks.spells - (card.kind === "spell" ? 1 : 0),
  };
  return { ...next, decks: { ...decks, ...less } };
}

function built(view: Table, seat: number, place: number, top: Room): Table {
  return player(view, seat, (p) => {
    const below = p.dungeon[place];
    if (!below) return { ...p, dungeon: [...p.dungeon, top] };
    const beneath = [below.card, ...below.beneath];
    return { ...p, dungeon: p.dungeon.map((each, at) => (at === place ? { ...top, beneath } : each)) };
  });
}

function swapped(view: Table, a: Card, b: Card): Table {
  const all = view.players.flatMap((p) => p.dungeon);
  const [first, second] = [a, b].map((card) => all.find((each) => each.card.id === card.id));
  if (!first || !second) return view;
  const other = (each: Room) => (each === first ? second : each === second ? first : each);
  return { ...view, players: view.players.map((p) => ({ ...p, dungeon: p.dungeon.map(other) })) };
}

function declared(view: Table, by: number, card: Card): Table {
  const left = taken(view, card);
  const pending = { card, by, waiting: false, cancelled: false, cards: [], players: [] };
  const owner = playerIn(left, by);
  const hidden = owner && playerIn(view, by)?.hand === owner.hand;
  const next = hidden
    ? player(left, by, (p) => ({ ...p, hand: { ...p.hand, spells: Math.max(0, p.hand.spells - 1) } }))
    : left;
  return { ...next, pending: [...next.pending, pending] };
}

function goes(view: Table, card: Card, place: string, seat: number | undefined, known: Known): Table {
  const who = { ...heroFor(card, view, known), room: undefined };
  const left = taken(view, card);
  if (place === "town") return { ...left, town: [...left.town, who] };
  if (seat === undefined) return left;
  if (place === "entrance") return player(left, seat, (p) => ({ ...p, entrance: [...p.entrance, who] }));
  if (place === "inside") return player(left, seat, (p) => ({ ...p, inside: [...p.inside, who] }));
  return left;
}

function entered(view: Table, card: Card, into: Card, known: Known): Table {
  const seat = ownerOf(view, into.id) ?? view.active;
  if (seat === undefined) return view;
  const who = { ...heroFor(card, view, known), room: into.id };
  return player(taken(view, card), seat, (p) => ({ ...p, inside: [...p.inside, who] }));
}

function heroFor(card: Card, view: Table, known: Known): Hero {
  const there = findHero(view, card.id);
  if (there) return { ...there, lured_to: undefined };
  const later = findHero(known.after, card.id);
  const text = card.face === undefined ? undefined : known.cards.get(card.face);
  return {
    card,
    health: later?.health ?? text?.health ?? 0,
    damage: 0,
    lured_to: later?.lured_to,
    forecast: later?.forecast,
  };
}

function findHero(view: Table, id: number): Hero | undefined {
  const all = [...view.town, ...view.players.flatMap((p) => [...p.entrance, ...p.inside])];
  return all.find((each) => each.card.id === id);
}

function roomFor(card: Card, known: Known, facedown: boolean): Room {
  const later = known.after.players.flatMap((p) => p.dungeon).find((each) => each.card.id === card.id);
  const text = card.face === undefined ? undefined : known.cards.get(card.face);
  const damage = later?.damage ?? text?.damage ?? 0;
  return { card, damage, facedown, deactivated: false, beneath: [] };
}

function soulsOf(card: Card, known: Known): number {
  return (card.face === undefined ? undefined : known.cards.get(card.face)?.souls) ?? 1;
}
