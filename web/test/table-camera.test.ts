import { describe, expect, it } from "vitest";
import { DEATHS, deathOf } from "../src/art/deaths";
import type { CardText, GameEvent, Hero, Player, Room, Table } from "../src/gen/wire";
import { LONGEST } from "../src/gen/pace";
import { Animator, PAN, plan } from "../src/table/stage/animate";
import { lookAt, restAt } from "../src/table/stage/camera";
import { deathIn } from "../src/table/stage/deaths";
import { cards as printed, moments } from "./table-moments";

const room = (id: number, face = id): Room => ({
  card: { id, kind: "room", face },
  damage: 1,
  facedown: false,
  deactivated: false,
  beneath: [],
});
const hero = (id: number, at?: number): Hero => ({
  card: { id, kind: "hero", face: id },
  health: 6,
  damage: 0,
  room: at,
});
const player = (seat: number, change: Partial<Player> = {}): Player => ({
  seat,
  playing: true,
  levelled: false,
  souls: 0,
  wounds: 0,
  soul_cards: [],
  wound_cards: [],
  treasure: {},
  dungeon: [room(seat * 10), room(seat * 10 + 1)],
  entrance: [],
  inside: [],
  hand: { rooms: 0, spells: 0, cards: [] },
  ...change,
});
const table = (players: Player[], change: Partial<Table> = {}): Table => ({
  seat: 1,
  turn: 3,
  phase: "adventure",
  order: players.map(({ seat }) => seat),
  players,
  town: [],
  pending: [],
  discard: [],
  decks: {},
  ...change,
});
const event = (kind: GameEvent["kind"], rest: object = {}) =>
  ({ kind, words: kind, ...rest }) as unknown as GameEvent;

/** A hero that enters a dungeon, takes damage in both rooms and dies in the second. */
function walk(seat: number, id: number): GameEvent[] {
  const card = hero(id).card;
  const [second, first] = [room(seat * 10).card, room(seat * 10 + 1).card];
  const inside = { zone: "inside", seat } as const;
  return [
    event("player_begins", { actor: seat }),
    event("enters_dungeon", { card, from: { zone: "entrance", seat }, to: inside }),
    event("enters", { card, room: first, from: inside, to: inside }),
    event("damaged", { card, room: first, amount: 3, taken: 3, health: 6 }),
    event("enters", { card, room: second, from: inside, to: inside }),
    event("damaged", { card, room: second, amount: 3, taken: 6, health: 6 }),
    event("dies", {
      card,
      room: second,
      souls: 1,
      from: inside,
      to: { zone: "scoring", seat, facedown: true, score: { souls: 1, wounds: 0 } },
    }),
  ];
}

const before = table([player(1), player(2, { entrance: [hero(50)] }), player(3, { entrance: [hero(60)] })]);
const after = table([player(1), player(2), player(3)]);
const none = new Map<number, CardText>();

