/** The text of a card file: places in it, and cards added to it. No rules here: the server reads the cards. */

/** What the server takes. */
export const MOST_BYTES = 64 * 1024;

/** Where a place is in the text; beyond its end, the end. Line and column are counted from 1, columns in characters. */
export function offsetOf(text: string, line: number, column = 1): number {
  let start = 0;
  for (let n = 1; n < line; n += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  const end = text.indexOf("\n", start);
  const characters = [...text.slice(start, end < 0 ? text.length : end)];
  return start + characters.slice(0, Math.max(0, column - 1)).join("").length;
}

/** The word there, to be selected; at least nothing. */
export function wordAt(text: string, line: number, column = 1): { from: number; to: number } {
  const from = offsetOf(text, line, column);
  const word = /^(?:"[^"\n]*"?|[^\s"]+)/.exec(text.slice(from));
  return { from, to: from + (word?.[0].length ?? 0) };
}

/** The text with a card at its end, under a name that no card of it has. */
export function withCard(text: string, card: string): string {
  const name = /"([^"\n]*)"/.exec(card)?.[1] ?? "";
  const taken = (wanted: string) => text.toLowerCase().includes(`"${wanted.toLowerCase()}"`);
  let free = name;
  for (let n = 2; taken(free); n += 1) {
    const [short, ...epithet] = name.split(",");
    free = [`${short ?? ""} ${n}`, ...epithet].join(",");
  }
  const set = /^\s*set\s/m.test(text) ? "" : 'set HOME "My own cards"\n';
  const before = `${set}${text}`.trim();
  return `${before}\n\n${card.replace(`"${name}"`, () => `"${free}"`)}`;
}

/** What a file of this text is called. */
export function fileName(text: string): string {
  const code = /^\s*set\s+([A-Za-z0-9]+)/m.exec(text)?.[1];
  return `${(code ?? "my").toLowerCase()}.cards`;
}
