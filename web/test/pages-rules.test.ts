import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readInline, readMarkdown, wordsOf, type Block } from "../src/pages/rules/markdown";
import { asked, blockWords, cut, found } from "../src/pages/rules/search";

const RULES = readFileSync(join(import.meta.dirname, "../../docs/rules.md"), "utf8");
const rule = (blocks: readonly Block[], id: string) =>
  blocks.find((block) => block.kind === "paragraph" && block.id === id);

describe("the rules", () => {
  const blocks = readMarkdown(RULES);

  it("are rendered completely", () => {
    const plain = (text: string) => text.replaceAll(/\]\([^)]*\)|[#*`[\]\s]/g, "");
    expect(plain(blocks.map(blockWords).join(" "))).toBe(plain(RULES));
  });

  it("have an address for every number", () => {
    const numbers = [...RULES.matchAll(/^\*\*(\d+\.\d+)\*\*/gm)].map((found) => found[1]);
    expect(numbers.length).toBeGreaterThan(60);
    for (const number of numbers) expect(rule(blocks, number ?? ""), number).toBeDefined();
    const ids = blocks.flatMap((block) => ("id" in block && block.id ? [block.id] : []));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("keep their parts and decisions on lines of their own", () => {
    const priority = rule(blocks, "4.5");
    expect(priority?.kind === "paragraph" && priority.lines.length).toBe(7);
  });

  it("are found by words, below their headings, whatever the case", () => {
    const { shown, hits } = found(blocks, asked("Deactivated  ROOM"));
    expect(hits).toBeGreaterThan(2);
    expect(shown).toContain(rule(blocks, "2.5"));
    expect(shown[0]?.kind).toBe("heading");
    expect(found(blocks, asked("xyzzy"))).toEqual({ shown: [], hits: 0 });
    expect(found(blocks, asked(" ")).shown).toHaveLength(blocks.length);
  });
});

describe("Markdown", () => {
  it("has what the rules use", () => {
    const text =
      "# T\n\n- one *a*\n  more\n- two\n\n1. x\n2. y\n\n| a | b |\n|---|---|\n| `c` | **d** |\n\n    code *stays*\n\n```\nfence\n```\nend";
    expect(readMarkdown(text).map((block) => block.kind)).toEqual([
      "heading",
      "list",
      "list",
      "table",
      "code",
      "code",
      "paragraph",
    ]);
    const [, list, , table, code] = readMarkdown(text);
    expect(list?.kind === "list" && list.items.map(wordsOf)).toEqual(["one a more", "two"]);
    expect(table?.kind === "table" && table.rows[0]?.map(wordsOf)).toEqual(["c", "d"]);
    expect(code).toEqual({ kind: "code", text: "code *stays*" });
  });

  it("never makes a link that runs something", () => {
    for (const href of ["javascript:alert(1)", "data:text/html,x", "//elsewhere.example", "vbscript:x"])
      expect(readInline(`[click](${href})`)[0]).toEqual({
        kind: "link",
        href: "",
        of: [{ kind: "text", text: "click" }],
      });
    expect(readInline("[a](#4.5)")[0]).toMatchObject({ href: "#4.5" });
  });

  it("leaves marks alone that mean nothing", () => {
    expect(readInline("2 * 3 * 4 < 5")).toEqual([{ kind: "text", text: "2 * 3 * 4 < 5" }]);
  });

  it("comes back in pieces that make the whole", () => {
    const text = "A hero (4.5) dies. Hero!";
    const parts = cut(text, asked("hero 4.5"));
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.filter((part) => part.hit).map((part) => part.text)).toEqual(["hero", "4.5", "Hero"]);
  });
});
