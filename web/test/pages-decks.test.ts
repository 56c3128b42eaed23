import { describe, expect, it } from "vitest";
import type { CardPage } from "../src/gen/wire";
import { balanceOf } from "../src/pages/decks/balance";
import { readLink, writeLink } from "../src/pages/decks/link";
import { boxIn, copiesIn, nameOf, titleOf, withBox, withCopies, withTitle } from "../src/pages/decks/text";

const none = { cleric: 0, fighter: 0, mage: 0, thief: 0 };
function card(name: string, facts: Partial<CardPage> = {}): CardPage {
  return {
    face: 1,
    name,
    kind: "room",
    copies: 3,
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
const armory = card("Goblin Armory", {
  number: "BMR015",
  subtype: "monster",
  treasure: { ...none, fighter: 2 },
});
const mess = card("Goblin Mess Hall", { number: "TNL023", set: "TNL", subtype: "monster" });
const robobo = card("Robobo, Angry Golem", {
  number: "BMR004",
  kind: "boss",
  copies: 1,
  treasure: { ...none, fighter: 1 },
});
const freeze = card("Freeze", { number: "BMR050", kind: "spell", copies: 2 });
const all = [armory, mess, robobo, freeze];
const TEXT =
  "# Saturday\ndeck  Goblin market\nnote  A fourth armory.\nset   BMR\nGoblin Armory x4   # more\nRobobo x0\nTNL023\n";

describe("the text of a deck", () => {
  it("counts the copies of a card", () => {
    expect(copiesIn(TEXT, armory, all)).toBe(4);
    expect(copiesIn(TEXT, robobo, all)).toBe(0);
    expect(copiesIn(TEXT, mess, all)).toBe(1);
    expect(copiesIn(TEXT, freeze, all)).toBe(2);
    expect(copiesIn("deck X\nspells bmr", freeze, all)).toBe(2);
    expect(copiesIn("deck X\nrooms BMR", freeze, all)).toBe(0);
  });

  it("changes one line and leaves the others as they are", () => {
    expect(withCopies(TEXT, armory, 5, all)).toBe(
      TEXT.replace("Goblin Armory x4   # more", "Goblin Armory x5   # more"),
    );
    expect(withCopies(TEXT, mess, 2, all)).toBe(TEXT.replace("TNL023", "TNL023 x2"));
    expect(withCopies(TEXT, freeze, 3, all)).toBe(`${TEXT}Freeze x3\n`);
    expect(withCopies(TEXT, freeze, 2, all)).toBe(TEXT);
  });

  it("drops a line that only repeats the box", () => {
    expect(withCopies(TEXT, robobo, 1, all)).toBe(TEXT.replace("Robobo x0\n", ""));
    expect(withCopies(TEXT, mess, 0, all)).toBe(TEXT.replace("TNL023\n", ""));
  });

  it("keeps the requested counts through any sequence of edits", () => {
    let text = TEXT;
    for (const [one, copies] of [
      [freeze, 7],
      [armory, 0],
      [mess, 99],
      [robobo, 2],
      [freeze, 0],
    ] as const) {
      text = withCopies(text, one, copies, all);
      expect(copiesIn(text, one, all), `${one.name} x${copies}`).toBe(copies);
    }
    expect(copiesIn(withCopies(TEXT, freeze, 120, all), freeze, all)).toBe(99);
    expect(copiesIn(withCopies(TEXT, freeze, -1, all), freeze, all)).toBe(0);
  });

  it("does not match a prefix that fits two cards", () => {
    expect(copiesIn("deck X\nGoblin x9", armory, all)).toBe(0);
    expect(withCopies("deck X\nGoblin x9\n", armory, 1, all)).toBe("deck X\nGoblin x9\nGoblin Armory x1\n");
  });

  it("has a title, and a name for files", () => {
    expect(titleOf(TEXT)).toBe("Goblin market");
    expect(nameOf(TEXT)).toBe("goblin-market");
    expect(nameOf("")).toBe("deck");
    expect(nameOf("deck ???")).toBe("deck");
  });
});

describe("the balance", () => {
  it("is counted by copies", () => {
    const groups = balanceOf(
      [
        { name: "Goblin Armory", set: "BMR", kind: "room", copies: 4 },
        { name: "Robobo, Angry Golem", set: "BMR", kind: "boss", copies: 1 },
        { name: "Nobody knows", set: "XYZ", kind: "room", copies: 9 },
      ],
      all,
    );
    const of = (key: string, bar: string) =>
      groups.find((group) => group.key === key)?.bars.find((one) => one.key === bar)?.count;
    expect(of("cards", "room")).toBe(4);
    expect(of("icons", "fighter")).toBe(8);
    expect(of("bosses", "fighter")).toBe(1);
    expect(of("ranks", "advanced")).toBe(0);
    expect(of("subtypes", "monster")).toBe(4);
  });
});

describe("a link", () => {
  it("holds a whole deck in little space", async () => {
    const text = `${TEXT}note Ähnlich — 🐉\n`.repeat(30);
    const link = await writeLink(text);
    expect(link.length).toBeLessThan(text.length / 5);
    expect(link).toMatch(/^deck=[\w-]+$/);
    expect(await readLink(`#${link}`)).toBe(text);
  });
  it("that is damaged is rejected", async () => {
    const link = await writeLink(TEXT);
    expect(await readLink(link.slice(0, -9))).toBeUndefined();
    expect(await readLink("#deck=%%%")).toBeUndefined();
    expect(await readLink("#4.5")).toBeUndefined();
    expect(await readLink("")).toBeUndefined();
  });
  it("cannot decompress without limit", async () => {
    expect(await readLink(await writeLink("x".repeat(200_000)))).toBeUndefined();
  });
});

describe("boxes and titles in the text of a deck", () => {
  it("says how much of a box is in", () => {
    expect(boxIn(TEXT, "BMR")).toBe("all");
    expect(boxIn(TEXT, "TNL")).toBe("none");
    expect(boxIn("rooms tnl", "TNL")).toBe("some");
  });

  it("takes a box in and out and leaves everything else alone", () => {
    const both = withBox(TEXT, "TNL", true);
    expect(boxIn(both, "TNL")).toBe("all");
    expect(copiesIn(both, armory, all)).toBe(4);
    expect(withBox(both, "TNL", false)).toBe(TEXT);
    expect(withBox("deck A\nset BMR TNL # two\nFreeze x3\n", "BMR", false)).toBe(
      "deck A\nset TNL\nFreeze x3\n",
    );
    expect(withBox("rooms TNL\nheroes BMR\n", "TNL", true)).toBe("set TNL\nheroes BMR\n");
  });

  it("renames a deck, or names it", () => {
    expect(titleOf(withTitle(TEXT, "Two # goblins"))).toBe("Two   goblins");
    expect(withTitle("set BMR\n", "New")).toBe("deck New\nset BMR\n");
    expect(withTitle("deck Old\nset BMR\n", "")).toBe("deck \nset BMR\n");
  });
});
