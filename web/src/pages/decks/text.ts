/**
 * Editing the text of a deck by clicking cards. The server alone says whether a deck is right; here lines are only
 * found, changed and added, and everything else in the text stays as its writer left it.
 */
import { DECK_PARTS, type CardPage } from "../../gen/wire";

interface CardLine {
  at: number;
  name: string;
  copies: number;
}

/** The line without its comment. */
function bare(line: string): string {
  return line.replace(/(^|\s)#.*$/, "").trim();
}

function cardLines(text: string): CardLine[] {
  return text.split("\n").flatMap((line, at) => {
    const words = bare(line);
    const [first = ""] = words.split(/\s+/);
    if (words === "" || ["deck", "note", ...Object.keys(DECK_PARTS)].includes(first.toLowerCase())) return [];
    const [, name = words, copies] = /^(.*?)(?:\s+x(\d+))?$/i.exec(words) ?? [];
    return [{ at, name, copies: copies === undefined ? 1 : Number(copies) }];
  });
}

/** A card is written by its number, its name, or the beginning of it up to a comma or space. */
function isCalled(card: CardPage, name: string): boolean {
  const [full, wanted] = [card.name.toLowerCase(), name.toLowerCase()];
  if (full === wanted || card.number?.toLowerCase() === wanted) return true;
  return full.startsWith(wanted) && /^[\s,]/.test(full.slice(wanted.length));
}

function lineOf(text: string, card: CardPage, all: readonly CardPage[]): CardLine | undefined {
  return cardLines(text).find(({ name }) => {
    if (!isCalled(card, name)) return false;
    const exact = (one: CardPage) =>
      [one.name, one.number].some((each) => each?.toLowerCase() === name.toLowerCase());
    return exact(card) || !all.some((other) => other !== card && isCalled(other, name));
  });
}

/** How often the lines that take in boxes have the card. */
export function taken(text: string, card: CardPage): number {
  const isIn = text.split("\n").some((line) => {
    const [first = "", ...codes] = bare(line).split(/\s+/);
    const kinds = DECK_PARTS[first.toLowerCase()];
    return kinds?.includes(card.kind) && codes.some((code) => code.toUpperCase() === card.set.toUpperCase());
  });
  return isIn ? card.copies : 0;
}

export function copiesIn(text: string, card: CardPage, all: readonly CardPage[]): number {
  return lineOf(text, card, all)?.copies ?? taken(text, card);
}

export const MOST_COPIES = 99;

/** The text with this many copies of the card: one line for it, or none where the boxes say the same. */
export function withCopies(text: string, card: CardPage, copies: number, all: readonly CardPage[]): string {
  const wanted = Math.max(0, Math.min(MOST_COPIES, copies));
  const found = lineOf(text, card, all);
  const lines = text.split("\n");
  const needless = wanted === taken(text, card);
  if (found) {
    const line = lines[found.at] ?? "";
    if (needless) lines.splice(found.at, 1);
    else
      lines[found.at] = line.replace(
        /^(\s*)(.*?)(?:\s+x\d+)?(\s*|\s+#.*)$/i,
        `$1${escaped(found.name)} x${wanted}$3`,
      );
    return lines.join("\n");
  }
  if (needless) return text;
  const twice = all.some((other) => other !== card && other.name === card.name);
  const name = (twice ? card.number : undefined) ?? card.name;
  return `${text.replace(/\n*$/, "")}\n${name} x${wanted}\n`;
}

/** In a replacement a dollar sign would mean something. */
function escaped(text: string): string {
  return text.replaceAll("$", "$$$$");
}

const KEYWORDS = Object.keys(DECK_PARTS);

/** A line that takes in boxes: its keyword and their codes. */
function partOf(line: string): { keyword: string; codes: string[] } | undefined {
  const [first = "", ...codes] = bare(line).split(/\s+/);
  const keyword = first.toLowerCase();
  return KEYWORDS.includes(keyword) ? { keyword, codes } : undefined;
}
const same = (a: string, b: string) => a.toUpperCase() === b.toUpperCase();

/** How much of a box the lines that take in boxes have. */
export function boxIn(text: string, code: string): "all" | "some" | "none" {
  const parts = text.split("\n").flatMap((line) => partOf(line) ?? []);
  const named = parts.filter(({ codes }) => codes.some((each) => same(each, code)));
  if (named.length === 0) return "none";
  return named.some(({ keyword }) => keyword === "set") ? "all" : "some";
}

/** The text with the whole box or without it; cards with lines of their own stay as they are. */
export function withBox(text: string, code: string, wanted: boolean): string {
  const kept = text.split("\n").flatMap((line) => {
    const part = partOf(line);
    if (!part?.codes.some((each) => same(each, code))) return [line];
    const others = part.codes.filter((each) => !same(each, code));
    return others.length > 0 ? [[part.keyword, ...others].join(" ")] : [];
  });
  if (!wanted) return kept.join("\n");
  const isHead = (line: string) => /^(deck|note|set)\b/i.test(bare(line));
  const after = kept.map(isHead).lastIndexOf(true) + 1;
  return [...kept.slice(0, after), `set ${code}`, ...kept.slice(after)].join("\n");
}

export function withTitle(text: string, title: string): string {
  const line = `deck ${title.replaceAll(/[\n#]/g, " ")}`;
  const lines = text.split("\n");
  const at = lines.findIndex((each) => /^deck\b/i.test(bare(each)));
  if (at < 0) return `${line}\n${text}`;
  return lines.map((each, i) => (i === at ? line : each)).join("\n");
}

export function titleOf(text: string): string {
  for (const line of text.split("\n")) {
    const title = /^deck\s+(.+)$/i.exec(bare(line))?.[1];
    if (title) return title;
  }
  return "";
}

/** A short name for programs and files. */
export function nameOf(text: string): string {
  const slug = titleOf(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40);
  return slug || "deck";
}
