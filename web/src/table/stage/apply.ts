/**
 * The table right after an event, for showing. The event says which card went from where to where and what it counts;
 * the update that follows replaces whatever stands here.
 */
import type {
  Board,
  Card,
  CardText,
  GameEvent,
  Hero,
  Player,
  Room,
  Table,
  Where,
  Zone,
} from "../../gen/wire";
import { applyPieces, unhosted, without } from "./apply-pieces";

/** As events count them. */
const LANDMARKS = ["temple", "stadium", "library", "hideout", "launchpad", "tavern"] as const;

type Cards = ReadonlyMap<number, CardText>;

export function applyEvent(view: Table, event: GameEvent, cards: Cards): Table {
  const pieces = applyPieces(view, event);
  if (pieces) return pieces;
  const { card, room } = event;
  switch (event.kind) {
    case "turn_begins":
      return { ...view, turn: event.turn };
    case "phase_begins":
      return { ...view, phase: event.phase };
    case "player_begins":
      return { ...view, active: event.actor };
    case "mulligan":
      return player(
        deckChange(view, { room_deck: event.rooms, spell_deck: event.spells }),
        event.actor,
        (p) => ({
          ...p,
          hand: { rooms: 0, spells: 0, cards: [] },
        }),
      );
    case "reshuffled":
      return { ...deckChange(view, { room_deck: event.rooms, spell_deck: event.spells }), discard: [] };
    case "levels_up":
      return player(view, event.actor, (p) => ({ ...p, levelled: true }));
    case "copies":
      return player(view, event.actor, (p) => ({ ...p, copied: card?.face }));
    case "eliminated":
      return player(view, event.player, (p) => ({ ...p, playing: false }));
    case "waits":
      return {
        ...view,
        pending: view.pending.map((p) => (p.card.id === card?.id ? { ...p, waiting: true } : p)),
      };
    case "deactivated":
    case "reactivated":
      return changeRoom(view, card, (r) => ({ ...r, deactivated: event.kind === "deactivated" }));
    case "counters":
      return changeRoom(view, card, (r) => ({ ...r, counters: event.counters, damage: event.damage }));
    case "reveals":
      return changeRoom(view, card, (r) => ({
        ...r,
        card: card ?? r.card,
        facedown: false,
        damage: event.damage,
      }));
    case "points_change":
      return player(view, event.player, (p) => ({ ...p, ...event.from?.score }));
    case "swapped":
      return swapped(view, card, room);
    case "damaged":
      return changeHero(view, card, (h) => ({ ...h, damage: event.taken, health: event.health }));
    case "health_changes":
      return changeHero(view, card, (h) => ({ ...h, health: event.health }));
    case "damage_changes":
      return changeRoom(view, card, (r) => ({ ...r, damage: event.damage }));
    case "sends_minion":
      return board(view, (b) => ({
        ...b,
        minions: [
          ...b.minions.filter(({ seat }) => seat !== event.actor),
          {
            seat: event.actor ?? 0,
            ...(event.space ? { space: event.space } : { card: card?.id }),
          },
        ],
      }));
    case "minions_return":
      return board(view, (b) => ({ ...b, minions: [] }));
    case "gets_token":
      return changeHero(view, card, (h) => ({ ...h, token: event.token, health: event.health }));
    case "becomes_first":
      return board(view, (b) => ({ ...b, first: event.player ?? b.first }));
    case "recovers":
      return changeHero(view, card, (h) => ({ ...h, damage: 0 }));
    default:
      return card && event.from && event.to ? moved(view, card, event, cards) : view;
  }
}

