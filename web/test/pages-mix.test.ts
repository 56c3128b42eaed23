import { describe, expect, it } from "vitest";
import type { BoxInfo, MixInfo, MixTable } from "../src/gen/wire";
import { nearest, rulesOf, same, tilesOf, withHeroes } from "../src/pages/decks/mix";

const box = (code: string, base = false): BoxInfo => ({
  code,
  title: code,
  base,
  cards: 10,
  house: false,
  lid: "",
});
const table = (ruleset: string, players: number, why_not?: string): MixTable => ({
  ruleset,
  players,
  variants: [],
  ...(why_not !== undefined && { why_not }),
});
const mix: MixInfo = {
  name: "bmr+tnl+crl",
  title: "",
  notes: [],
  text: "",
  boxes: ["BMR", "TNL", "CRL"],
  brings: [],
  steps: [
    { code: "BMR", name: "tnl+crl", changes: [] },
    { code: "VOV", name: "bmr+tnl+crl+vov", changes: ["+ Coins"] },
  ],
  tables: [
    table("classic", 2),
    table("classic", 5, "so many need two boxes"),
    table("classic", 6, "so many need two boxes"),
    table("crash", 5),
  ],
};

describe("a mix of boxes", () => {
  it("has tiles for base games and expansions, with what a click does", () => {
    const { bases, others } = tilesOf([box("BMR", true), box("TNL", true), box("VOV")], mix);
    expect(bases.map(({ chosen, heroes }) => [chosen, heroes])).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(others.map(({ chosen, step }) => [chosen, step?.name])).toEqual([[false, "bmr+tnl+crl+vov"]]);
  });

  it("can take the heroes of another of its base games", () => {
    expect(withHeroes(mix, "TNL")).toBe("tnl+bmr+crl");
  });

  it("says for each ruleset who can play, and each reason once", () => {
    const [classic, crash] = rulesOf(mix);
    expect(classic?.tables.map(({ players }) => players)).toEqual([2]);
    expect(classic?.refused).toEqual([{ players: "5, 6", why: "so many need two boxes" }]);
    expect(crash?.refused).toEqual([]);
  });

  it("keeps what was chosen as far as it can be played", () => {
    expect(nearest(mix, { ruleset: "classic", players: 2 })).toEqual(table("classic", 2));
    expect(nearest(mix, { ruleset: "classic", players: 6 })).toEqual(table("crash", 5));
    expect(same(undefined, table("crash", 5))).toBe(false);
  });
});
