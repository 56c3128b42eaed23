/** What makes things heavy: the held breath of a hit, a shake, a counter that jumps when something lands on it. */

/** The element in the large scene if it is there, else the first one elsewhere. */
export function nodeOf(root: HTMLElement, selector: string): HTMLElement | undefined {
  const all = [...root.querySelectorAll<HTMLElement>(selector)].filter((node) => node.offsetParent !== null);
  return all.find((node) => node.closest('[data-scene="large"]')) ?? all[0];
}

export function rectOf(root: HTMLElement, selector: string): DOMRect | undefined {
  const rect = nodeOf(root, selector)?.getBoundingClientRect();
  return rect && rect.width > 0 ? rect : undefined;
}

/** Tells the style sheets how long the step lasts that is shown now. */
export function beat(root: HTMLElement, ms: number): void {
  root.style.setProperty("--beat", `${String(Math.round(ms))}ms`);
}

/** Shorter than this nobody would see it. */
const SEEN = 90;

/** A hit: everything in the dungeon stands still for a blink, then shakes with it. `force` is the damage. */
export function shake(root: HTMLElement, card: number | undefined, force: number, ms: number): void {
  const dungeon = card === undefined ? undefined : nodeOf(root, `[data-card="${card}"]`)?.closest(".dungeon");
  if (!dungeon || ms < SEEN) return;
  const far = Math.min(2 + force * 1.4, 10);
  const still = 0.28;
  const at = (x: number, y: number, offset: number) => ({
    transform: `translate(${String(x * far)}px, ${String(y * far)}px)`,
    offset,
  });
  dungeon.animate(
    [
      at(0, 0, 0),
      at(0, 0, still),
      at(-1, 0.5, 0.4),
      at(0.8, -0.6, 0.55),
      at(-0.5, 0.3, 0.7),
      at(0.25, -0.1, 0.85),
      at(0, 0, 1),
    ],
    { duration: ms, easing: "steps(6)" },
  );
}

/** The counter jumps when what flies to it arrives. */
export function land(root: HTMLElement, spot: string, ms: number): void {
  const node = nodeOf(root, `[data-spot="${spot}"]`);
  node?.animate(
    [
      { transform: "none" },
      { transform: "scale(1.6)", filter: "brightness(1.6)", offset: 0.3 },
      { transform: "none" },
    ],
    { duration: 260, delay: ms * 0.92, easing: "ease-out" },
  );
}
