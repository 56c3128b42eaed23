/** The text of a card file, and cards added to it. No rules here: the server reads the cards. */

/** What the server takes. */
export const MOST_BYTES = 64 * 1024;

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
