/** Paints grids. Every picture is painted once and kept as a PNG in a data URL under its key. */
import { Grid } from "./grid";
import { PALETTE, type Colour } from "./palette";

const painted = new Map<string, string>();

/** The picture called `key`; `draw` is asked for it the first time only. */
export function image(key: string, draw: () => Grid): string {
  let url = painted.get(key);
  if (url === undefined) {
    url = paint(draw());
    painted.set(key, url);
  }
  return url;
}

/** A role that nobody filled in is painted pink, so that it is seen. */
function paint(grid: Grid): string {
  const canvas = document.createElement("canvas");
  canvas.width = grid.width;
  canvas.height = grid.height;
  const context = canvas.getContext("2d");
  if (!context) return "";
  const pixels = context.createImageData(grid.width, grid.height);
  grid.each((x, y, cell) => {
    if (cell === ".") return;
    const rgb = parseInt((PALETTE[cell as Colour]?.hex ?? "#ff00ff").slice(1), 16);
    pixels.data.set([rgb >> 16, (rgb >> 8) & 255, rgb & 255, 255], (y * grid.width + x) * 4);
  });
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}