/** Takes the card from where it was and puts it where it is. */
function moved(view: Table, card: Card, event: GameEvent, cards: Cards): Table {
  const { from, to } = event;
  if (!from || !to) return view;
  const left = taken(loose(view, card), card, from);
  switch (to.zone) {
    case "discard":
      return { ...left, discard: [...left.discard, card] };
    case "pending": {
      const declared = {
        card,
        by: event.actor ?? 0,
        waiting: false,
        cancelled: false,
        cards: [],
        players: [],
      };
      return { ...left, pending: [...left.pending, declared] };
    }
    case "market":
      return board(left, (b) => ({ ...b, market: [...b.market, card] }));
    case "landmark":
      return board(left, (b) => ({
        ...b,
        landmarks: b.landmarks.map((site) =>
          site.landmark === LANDMARKS[to.slot ?? -1]
            ? { ...site, heroes: [...site.heroes, heroOf(view, card, event, cards)] }
            : site,
        ),
      }));
    case "town_items":
    case "town":
      if (card.kind === "item") return { ...left, items: [...(left.items ?? []), card] };
      return { ...left, town: [...left.town, heroOf(view, card, event, cards)] };
    case "entrance":
    case "inside": {
      const hero = { ...heroOf(view, card, event, cards), room: event.room?.id };
      return player(left, to.seat, (p) => ({ ...p, [to.zone]: [...p[to.zone as "inside"], hero] }));
    }
    case "scoring":
      return player(left, to.seat, (p) => ({
        ...p,
        ...to.score,
        ...scored(p, card, to.facedown ?? false),
      }));
    case "boss":
      return player(left, to.seat, (p) => ({ ...p, boss: card }));
    case "dungeon":
      return player(left, to.seat, (p) => ({ ...p, dungeon: built(p.dungeon, card, event, cards) }));
    default:
      return counted(left, card, to, 1);
  }
}

/** An item or a miniboss, away from whatever it was with. */
function loose(view: Table, card: Card): Table {
  if (card.kind === "item") return without(view, card);
  return card.kind === "miniboss" ? unhosted(view, card) : view;
}

/** Heroes count there, as souls or as wounds; a spell lies there with its rules. */
function scored(p: Player, card: Card, facedown: boolean): Partial<Player> {
  if (card.kind === "item") return { items: [...(p.items ?? []), { card, facedown }] };
  if (card.kind === "spell") return { laid_spells: [...(p.laid_spells ?? []), card] };
  return facedown ? { soul_cards: [...p.soul_cards, card] } : { wound_cards: [...p.wound_cards, card] };
}

function taken(view: Table, card: Card, from: Where): Table {
  const others = (list: readonly Card[]) => list.filter(({ id }) => id !== card.id);
  const heroes = (list: readonly Hero[]) => list.filter((hero) => hero.card.id !== card.id);
  switch (from.zone) {
    case "discard":
      return { ...view, discard: others(view.discard) };
    case "pending":
      return { ...view, pending: view.pending.filter((p) => p.card.id !== card.id) };
    case "market":
      return board(view, (b) => ({ ...b, market: others(b.market) }));
    case "landmark":
      return board(view, (b) => ({
        ...b,
        landmarks: b.landmarks.map((site) => ({ ...site, heroes: heroes(site.heroes) })),
      }));
    case "town":
      return { ...view, town: heroes(view.town) };
    case "entrance":
      return player(view, from.seat, (p) => ({ ...p, entrance: heroes(p.entrance) }));
    case "inside":
      return player(view, from.seat, (p) => ({ ...p, inside: heroes(p.inside) }));
    case "scoring":
      return player(view, from.seat, (p) => ({
        ...p,
        ...(p.laid_spells && { laid_spells: others(p.laid_spells) }),
        soul_cards: others(p.soul_cards),
        wound_cards: others(p.wound_cards),
      }));
    case "boss":
      return player(view, from.seat, (p) => ({ ...p, boss: undefined }));
    case "dungeon":
      return player(view, from.seat, (p) => ({
        ...p,
        dungeon: p.dungeon.flatMap((room) => uncovered(room, card)),
      }));
    default:
      return counted(view, card, from, -1);
  }
}

