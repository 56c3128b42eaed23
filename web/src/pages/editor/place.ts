/** Places in a text, by line and column. */

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
