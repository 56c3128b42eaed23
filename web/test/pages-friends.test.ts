import { beforeEach, describe, expect, test } from "vitest";
import type { Occupant, TableInfo } from "../src/gen/wire";
import { forFriends, remember, USUAL } from "../src/pages/play/table";
import { readiness } from "../src/table/lobby/ready";

const person: Occupant = {
  kind: "person",
  name: "Anna",
  connected: true,
  host: true,
  away: false,
  resigned: false,
};
const bot: Occupant = { kind: "bot", level: "boss", name: "Boss" };

function table(...who: (Occupant | undefined)[]): TableInfo {
  return {
    id: "t",
    settings: { ...USUAL, players: who.length },
    own_deck: false,
    state: "open",
    seats: who.map((each, at) => ({ seat: at + 1, ...(each && { who: each }) })),
    spectators: 0,
    commitment: "",
    turn: 0,
  };
}

describe("what one click does before a game", () => {
  test("alone, it fills the seats with bots", () => {
    expect(readiness(table(person, undefined, undefined))).toMatchObject({ first: "bots", free: [2, 3] });
  });
  test("with company, it starts with those who are there; bots are the other way", () => {
    const found = readiness(table(person, undefined, person));
    expect(found).toMatchObject({ first: "without", other: "bots", people: 2, free: [2] });
    expect(readiness(table(person, bot, undefined))).toMatchObject({ first: "without", bots: 1 });
  });
  test("with every seat taken, it just starts", () => {
    expect(readiness(table(person, bot))).toMatchObject({ first: "start", free: [] });
  });
});

describe("a table for friends", () => {
  beforeEach(() => localStorage.clear());
  test("is for four with the usual deck, or as its host left it", () => {
    expect(forFriends()).toEqual({ ...USUAL, players: 4 });
    remember("settings", { ...USUAL, players: 3, listed: true });
    expect(forFriends()).toMatchObject({ players: 3, listed: true });
  });
  test("takes the deck that was chosen, and no more players than it is for", () => {
    remember("settings", { ...USUAL, players: 6 });
    expect(forFriends({ name: "tnl", most: 4 })).toMatchObject({ deck: "tnl", players: 4 });
    expect(forFriends({ name: "mine", most: 4, text: "deck Mine" }).deck_text).toBe("deck Mine");
  });
});
