/** What of a table that scrolls can be seen. */

/** Scrolls to the first of them, unless one can be seen already. */
export function bringIntoSight(board: HTMLElement, nodes: readonly HTMLElement[]): void {
  const foot = board.querySelector(".foot");
  if (!foot) return;
  const floor = foot.getBoundingClientRect().top;
  const inSight = nodes.some((node) => {
    const { top, bottom, left, right } = node.getBoundingClientRect();
    const middle = (left + right) / 2;
    return foot.contains(node) || (top >= 0 && bottom <= floor && middle > 0 && middle < window.innerWidth);
  });
  if (inSight) return;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  nodes[0]?.scrollIntoView({ block: "center", inline: "center", behavior: still ? "auto" : "smooth" });
}

/** How much of it is above the lower edge of the screen, as `--seen`, while the table scrolls and grows. */
export function seen(node: HTMLElement) {
  const tell = () => {
    const height = window.innerHeight - node.getBoundingClientRect().top;
    node.style.setProperty("--seen", `${String(Math.round(height))}px`);
  };
  const sizes = new ResizeObserver(tell);
  for (let box: HTMLElement | null = node; box; box = box.parentElement) sizes.observe(box);
  window.addEventListener("scroll", tell, { capture: true, passive: true });
  window.addEventListener("resize", tell);
  tell();
  return {
    destroy() {
      sizes.disconnect();
      window.removeEventListener("scroll", tell, { capture: true });
      window.removeEventListener("resize", tell);
    },
  };
}
