import { describe, expect, test } from "vitest";
import { offsetOf, wordAt } from "../src/pages/editor/place";
import { fileName, withCard } from "../src/pages/own/text";
import { EXAMPLE, TEMPLATES } from "../src/words/own";

describe("a card file", () => {
  test("places are found, also behind characters of two units", () => {
    const text = 'set HOME "🐉 x"\nroom "R"\n  -  damge 1\n';
    expect(text.slice(offsetOf(text, 1, 13), offsetOf(text, 2))).toBe('x"\n');
    const { from, to } = wordAt(text, 3, 6);
    expect(text.slice(from, to)).toBe("damge");
    expect(wordAt(text, 99, 1)).toEqual({ from: text.length, to: text.length });
    expect(offsetOf("", 1, 1)).toBe(0);
  });

  test("a card is added below the others, under a name of its own", () => {
    const twice = withCard(withCard(EXAMPLE, TEMPLATES.boss), TEMPLATES.boss);
    expect(twice).toContain('boss "Aunt Agatha, Keeper of Keys"');
    expect(twice).toContain('boss "Aunt Agatha 2, Keeper of Keys"');
    expect(withCard("", TEMPLATES.hero)).toMatch(/^set HOME "My own cards"\n\nhero /);
  });

  test("is called after its set", () => {
    expect(fileName(EXAMPLE)).toBe("home.cards");
    expect(fileName("")).toBe("my.cards");
  });
});