describe("the camera", () => {
  const follow = { home: 1, from: undefined };

  it("visits each dungeon in which heroes walk, in turn, and comes home", () => {
    const events = [...walk(2, 50), ...walk(3, 60), event("phase_begins", { phase: "end" })];
    const steps = plan({ before, events, after, cards: none, follow });
    const seen = steps.map(({ camera }) => camera);
    expect(seen.filter((camera, i) => i === 0 || camera !== seen[i - 1])).toEqual([2, 3, undefined]);
    // It moves between events, never during one.
    const moves = steps.filter((step, i) => step.camera !== (i === 0 ? undefined : seen[i - 1]));
    expect(moves.map(({ events, ms }) => [events.length, ms])).toEqual([
      [0, PAN],
      [0, PAN],
      [0, PAN],
    ]);
    for (const { events, camera } of steps)
      for (const { kind, card } of events)
        if (kind === "damaged" || kind === "dies") expect(camera).toBe(card?.id === 50 ? 2 : 3);
  });

  it("stays at home for what happens there, and when it does not follow", () => {
    const mine = table([player(1, { entrance: [hero(50)] }), player(2)]);
    const home = plan({ before: mine, events: walk(1, 50), after, cards: none, follow });
    expect(home.every(({ camera }) => camera === undefined)).toBe(true);
    const still = plan({ before, events: walk(2, 50), after, cards: none });
    expect(still.every(({ camera }) => camera === undefined)).toBe(true);
  });

  it("goes where a room is destroyed, a boss levels up or a player is out, and stays for what follows from it", () => {
    const at = (what: GameEvent, from?: number) => lookAt(what, before, { home: 1, from });
    const card = room(20).card;
    expect(at(event("destroyed", { card, from: { zone: "dungeon", seat: 2 } }))).toBe(2);
    expect(at(event("levels_up", { actor: 3 }))).toBe(3);
    expect(at(event("eliminated", { player: 2 }))).toBe(2);
    expect(at(event("triggers", { card }), 2)).toBe(2);
    expect(at(event("draws", { actor: 1 }), 2)).toBe(2);
    expect(at(event("turn_begins", { turn: 4 }), 2)).toBe(undefined);
    expect(at(event("levels_up", { actor: 1 }), 2)).toBe(undefined);
  });

  it("waits at a walk that is not over, unless the viewer is asked about something else", () => {
    const inside = table([player(1), player(2, { inside: [hero(50, 21)] })]);
    expect(restAt(inside, 1)).toBe(2);
    expect(restAt(inside, 2)).toBe(undefined);
    expect(restAt(after, 1)).toBe(undefined);
    const events = walk(2, 50).slice(0, 4);
    const ends = (asked: boolean) =>
      plan({ before, events, after: inside, cards: none, follow: { ...follow, asked } }).at(-1)?.camera;
    expect([ends(false), ends(true)]).toEqual([2, undefined]);
  });

  it("never shows real events in the wrong dungeon", () => {
    for (const { before, update } of moments) {
      const home = update.view.seat ?? 1;
      const steps = plan({
        before,
        events: update.events,
        after: update.view,
        cards: printed,
        follow: { home, from: undefined },
      });
      for (const { events, camera, view } of steps)
        for (const { kind, room } of events) {
          if (kind !== "enters") continue;
          const owner = view.players.find(({ dungeon }) => dungeon.some(({ card }) => card.id === room?.id));
          expect(camera ?? home).toBe(owner?.seat);
        }
    }
  });

  it("shows an opponent's whole adventure in four seconds at normal speed", () => {
    const heroes = [50, 51, 52, 53];
    const crowd = table([player(1), player(2, { entrance: heroes.map((id) => hero(id)) })]);
    const times: number[] = [];
    const due: (() => void)[] = [];
    const animator = new Animator(
      { show: (_, ms) => times.push(ms), settle: () => undefined },
      { wait: (_, then) => (due.push(then), then) },
    );
    animator.home = 1;
    animator.jump(crowd);
    animator.push(
      heroes.flatMap((id) => walk(2, id)),
      after,
      none,
    );
    for (let then = due.shift(); then; then = due.shift()) then();
    const all = times.reduce((sum, ms) => sum + ms, 0);
    expect(all).toBeGreaterThan(LONGEST * 0.9);
    expect(all).toBeLessThanOrEqual(LONGEST + 1);
  });
});

describe("a death", () => {
  const named = (name: string, subtype: "monster" | "trap" = "trap"): CardText =>
    ({
      face: 7,
      name,
      kind: "room",
      subtype,
      treasure: { thief: 1 },
      text: [],
      set: "X",
      facts: "",
    }) as unknown as CardText;

  it.each([
    ["Bottomless Pit", "pit"],
    ["Spiked Corridor", "spikes"],
    ["Decapitation Room", "blade"],
    ["Boulder Ramp", "crush"],
    ["Dragon Hatchery", "fire"],
    ["Cave of Frost Bats", "ice"],
    ["Jelly Kitchen", "slime"],
    ["Dizzygas Hallway", "gas"],
    ["Mimic Vault", "bite"],
    ["Powder Store", "blast"],
    ["Witch's Den", "magic"],
    ["Haunted Library", "fright"],
  ] as const)("in %s is by %s", (name, death) => {
    expect(deathOf(named(name))).toBe(death);
  });

  it("is found for every room, by a name, by what stands there or by its subtype", () => {
    const rooms = [...printed.values()].filter(({ kind }) => kind === "room");
    const found = new Set(rooms.map(deathOf));
    expect(found.size).toBeGreaterThan(5);
    for (const one of found) expect(DEATHS).toContain(one);
    // Whatever it is called, a card gets the same death each time.
    expect(deathOf(named("Qx", "monster"))).toBe(deathOf(named("Qx", "monster")));
  });

  it("follows the room the hero stands in; a spell's is magic", () => {
    const pit = { ...named("Bottomless Pit"), face: 21 };
    const view = table([player(1), player(2, { inside: [hero(50, 21)] })]);
    const cards = new Map([[21, pit]]);
    const dies = { card: hero(50).card, souls: 1 };
    expect(deathIn(view, event("dies", dies), cards)).toBe("pit");
    expect(deathIn(view, event("dies", { ...dies, cause: { id: 1, kind: "spell" } }), cards)).toBe("magic");
  });
});
