/** Keeping the right part of a scrolling table on screen. */

/** Scrolls to the first node, unless one of them is visible already. */
export function scrollToFirst(board: HTMLElement, nodes: readonly HTMLElement[]): void {
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

/** Keeps `--seen` at the element's visible height while the table scrolls and grows. */
export function visibleHeight(node: HTMLElement) {
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
