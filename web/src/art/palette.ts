/**
 * The one palette of the game: every picture uses these colours and no others.
 * Sheets name a colour by its letter; the style sheet has the same colours as `--c-<name>` (see `paletteProperties`).
 */

export const PALETTE = {
  k: { name: "ink", hex: "#140e1a" },
  K: { name: "night", hex: "#251c30" },
  s: { name: "slate", hex: "#3e3650" },
  S: { name: "stone", hex: "#625976" },
  g: { name: "silver", hex: "#9a93ab" },
  w: { name: "cream", hex: "#fbf1da" },
  W: { name: "bone", hex: "#d4c3a0" },
  r: { name: "blood", hex: "#7c1d30" },
  R: { name: "red", hex: "#dd4438" },
  b: { name: "bark", hex: "#4c2b26" },
  o: { name: "tan", hex: "#a35f34" },
  O: { name: "orange", hex: "#f08a2e" },
  y: { name: "yellow", hex: "#ffd75a" },
  Y: { name: "gold", hex: "#c08a2c" },
  n: { name: "pine", hex: "#1f4b3c" },
  N: { name: "green", hex: "#479a48" },
  l: { name: "lime", hex: "#a8dc55" },
  c: { name: "ice", hex: "#79dbe6" },
  u: { name: "navy", hex: "#2c3674" },
  U: { name: "blue", hex: "#4c82dc" },
  p: { name: "plum", hex: "#4b2566" },
  P: { name: "violet", hex: "#a259cf" },
  m: { name: "pink", hex: "#f285a6" },
  f: { name: "skin", hex: "#f2bd8c" },
} as const;

export type Colour = keyof typeof PALETTE;

/** Letters that a picture fills in when it is put together: 1-3 main, 4-6 second (dark to light), 0 skin, 7 eyes, 8-9 trim. */
export type Role = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";

export type Ink = Colour | Role;

export const COLOURS = Object.keys(PALETTE) as Colour[];
export const ROLES: readonly Role[] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** The palette as custom properties for the root element. */
export function paletteProperties(): [string, string][] {
  return COLOURS.map((letter) => [`--c-${PALETTE[letter].name}`, PALETTE[letter].hex]);
}
