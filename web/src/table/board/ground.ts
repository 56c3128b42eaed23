/** The floor of a dungeon from edge to edge of what it is shown in, and what it rests on. */
import { groundPicture } from "../../art/picture";

/** What is below the floor, in pixels: names, where they are shown. */
export const BELOW = 48;

export function groundStyle(scale: number, below: number): string {
  const floor = `url(${groundPicture().url}) 0 calc(100% - ${below}px) / ${12 * scale}px ${5 * scale}px repeat-x`;
  const rock = `linear-gradient(var(--c-night), var(--c-ink)) 0 100% / 100% ${below}px no-repeat`;
  return `background: ${floor}, ${rock}`;
}
