/** What can be chosen is brought into sight, if nothing of it can be seen. */
import type { Key } from "./choices";

export function bringIntoSight(board: HTMLElement, keys: ReadonlySet<Key>): void {
  const nodes = [...board.querySelectorAll<HTMLElement>("[data-key]")].filter((node) =>
    keys.has(node.dataset["key"] as Key),
  );
  const foot = board.querySelector(".foot");
  const floor = foot?.getBoundingClientRect().top ?? window.innerHeight;
  const seen = nodes.some((node) => {
    const { top, bottom, left, right } = node.getBoundingClientRect();
    const middle = (left + right) / 2;
    return foot?.contains(node) || (top >= 0 && bottom <= floor && middle > 0 && middle < window.innerWidth);
  });
  if (seen) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  nodes[0]?.scrollIntoView({ block: "center", inline: "center", behavior: still ? "auto" : "smooth" });
}
