import { describe, expect, it } from "vitest";
import { Grid, SpriteError } from "../src/art/grid";
import { Sheet } from "../src/art/sheet";

describe("a sheet", () => {
  it("reads sprites, comments and mirrored halves", () => {
    const sheet = new Sheet("t", "# a comment\n= dot\nk\n\n= pair mirror\nk.\nRw\n");
    expect(sheet.names()).toEqual(["dot", "pair"]);
    expect(sheet.get("pair").rows()).toEqual(["k..k", "RwwR"]);
  });

  it("names the sprite, the row and the letters when a row is too long", () => {
    expect(() => new Sheet("bad.txt", "= frog\nkk\nkkk\n")).toThrow(
      'bad.txt: frog: row 2 has 3 letters, the first row has 2: "kkk"',
    );
  });

  it("names a letter that is not a colour", () => {
    expect(() => new Sheet("bad.txt", "= frog\nkk\nkZ\n")).toThrow(
      'bad.txt: frog: row 2 has "Z", which is not a colour of the palette',
    );
  });

  it("refuses two sprites of one name, rows without a name, and a sprite without rows", () => {
    expect(() => new Sheet("t", "= a\nk\n= a\nk\n")).toThrow("t: a is drawn twice");
    expect(() => new Sheet("t", "kk\n")).toThrow('t: "kk" comes before the first name');
    expect(() => new Sheet("t", "= a\n= b\nk\n")).toThrow("t: a: no rows");
  });

  it("says which sprite it does not have", () => {
    expect(() => new Sheet("t", "= a\nk\n").get("b")).toThrow(SpriteError);
  });
});

describe("a grid", () => {
  it("outlines what is drawn and nothing else", () => {
    expect(Grid.parse("t", ["..", ".R"]).pad(1).outline("k").rows()).toEqual([
      "....",
      "..k.",
      ".kRk",
      "..k.",
    ]);
  });

  it("ignores what is outside its bounds", () => {
    const grid = new Grid(2, 1).stamp(Grid.parse("t", ["RRR"]), 1, 0);
    expect(grid.rows()).toEqual([".R"]);
  });

  it("is lit from the left", () => {
    expect(Grid.parse("t", ["3333"]).litFromLeft().rows()).toEqual(["3322"]);
  });
});
