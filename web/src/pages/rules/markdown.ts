/**
 * Reads the Markdown that the rules are written in, as a tree: no HTML is ever made from text, so nothing in the file
 * can become more than words. What is not known is a paragraph.
 */

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "strong"; of: Inline[] }
  | { kind: "em"; of: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; href: string; of: Inline[] };

export type Block =
  | { kind: "heading"; level: number; id: string; text: string; of: Inline[] }
  /** A paragraph; with `id`, a rule that can be linked to. */
  | { kind: "paragraph"; id?: string; lines: Inline[][] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "code"; text: string };

const RULE = /^\*\*(\d+(?:\.\d+)+)\*\*\s/;
const BULLET = /^[-*] +/;
const NUMBER = /^\d+[.)] +/;

export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replaceAll("\r", "").split("\n");
  let at = 0;
  const line = () => lines[at] ?? "";
  const take = (while_: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (at < lines.length && while_(line())) taken.push(lines[at++] ?? "");
    return taken;
  };
  while (at < lines.length) {
    const heading = /^(#{1,6}) +(.*)$/.exec(line());
    if (line().trim() === "") at++;
    else if (heading) {
      at++;
      const of = readInline(heading[2] ?? "");
      const words = wordsOf(of);
      blocks.push({ kind: "heading", level: (heading[1] ?? "#").length, id: slug(words), text: words, of });
    } else if (line().startsWith("```")) {
      at++;
      blocks.push({ kind: "code", text: take((next) => !next.startsWith("```")).join("\n") });
      at++;
    } else if (/^ {4}/.test(line())) {
      const code = take(
        (next) => /^ {4}/.test(next) || (next.trim() === "" && /^ {4}/.test(lines[at + 1] ?? "")),
      );
      blocks.push({ kind: "code", text: code.map((each) => each.slice(4)).join("\n") });
    } else if (BULLET.test(line()) || NUMBER.test(line())) {
      const mark = BULLET.test(line()) ? BULLET : NUMBER;
      const items: string[] = [];
      for (const next of take((each) => mark.test(each) || (/^\s+\S/.test(each) && items.length >= 0))) {
        if (mark.test(next)) items.push(next.replace(mark, ""));
        else items.push(`${items.pop() ?? ""} ${next.trim()}`);
      }
      blocks.push({ kind: "list", ordered: mark === NUMBER, items: items.map(readInline) });
    } else if (line().startsWith("|") && /^\|[\s:|-]+\|?$/.test(lines[at + 1] ?? "")) {
      const [head, , ...rows] = take((next) => next.startsWith("|")).map(cells);
      blocks.push({ kind: "table", head: head ?? [], rows });
    } else blocks.push(paragraph(take((next) => next.trim() !== "" && !/^#{1,6} /.test(next))));
  }
  return blocks;
}

/** Lines flow together, except where one begins a part: `a.`, or a decision. */
function paragraph(lines: readonly string[]): Block {
  const parts: string[] = [];
  for (const line of lines) {
    if (parts.length === 0 || /^[a-z]\. /.test(line) || line.startsWith("*Decision:*")) parts.push(line);
    else parts.push(`${parts.pop() ?? ""} ${line.trim()}`);
  }
  const id = RULE.exec(parts[0] ?? "")?.[1];
  return { kind: "paragraph", ...(id && { id }), lines: parts.map(readInline) };
}

function cells(row: string): Inline[][] {
  return row
    .replace(/^\||\|\s*$/g, "")
    .split("|")
    .map((cell) => readInline(cell.trim()));
}

/** Backticks first: nothing inside them means anything. */
const SPANS = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*|\[([^\]]+)\]\(([^)\s]+)\)/;

export function readInline(text: string): Inline[] {
  const found = SPANS.exec(text);
  if (!found) return text === "" ? [] : [{ kind: "text", text }];
  const [all, code, strong, em, label, href] = found;
  const before: Inline[] = found.index > 0 ? [{ kind: "text", text: text.slice(0, found.index) }] : [];
  const after = readInline(text.slice(found.index + all.length));
  const span = (): Inline => {
    if (code !== undefined) return { kind: "code", text: code };
    if (strong !== undefined) return { kind: "strong", of: readInline(strong) };
    if (em !== undefined) return { kind: "em", of: readInline(em) };
    return { kind: "link", href: safe(href ?? ""), of: readInline(label ?? "") };
  };
  return [...before, span(), ...after];
}

/** Links go to the web, to a page of ours or to a place in this one; everything else goes nowhere. */
function safe(href: string): string {
  return /^(https?:\/\/|\/(?!\/)|#)/.test(href) ? href : "";
}

export function wordsOf(of: readonly Inline[]): string {
  return of.map((part) => ("text" in part ? part.text : wordsOf(part.of))).join("");
}

/** "4 Order and priority" is at `#4`. */
function slug(words: string): string {
  const number = /^(\d+)\s/.exec(words)?.[1];
  return (
    number ??
    words
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "")
  );
}
