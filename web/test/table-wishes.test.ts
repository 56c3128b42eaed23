import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CardText, Table } from "../src/gen/wire";
import { armedIn, heroesOn, roomsOf } from "../src/table/arm/wishes";
import { HeldShift } from "../src/table/around/keys";

const cards = new Map(
  [
    [1, "Dark Altar"],
    [2, "Bottomless Pit"],
    [3, "Asmor"],
    [4, "Freeze"],
  ].map(([face, name]) => [face as number, { face, name } as CardText]),
);

const view = {
  seat: 1,
  order: [1, 2],
  town: [{ card: { id: 30, kind: "hero", face: 3 } }],
  players: [
    {
      seat: 2,
      dungeon: [{ card: { id: 20, kind: "room", face: 2 } }, { card: { id: 21, kind: "room" } }],
      inside: [],
      entrance: [],
      hand: { cards: [] },
    },
    {
      seat: 1,
      dungeon: [{ card: { id: 10, kind: "room", face: 1 } }],
      inside: [],
      entrance: [],
      hand: { cards: [{ id: 11, kind: "spell", face: 4 }] },
    },
  ],
} as unknown as Table;

describe("armed cards", () => {
  it("can wait for every room and hero in sight, your own rooms first", () => {
    expect(roomsOf(view, cards, ["Anna", "Ben"])).toEqual([
      { id: 10, name: "Dark Altar (yours)" },
      { id: 20, name: "Bottomless Pit (Ben)" },
    ]);
    expect(heroesOn(view, cards)).toEqual([{ id: 30, name: "Asmor" }]);
  });

  it("say what they wait for", () => {
    const you = {
      name: "Anna",
      host: true,
      away: false,
      stops: { windows: "concerning", answer_spells: true },
      armed: [
        { card: 11, when: { kind: "hero_survives", hero: 30 } },
        { card: 10, when: { kind: "hero_in_room", room: 99 } },
      ],
    } as const;
    const armed = armedIn({ you: { ...you, armed: [...you.armed] }, cards }, view);
    expect([...armed]).toEqual([
      [11, "when Asmor would survive"],
      [10, "when a hero is in that room"],
    ]);
  });
});

describe("the key that asks everywhere", () => {
  const told: boolean[] = [];
  let shift: HeldShift;
  const press = (key: string) => shift.down(new KeyboardEvent("keydown", { key }));
  beforeEach(() => {
    vi.useFakeTimers();
    told.length = 0;
    shift = new HeldShift((on) => told.push(on));
  });
  afterEach(() => void vi.useRealTimers());

  it("counts while Shift is held alone", () => {
    press("Shift");
    vi.advanceTimersByTime(300);
    expect(told).toEqual([true]);
    shift.up(new KeyboardEvent("keyup", { key: "Shift" }));
    expect(told).toEqual([true, false]);
  });

  it("ignores Shift with another key, and a short press", () => {
    press("Shift");
    press("Tab");
    vi.advanceTimersByTime(1_000);
    shift.end();
    press("Shift");
    vi.advanceTimersByTime(100);
    shift.up(new KeyboardEvent("keyup", { key: "Shift" }));
    vi.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
  });
});
