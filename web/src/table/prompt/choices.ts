/**
 * Where on the board the possible answers are. An answer that has no place there is a button or a card in the picker.
 *
 * Invariant: every answer can be reached (`reachable` names them all).
 */
import type { Card, Choice, Errand, Player, Table } from "../../gen/wire";
import { itemsInTown, itemsOf, piecesOf } from "../board/pieces";
import { others, playerOf } from "../board/sums";
import { compare } from "../order";
import { cardKey, placeKey, playerKey, spaceKey, type Key } from "./keys";

export { cardKey, placeKey, playerKey, spaceKey, type Key } from "./keys";

export interface Build {
  index: number;
  card: Card;
  dungeon: number;
  place: number;
}

/** A card that lies nowhere in sight, with what can be done with it. */
export interface OffBoardCard {
  card: Card;
  indices: number[];
  /** What its name leaves out: whose it is. */
  note?: string;
}

export interface Choices {
  legal: readonly Choice[];
  pass?: number;
  /** Answers in words: yes, no, classes, alternatives. */
  buttons: number[];
  /** Cards in sight that are picked or used. */
  cards: Map<number, number[]>;
  players: Map<number, number[]>;
  /** Spaces of the town board. */
  spaces: Map<Key, number[]>;
  /** By the card that would be built. */
  builds: Map<number, Build[]>;
  offBoard: OffBoardCard[];
  /** Where each key is on the board: the number keys count in this order. */
  order: ReadonlyMap<Key, number>;
}

/** What can be done beside building: minibosses to promote, rooms that are worth a coin, rooms to take back. */
export interface Trades {
  promote: ReadonlySet<number>;
  sell: ReadonlySet<number>;
  takeBack: ReadonlySet<number>;
}

export const noTrades: Trades = { promote: new Set(), sell: new Set(), takeBack: new Set() };

export function tradesOf(legal: readonly Choice[]): Trades {
  const cards = (kind: "promote" | "sell" | "take_back") =>
    new Set(legal.flatMap((choice) => (choice.kind === kind ? [choice.card.id] : [])));
  return { promote: cards("promote"), sell: cards("sell"), takeBack: cards("take_back") };
}

/** No key. */
export const nothing: ReadonlySet<Key> = new Set();

export const noChoices: Choices = {
  legal: [],
  buttons: [],
  cards: new Map(),
  players: new Map(),
  spaces: new Map(),
  builds: new Map(),
  offBoard: [],
  order: new Map(),
};

const KIND_ORDER = { room: 0, miniboss: 1, spell: 2, boss: 3, hero: 4, epic: 5, item: 6 } as const;

/** A hand from left to right: rooms before spells, equal cards side by side. */
export function handOrder(cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) =>
    compare([KIND_ORDER[a.kind], a.face ?? 0, a.id], [KIND_ORDER[b.kind], b.face ?? 0, b.id]),
  );
}

const ERRANDS: readonly Errand[] = ["treasure", "service", "summon"];

/** Every key of the board: your hand, your dungeon, town and then the others, each from left to right. */
function orderOf(view: Table): Map<Key, number> {
  const me = playerOf(view, view.seat);
  const keys: Key[] = handOrder(me?.hand.cards ?? []).map(({ id }) => cardKey(id));
  const addPlayer = (player: Player) => {
    keys.push(playerKey(player.seat));
    for (const { card } of [...player.entrance, ...player.inside]) keys.push(cardKey(card.id));
    // The entrance is on the left, and places count from the boss.
    for (let place = player.dungeon.length; place >= 0; place -= 1) {
      keys.push(placeKey(player.seat, place));
      const room = player.dungeon[place];
      if (!room) continue;
      keys.push(cardKey(room.card.id));
      if (room.miniboss) keys.push(cardKey(room.miniboss.card.id));
    }
    if (player.boss) keys.push(cardKey(player.boss.id));
    for (const { card } of itemsOf(player)) keys.push(cardKey(card.id));
  };
  if (me) addPlayer(me);
  for (const { landmark, heroes } of view.board?.landmarks ?? []) {
    for (const errand of ERRANDS) keys.push(spaceKey({ landmark, errand }));
    for (const { card } of heroes) keys.push(cardKey(card.id));
  }
  for (const { card } of [...view.town, ...view.pending]) keys.push(cardKey(card.id));
  for (const { id } of view.board?.market ?? []) keys.push(cardKey(id));
  for (const card of itemsInTown(view)) keys.push(cardKey(card.id));
  others(view, view.seat).forEach(addPlayer);
  return new Map(keys.map((key, at) => [key, at]));
}

/** The ids of the cards a player sees lying on the board. */
export function inSight(view: Table): Set<number> {
  const seen = new Set<number>();
  const see = (card?: Card) => card && seen.add(card.id);
  view.town.forEach((hero) => {
    see(hero.card);
    see(hero.item);
  });
  itemsInTown(view).forEach(see);
  view.pending.forEach((pending) => see(pending.card));
  view.board?.market.forEach(see);
  view.board?.landmarks.forEach(({ heroes }) => heroes.forEach((hero) => see(hero.card)));
  for (const player of view.players) {
    see(player.boss);
    player.dungeon.forEach((room) => see(room.card));
    piecesOf(player).forEach(see);
    player.entrance.forEach((hero) => see(hero.card));
    player.inside.forEach((hero) => see(hero.card));
    if (player.seat === view.seat) player.hand.cards.forEach(see);
  }
  return seen;
}

