/** Colours that go together, from dark to light. */
import type { Recolour } from "./grid";
import type { Colour } from "./palette";

export type Ramp = readonly [Colour, Colour, Colour];

export const COATS = {
  green: ["n", "N", "l"],
  red: ["r", "R", "O"],
  bone: ["S", "W", "w"],
  purple: ["p", "P", "m"],
  blue: ["u", "U", "c"],
  brown: ["b", "o", "O"],
  grey: ["s", "S", "g"],
  gold: ["o", "Y", "y"],
  pink: ["P", "m", "w"],
  night: ["k", "K", "s"],
  fire: ["r", "O", "y"],
  ghost: ["U", "c", "w"],
  steel: ["S", "g", "w"],
  skin: ["o", "f", "w"],
  pale: ["g", "W", "w"],
} as const satisfies Record<string, Ramp>;

export type Coat = keyof typeof COATS;

export function main(coat: Coat): Recolour {
  const [dark, middle, light] = COATS[coat];
  return { "1": dark, "2": middle, "3": light };
}

export function second(coat: Coat): Recolour {
  const [dark, middle, light] = COATS[coat];
  return { "4": dark, "5": middle, "6": light };
}

export function trim(coat: Coat): Recolour {
  const [, middle, light] = COATS[coat];
  return { "8": middle, "9": light };
}
