/** Dragging with a mouse or pen: the element follows the pointer, and the target it is dropped on is reported. */
export interface Drag {
  enabled: boolean;
  start: () => void;
  end: (over: Element | null) => void;
}

const NEAR = 8;

export function draggable(node: HTMLElement, options: Drag) {
  let drag = options;
  let from: { x: number; y: number; id: number } | undefined;
  let moving = false;

  function down(event: PointerEvent): void {
    // A finger that moves sideways scrolls the hand; it taps to choose instead.
    if (!drag.enabled || event.button !== 0 || event.pointerType === "touch") return;
    from = { x: event.clientX, y: event.clientY, id: event.pointerId };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", stop);
  }

  function move(event: PointerEvent): void {
    if (!from || event.pointerId !== from.id) return;
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!moving && Math.hypot(dx, dy) < NEAR) return;
    if (!moving) {
      moving = true;
      const { left, top, width } = node.getBoundingClientRect();
      Object.assign(node.style, {
        position: "fixed",
        left: `${left}px`,
        top: `${top}px`,
        width: `${width}px`,
      });
      node.style.pointerEvents = "none";
      node.classList.add("dragged");
      node.style.zIndex = "30";
      node.style.opacity = "0.85";
      drag.start();
    }
    node.style.translate = `${dx}px ${dy}px`;
  }

  function up(event: PointerEvent): void {
    const was = moving;
    stop();
    if (!was) return;
    // The click that ends a drag is not a click.
    const swallow = (click: Event) => click.stopPropagation();
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
    drag.end(document.elementFromPoint(event.clientX, event.clientY));
  }

  function stop(): void {
    from = undefined;
    moving = false;
    node.classList.remove("dragged");
    for (const name of [
      "translate",
      "pointer-events",
      "z-index",
      "opacity",
      "position",
      "left",
      "top",
      "width",
    ])
      node.style.removeProperty(name);
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", stop);
  }

  node.addEventListener("pointerdown", down);
  return {
    update: (next: Drag) => (drag = next),
    destroy() {
      stop();
      node.removeEventListener("pointerdown", down);
    },
  };
}
