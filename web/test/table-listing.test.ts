import { describe, expect, it } from "vitest";
import type { Choice, Room, Table } from "../src/gen/wire";
import { listing } from "../src/table/prompt/listing";
import { moments } from "./table-moments";

const room = (id: number): Room => ({
  card: { id, kind: "room", face: 1 },
  damage: 1,
  facedown: false,
  deactivated: false,
  beneath: [],
});
const pick = (id: number, words: string): Choice => ({
  kind: "pick",
  card: { id, kind: "room", face: 1 },
  words,
});
const whole = moments[0]?.update.view ?? expect.unreachable();
const view: Table = {
  ...whole,
  seat: 2,
  players: whole.players.slice(0, 2).map((player, i) => ({
    ...player,
    dungeon: i === 0 ? [room(901), room(902), room(903)] : [room(904), room(905)],
  })),
};

describe("the list of all answers", () => {
  it("lists the dungeons in order, yours first, and distinguishes equal rooms", () => {
    const legal: Choice[] = [
      { kind: "pass", words: "pass" },
      pick(903, "Minion 2's Hallway"),
      pick(905, "your Crypt"),
      pick(902, "Minion 2's Chapel"),
      pick(901, "Minion 2's Hallway"),
      pick(904, "your Altar"),
    ];
    expect(listing(legal, view)).toEqual([
      { index: 0, words: "pass" },
      { index: 5, words: "your Altar" },
      { index: 2, words: "your Crypt" },
      { index: 4, words: "Minion 2's Hallway", place: 1 },
      { index: 3, words: "Minion 2's Chapel" },
      { index: 1, words: "Minion 2's Hallway", place: 3 },
    ]);
  });

  it("leaves nothing out", () => {
    for (const { update } of moments) {
      if (!update.ask) continue;
      const { legal } = update.ask;
      const indices = listing(legal, update.view).map(({ index }) => index);
      expect(indices.sort((a, b) => a - b)).toEqual(legal.map((_, index) => index));
    }
  });
});
