import { describe, expect, it } from "vitest";
import type { Card, CardText, Choice, GameEvent, Kind, Player, Room, Table } from "../src/gen/wire";
import { hasCoins, lodgingOf, piecesOf } from "../src/table/board/pieces";
import { answersAt, cardKey, choicesOf, inSight, reachable, tradesOf } from "../src/table/prompt/choices";
import { plan } from "../src/table/stage/animate";
import { applyEvent } from "../src/table/stage/apply";

const card = (id: number, kind: Kind): Card => ({ id, kind, face: id });
const room = (id: number, more: Partial<Room> = {}): Room => ({
  card: card(id, "room"),
  damage: 2,
  facedown: false,
  deactivated: false,
  beneath: [],
  ...more,
});
const player = (seat: number, more: Partial<Player> = {}): Player => ({
  seat,
  playing: true,
  levelled: false,
  souls: 0,
  wounds: 0,
  soul_cards: [],
  wound_cards: [],
  treasure: {},
  dungeon: [],
  entrance: [],
  inside: [],
  hand: { rooms: 0, spells: 0, cards: [] },
  ...more,
});
const table = (one: Partial<Player>, more: Partial<Table> = {}): Table => ({
  seat: 1,
  turn: 1,
  phase: "build",
  order: [1, 2],
  players: [player(1, one), player(2)],
  town: [],
  pending: [],
  discard: [],
  decks: {},
  ...more,
});
const event = (kind: string, more: Record<string, unknown>): GameEvent =>
  ({ kind, words: "", ...more }) as unknown as GameEvent;
const none = new Map<number, CardText>();
const apply = (view: Table, ...events: GameEvent[]) =>
  events.reduce((now, each) => applyEvent(now, each, none), view);
const [spike, sword] = [card(50, "miniboss"), card(60, "item")];

describe("minibosses", () => {
  it("lie on their room until they show themselves, and are with it then", () => {
    const placed = room(50, { card: spike, facedown: true, beneath: [card(7, "room")] });
    expect(lodgingOf(placed)).toEqual({
      room: card(7, "room"),
      guest: { card: spike, level: 1, facedown: true },
    });
    const shown = apply(
      table({ dungeon: [placed], coins: 1 }),
      event("coins", { actor: 1, by: -1, coins: 0 }),
      event("joins_room", { actor: 1, card: spike, room: card(7, "room"), level: 1 }),
    );
    const [there] = shown.players[0]?.dungeon ?? [];
    expect(there?.card.id).toBe(7);
    expect(there?.beneath).toEqual([]);
    expect(there?.miniboss).toMatchObject({ card: spike, level: 1 });
    expect(shown.players[0]?.coins).toBe(0);
  });

  it("rise and fall by level, and leave with whatever takes them away", () => {
    const start = table({
      dungeon: [room(7, { miniboss: { card: spike, level: 1, facedown: false } as never })],
    });
    const up = apply(start, event("level", { card: spike, level: 2, up: true }));
    expect(up.players[0]?.dungeon[0]?.miniboss?.level).toBe(2);
    const gone = apply(
      up,
      event("discards", {
        card: spike,
        from: { zone: "attached", seat: 1 },
        to: { zone: "discard" },
      }),
    );
    expect(gone.players[0]?.dungeon[0]?.miniboss).toBeUndefined();
    expect(gone.discard).toEqual([spike]);
  });

  it("can be chosen where they are, promoted, and sold rooms are marked", () => {
    const view = table({
      dungeon: [room(7, { miniboss: { card: spike, level: 1, facedown: false } as never })],
      hand: { rooms: 1, spells: 0, cards: [card(8, "room")] },
    });
    const legal = [
      { kind: "pass", words: "pass" },
      { kind: "promote", words: "promote Spike", card: spike },
      { kind: "build", words: "build", card: card(8, "room"), dungeon: 1, place: 1 },
      { kind: "sell", words: "discard it for a coin", card: card(8, "room") },
    ] as unknown as Choice[];
    const choices = choicesOf(legal, view);
    expect(inSight(view).has(spike.id)).toBe(true);
    expect(answersAt(choices, cardKey(spike.id))).toEqual([1]);
    // What is sold could be built as well: the card offers both.
    expect(answersAt(choices, cardKey(8))).toEqual([3]);
    expect(choices.builds.has(8)).toBe(true);
    expect(reachable(choices).size).toBe(legal.length);
    expect([...tradesOf(legal).promote]).toEqual([spike.id]);
    expect([...tradesOf(legal).sell]).toEqual([8]);
  });
});

describe("items", () => {
  const hero = { card: card(70, "hero"), health: 4, damage: 0 };

  it("go from town to a hero, and from a hero to the boss", () => {
    const carried = apply(
      table({}, { town: [hero] }),
      event("item_arrives", { card: sword, from: { zone: "item_deck" }, to: { zone: "town" } }),
      event("carries", { card: sword, room: hero.card, health: 9 }),
    );
    expect(carried.town[0]).toMatchObject({ item: sword, health: 9 });
    const claimed = apply(carried, event("claims", { actor: 1, card: sword, faceup: true }));
    expect(claimed.town[0]?.item).toBeUndefined();
    expect(piecesOf(claimed.players[0] as Player)).toEqual([sword]);
    expect(inSight(claimed).has(sword.id)).toBe(true);
  });
});

describe("what is seen of it", () => {
  it("coins fly to the hoard, and out of it", () => {
    const view = table({ coins: 1 });
    const steps = (by: number) =>
      plan({
        before: view,
        events: [event("coins", { actor: 1, by, coins: 1 + by, cause: card(7, "room") })],
        after: view,
        cards: none,
      });
    expect(steps(2)[0]?.effects).toEqual([{ kind: "coin", card: 7, seat: 1, spot: "coins:1", text: "+2" }]);
    expect(steps(-1)[0]?.effects).toMatchObject([{ kind: "coin", from: "coins:1", goal: 7, text: "−1" }]);
  });

  it("a die rolls and lands on its face, and only then it is said which", () => {
    const view = table({});
    const [rolling, lies] = plan({
      before: view,
      events: [event("rolls", { actor: 1, sides: 6, face: 4, words: "You roll a 4." })],
      after: view,
      cards: none,
    });
    expect(rolling?.effects).toMatchObject([{ kind: "die", roll: { sides: 6, face: 4 } }]);
    expect(rolling?.events).toEqual([]);
    expect(lies?.events).toMatchObject([{ kind: "rolls", face: 4 }]);
    expect((rolling?.ms ?? 0) + (lies?.ms ?? 0)).toBeGreaterThan(1000);
    // It is seen until the next thing happens.
    expect((rolling?.ms ?? 0) * (rolling?.effects[0]?.longer ?? 1)).toBeGreaterThan(1000);
  });

  it("a purse is shown in games with coins only", () => {
    const text = (kind: Kind, line: string) => ({ kind, text: [line] }) as unknown as CardText;
    expect(hasCoins([text("room", "Draw a card.")])).toBe(false);
    expect(hasCoins([text("room", "Gain 2 coins.")])).toBe(true);
    expect(hasCoins([text("miniboss", "")])).toBe(true);
  });
});
