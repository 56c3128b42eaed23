/** A scene in two layers, so that what lives in it can move before what does not. */
import { Grid } from "./grid";
import { props } from "./sheets";

export interface Layers {
  back: Grid;
  /** As large as `back`; empty where nobody is. */
  front: Grid;
  /** Upper left corners of torches that nothing on the back layer hides. */
  torches: readonly Torch[];
}

export interface Torch {
  x: number;
  y: number;
}

export function flatten({ back, front }: Layers): Grid {
  return back.copy().stamp(front, 0, 0);
}

export function layers(back: Grid, front: Grid, torches: readonly Torch[]): Layers {
  const scene = back.copy().stamp(front, 0, 0);
  return { back, front, torches: torches.filter((torch) => isWhole(scene, torch)) };
}

function isWhole(scene: Grid, torch: Torch): boolean {
  let whole = true;
  props.get("torch-a").each((x, y, cell) => {
    if (cell !== "." && scene.at(torch.x + x, torch.y + y) !== cell) whole = false;
  });
  return whole;
}
