/** Finding words in the rules. */
import { wordsOf, type Block } from "./markdown";

/** Everything a block says. */
export function blockWords(block: Block): string {
  switch (block.kind) {
    case "heading":
      return block.text;
    case "code":
      return block.text;
    case "paragraph":
      return block.lines.map(wordsOf).join(" ");
    case "list":
      return block.items.map(wordsOf).join(" ");
    case "table":
      return [...block.head, ...block.rows.flat()].map(wordsOf).join(" ");
  }
}

/** The words asked for; one letter alone is not looked for. */
export function asked(query: string): string[] {
  const words = query.toLowerCase().trim().split(/\s+/);
  return words.filter((word) => word.length > 1 || /\d/.test(word));
}

export function isHit(block: Block, words: readonly string[]): boolean {
  const text = blockWords(block).toLowerCase();
  return words.every((word) => text.includes(word));
}

/** The blocks that answer, each below the headings it stands under. */
export function found(blocks: readonly Block[], words: readonly string[]): { shown: Block[]; hits: number } {
  if (words.length === 0) return { shown: [...blocks], hits: 0 };
  const shown: Block[] = [];
  let hits = 0;
  let heading: Block | undefined;
  for (const block of blocks) {
    const hit = isHit(block, words);
    if (block.kind === "heading") {
      heading = block;
      if (!hit) continue;
    }
    if (!hit) continue;
    if (heading && !shown.includes(heading)) shown.push(heading);
    if (block !== heading) shown.push(block);
    hits += 1;
  }
  return { shown, hits };
}

/** A text cut into what was asked for and what was not. */
export function cut(text: string, words: readonly string[]): { text: string; hit: boolean }[] {
  if (words.length === 0) return [{ text, hit: false }];
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${escaped.join("|")})`, "i"));
  return parts.map((part, i) => ({ text: part, hit: i % 2 === 1 })).filter((part) => part.text !== "");
}