/** One card more or less in a hand or a deck, where the cards themselves may be hidden. */
function counted(view: Table, card: Card, at: Where, by: 1 | -1): Table {
  if (at.zone !== "hand") return deckChange(view, { [at.zone]: by });
  return player(view, at.seat, ({ hand, ...p }) => {
    const held = hand.cards.filter(({ id }) => id !== card.id);
    const cards = by > 0 && card.face !== undefined ? [...held, card] : held;
    const spell = card.kind === "spell";
    return {
      ...p,
      hand: { cards, rooms: hand.rooms + (spell ? 0 : by), spells: hand.spells + (spell ? by : 0) },
    };
  });
}

/** Decks with more or fewer cards; a zone that is not a deck of this game stays out. */
function deckChange(view: Table, by: Table["decks"]): Table {
  const decks = { ...view.decks };
  for (const [zone, more] of Object.entries(by) as [Zone, number][]) {
    const left = decks[zone];
    if (left !== undefined) decks[zone] = left + more;
  }
  return { ...view, decks };
}

function built(dungeon: readonly Room[], card: Card, event: GameEvent, cards: Cards): Room[] {
  const slot = event.to?.slot ?? dungeon.length;
  const below = dungeon[slot];
  const printed = cards.get(card.face ?? -1)?.damage ?? 0;
  const room: Room = {
    card,
    damage: "damage" in event ? event.damage : printed,
    facedown: event.to?.facedown ?? false,
    deactivated: false,
    beneath: below ? [below.card, ...below.beneath] : [],
  };
  return below ? dungeon.map((each, at) => (at === slot ? room : each)) : [...dungeon, room];
}

function uncovered(room: Room, card: Card): Room[] {
  if (room.card.id !== card.id)
    return [{ ...room, beneath: room.beneath.filter(({ id }) => id !== card.id) }];
  const [next, ...beneath] = room.beneath;
  return next ? [{ card: next, damage: room.damage, facedown: false, deactivated: false, beneath }] : [];
}

function swapped(view: Table, a: Card | undefined, b: Card | undefined): Table {
  const all = view.players.flatMap((p) => p.dungeon);
  const [first, second] = [a, b].map((card) => all.find((room) => room.card.id === card?.id));
  if (!first || !second) return view;
  const other = (room: Room) => (room === first ? second : room === second ? first : room);
  return { ...view, players: view.players.map((p) => ({ ...p, dungeon: p.dungeon.map(other) })) };
}

/** The hero as it was, on its way; from a deck, as it is printed. */
function heroOf(view: Table, card: Card, event: GameEvent, cards: Cards): Hero {
  const all = [
    ...view.town,
    ...(view.board?.landmarks.flatMap((site) => site.heroes) ?? []),
    ...view.players.flatMap((p) => [...p.entrance, ...p.inside]),
  ];
  const known = all.find((hero) => hero.card.id === card.id);
  if (known) return { ...known, lured_to: undefined, room: undefined };
  const printed = cards.get(card.face ?? -1)?.health ?? 0;
  return { card, health: "health" in event ? event.health : printed, damage: 0 };
}

function board(view: Table, change: (board: Board) => Board): Table {
  return view.board ? { ...view, board: change(view.board) } : view;
}

function player(view: Table, seat: number | undefined, change: (player: Player) => Player): Table {
  return { ...view, players: view.players.map((each) => (each.seat === seat ? change(each) : each)) };
}

function changeRoom(view: Table, card: Card | undefined, change: (room: Room) => Room): Table {
  const changed = (room: Room) => (room.card.id === card?.id ? change(room) : room);
  return { ...view, players: view.players.map((p) => ({ ...p, dungeon: p.dungeon.map(changed) })) };
}

function changeHero(view: Table, card: Card | undefined, change: (hero: Hero) => Hero): Table {
  const changed = (hero: Hero) => (hero.card.id === card?.id ? change(hero) : hero);
  const players = view.players.map((p) => ({
    ...p,
    entrance: p.entrance.map(changed),
    inside: p.inside.map(changed),
  }));
  return { ...view, town: view.town.map(changed), players };
}
