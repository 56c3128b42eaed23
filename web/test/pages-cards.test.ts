import { describe, expect, it } from "vitest";
import { findCard } from "../src/api/card";
import type { CardPage } from "../src/gen/wire";
import { ALL, isMatch, readFilter, setsOf, writeFilter, type Filter } from "../src/pages/cards/filter";
import { neighbour } from "../src/pages/cards/grid";

const none = { cleric: 0, fighter: 0, mage: 0, thief: 0 };
function card(facts: Partial<CardPage>): CardPage {
  return {
    face: 1,
    name: "X",
    kind: "room",
    copies: 1,
    set: "BMR",
    facts: "",
    text: [],
    rulings: [],
    provenance: "",
    source: "",
    treasure: none,
    ...facts,
  };
}
const cards = [
  card({
    face: 1,
    name: "King Croak, Sultan of the Sewers",
    short_name: "King Croak",
    number: "BMR003",
    kind: "boss",
    treasure: { ...none, fighter: 1 },
  }),
  card({
    face: 2,
    name: "Bottomless Pit",
    number: "BMR027",
    subtype: "trap",
    text: ["Destroy this room: kill a hero in it."],
    treasure: { ...none, thief: 1 },
  }),
  card({
    face: 3,
    name: "Beast Menagerie",
    number: "BMR019",
    subtype: "monster",
    advanced: true,
    treasure: { ...none, fighter: 1 },
  }),
  card({
    face: 4,
    name: "Witch’s Kitchen",
    number: "TNL001",
    set: "TNL",
    subtype: "monster",
    treasure: { ...none, mage: 1 },
  }),
  card({ face: 5, name: "Freeze", kind: "spell", phases: ["build"], rulings: ["Not on the boss."] }),
];
const names = (filter: Partial<Filter>) =>
  cards.filter((one) => isMatch(one, { ...ALL, ...filter })).map((one) => one.name);

describe("card filters", () => {
  it("work one by one and together", () => {
    expect(names({})).toHaveLength(5);
    expect(names({ kind: "spell" })).toEqual(["Freeze"]);
    expect(names({ class: "fighter" })).toEqual(["King Croak, Sultan of the Sewers", "Beast Menagerie"]);
    expect(names({ class: "fighter", rank: "advanced" })).toEqual(["Beast Menagerie"]);
    expect(names({ rank: "ordinary" })).toEqual(["Bottomless Pit", "Witch’s Kitchen"]);
    expect(names({ set: "TNL", subtype: "monster" })).toEqual(["Witch’s Kitchen"]);
    expect(names({ class: "explorer" })).toEqual([]);
  });

  it("find every word, in names, text, numbers and rulings", () => {
    expect(names({ text: "HERO  kill" })).toEqual(["Bottomless Pit"]);
    expect(names({ text: "bmr019" })).toEqual(["Beast Menagerie"]);
    expect(names({ text: "boss" })).toEqual(["Freeze"]);
    expect(names({ text: "witch's" })).toEqual(["Witch’s Kitchen"]);
    expect(names({ text: "kill nobody" })).toEqual([]);
  });

  it("can be shared as an address", () => {
    const filter: Filter = {
      text: "kill & take",
      set: "BMR",
      kind: "room",
      class: "thief",
      subtype: "trap",
      rank: "ordinary",
    };
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(writeFilter(ALL)).toBe("");
    expect(readFilter("?kind=dragon&class=")).toEqual(ALL);
  });

  it("list the sets in order", () => expect(setsOf(cards)).toEqual(["BMR", "TNL"]));
});

describe("a card", () => {
  it("is found by number, name or short name", () => {
    expect(findCard(cards, "bmr027")?.face).toBe(2);
    expect(findCard(cards, "Freeze")?.face).toBe(5);
    expect(findCard(cards, "king croak")?.face).toBe(1);
    expect(findCard(cards, "king")).toBeUndefined();
  });
});

describe("arrow keys", () => {
  const boxes = [0, 1, 2, 3, 4].map((i) => ({
    left: (i % 3) * 100,
    top: Math.floor(i / 3) * 200,
    width: 90,
  }));
  it("go to the neighbour on the screen", () => {
    expect(neighbour(boxes, 1, "ArrowDown")).toBe(4);
    expect(neighbour(boxes, 2, "ArrowDown")).toBe(4);
    expect(neighbour(boxes, 4, "ArrowUp")).toBe(1);
    expect(neighbour(boxes, 2, "ArrowRight")).toBe(3);
    expect(neighbour(boxes, 0, "End")).toBe(4);
  });
  it("stay put where there is no neighbour", () => {
    expect(neighbour(boxes, 0, "ArrowUp")).toBeUndefined();
    expect(neighbour(boxes, 0, "ArrowLeft")).toBeUndefined();
    expect(neighbour(boxes, 4, "ArrowRight")).toBeUndefined();
    expect(neighbour(boxes, 3, "ArrowDown")).toBeUndefined();
    expect(neighbour(boxes, -1, "ArrowRight")).toBeUndefined();
    expect(neighbour(boxes, 0, "a")).toBeUndefined();
  });
});