export function choicesOf(legal: readonly Choice[], view: Table): Choices {
  const seen = inSight(view);
  const choices: Choices = {
    legal,
    buttons: [],
    cards: new Map(),
    players: new Map(),
    spaces: new Map(),
    builds: new Map(),
    offBoard: [],
    order: orderOf(view),
  };
  const offer = (card: Card, index: number) => {
    if (seen.has(card.id)) return void add(choices.cards, card.id, index);
    const there = choices.offBoard.find((other) => other.card.id === card.id);
    if (there) there.indices.push(index);
    else choices.offBoard.push({ card, indices: [index], note: legal[index]?.note });
  };
  legal.forEach((choice, index) => {
    switch (choice.kind) {
      case "pass":
        choices.pass = index;
        break;
      case "yes":
      case "no":
        choices.buttons.push(index);
        break;
      case "use":
      case "promote":
      case "sell":
      case "take_back":
        offer(choice.card, index);
        break;
      case "build": {
        const { card, dungeon, place } = choice;
        add(choices.builds, card.id, { index, card, dungeon, place });
        if (!seen.has(card.id) && !choices.offBoard.some((other) => other.card.id === card.id)) {
          choices.offBoard.push({ card, indices: [] });
        }
        break;
      }
      case "pick":
        if (choice.card) offer(choice.card, index);
        else if (choice.player !== undefined) add(choices.players, choice.player, index);
        else if (choice.space) add(choices.spaces, spaceKey(choice.space), index);
        else choices.buttons.push(index);
    }
  });
  return choices;
}

/** Every answer that can be given by a key, a button or the picker. */
export function reachable(choices: Choices): Set<number> {
  const found = new Set<number>(choices.buttons);
  if (choices.pass !== undefined) found.add(choices.pass);
  choices.cards.forEach((indices) => indices.forEach((index) => found.add(index)));
  choices.players.forEach((indices) => indices.forEach((index) => found.add(index)));
  choices.spaces.forEach((indices) => indices.forEach((index) => found.add(index)));
  choices.builds.forEach((builds) => builds.forEach(({ index }) => found.add(index)));
  choices.offBoard.forEach(({ indices }) => indices.forEach((index) => found.add(index)));
  return found;
}

/** What lights up; `building` is the card whose places are shown. */
export function lit(choices: Choices, building?: number): Set<Key> {
  const keys = new Set<Key>();
  choices.cards.forEach((_, id) => keys.add(cardKey(id)));
  choices.builds.forEach((_, id) => keys.add(cardKey(id)));
  choices.players.forEach((_, seat) => keys.add(playerKey(seat)));
  choices.spaces.forEach((_, key) => keys.add(key));
  for (const build of places(choices, building)) keys.add(placeKey(build.dungeon, build.place));
  return keys;
}

/**
 * What can be chosen next, in the order of the board; what lies only in the picker comes last. While a room is being
 * built, its places.
 */
export function targetsOf(choices: Choices, building?: number): Key[] {
  const keys =
    building === undefined
      ? [...lit(choices), ...choices.offBoard.map(({ card }) => cardKey(card.id))]
      : places(choices, building).map(({ dungeon, place }) => placeKey(dungeon, place));
  const at = (key: Key) => choices.order.get(key) ?? choices.order.size;
  return [...new Set(keys)].sort((a, b) => at(a) - at(b));
}

/** Where a card can be built. */
export function places(choices: Choices, card?: number): readonly Build[] {
  return card === undefined ? [] : (choices.builds.get(card) ?? []);
}

/** The answers behind a key. */
export function answersAt(choices: Choices, key: Key, building?: number): number[] {
  const [kind, a, b] = key.split(":");
  if (kind === "card") {
    const offBoard = choices.offBoard.find(({ card }) => card.id === Number(a));
    return choices.cards.get(Number(a)) ?? offBoard?.indices ?? [];
  }
  if (kind === "player") return choices.players.get(Number(a)) ?? [];
  if (kind === "space") return choices.spaces.get(key) ?? [];
  const here = (build: Build) => build.dungeon === Number(a) && build.place === Number(b);
  return places(choices, building)
    .filter(here)
    .map(({ index }) => index);
}

/** Where an answer is on the board, for showing a hint. */
export function keyOf(choice: Choice): Key | undefined {
  if ("card" in choice && choice.kind !== "pick") return cardKey(choice.card.id);
  if (choice.kind !== "pick") return undefined;
  if (choice.card) return cardKey(choice.card.id);
  if (choice.space) return spaceKey(choice.space);
  return choice.player === undefined ? undefined : playerKey(choice.player);
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
