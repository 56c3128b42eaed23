/** Arrow keys in a grid that wraps as the window likes: up and down go to what is nearest there. */

export interface Box {
  left: number;
  top: number;
  width: number;
}

/** The place to go to from `at`, or undefined if the key means nothing there. */
export function neighbour(boxes: readonly Box[], at: number, key: string): number | undefined {
  const from = boxes[at];
  if (!from) return undefined;
  switch (key) {
    case "ArrowRight":
      return at + 1 < boxes.length ? at + 1 : undefined;
    case "ArrowLeft":
      return at > 0 ? at - 1 : undefined;
    case "Home":
      return 0;
    case "End":
      return boxes.length - 1;
    case "ArrowDown":
      return nearest(
        boxes,
        from,
        (box) => box.top > from.top + 1,
        (one, other) => one.top - other.top,
      );
    case "ArrowUp":
      return nearest(
        boxes,
        from,
        (box) => box.top < from.top - 1,
        (one, other) => other.top - one.top,
      );
    default:
      return undefined;
  }
}

function nearest(
  boxes: readonly Box[],
  from: Box,
  beyond: (box: Box) => boolean,
  closer: (one: Box, other: Box) => number,
): number | undefined {
  const middle = (box: Box) => box.left + box.width / 2;
  const there = boxes.map((box, i) => ({ box, i })).filter(({ box }) => beyond(box));
  const row = [...there].sort((one, other) => closer(one.box, other.box))[0]?.box.top;
  if (row === undefined) return undefined;
  const inRow = there.filter(({ box }) => Math.abs(box.top - row) <= 1);
  const away = (box: Box) => Math.abs(middle(box) - middle(from));
  return [...inRow].sort((one, other) => away(one.box) - away(other.box))[0]?.i;
}
