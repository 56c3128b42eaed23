/** Makes cards and heroes move from where they were to where they are. Elements say which card they are (`data-card`). */
import type { GameEvent, Where } from "../../gen/wire";

export interface Seen {
  rect: DOMRect;
  node: HTMLElement;
}

export type Positions = ReadonlyMap<string, Seen>;

export function positions(root: HTMLElement): Positions {
  const seen = new Map<string, Seen>();
  for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const id = node.dataset["card"] ?? "";
    const rect = node.getBoundingClientRect();
    if (rect.width > 0 && !seen.has(id)) seen.set(id, { rect, node });
  }
  return seen;
}

/** The spot on the board that stands for a place where cards are not laid out one by one. */
function spotOf(at: Where | undefined): string | undefined {
  if (!at) return undefined;
  if (at.zone === "scoring") return `${at.facedown ? "souls" : "wounds"}:${at.seat}`;
  return at.seat === undefined ? at.zone : `${at.zone}:${at.seat}`;
}

const SLOWEST = 420;

/** Moves everything that is elsewhere now. `events` are what happened in between. */
export function move(
  root: HTMLElement,
  layer: HTMLElement,
  before: Positions,
  events: readonly GameEvent[],
  ms: number,
): void {
  const time = Math.min(ms, SLOWEST);
  if (time < 30) return;
  const after = positions(root);
  const about = new Map<string, GameEvent>();
  for (const event of events) if (event.card) about.set(String(event.card.id), event);
  for (const [id, { rect, node }] of after) {
    const event = about.get(id);
    const was = before.get(id)?.rect ?? spotRect(root, event?.from);
    if (event?.kind === "reveals") flipOver(node, time);
    else if (was) slide(node, was, rect, time, event?.kind === "enters" || event?.kind === "wounds");
    else node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: Math.min(time, 200) });
  }
  for (const [id, { rect, node }] of before) {
    const event = about.get(id);
    const goal = spotRect(root, event?.to);
    if (after.has(id) || !goal) continue;
    flyAway(layer, node, rect, goal, time);
  }
}

function spotRect(root: HTMLElement, at: Where | undefined): DOMRect | undefined {
  const spot = spotOf(at);
  if (!spot) return undefined;
  const rect = root.querySelector<HTMLElement>(`[data-spot="${spot}"]`)?.getBoundingClientRect();
  return rect && rect.width > 0 ? rect : undefined;
}

function slide(node: HTMLElement, was: DOMRect, is: DOMRect, duration: number, walks: boolean): void {
  const dx = was.left + was.width / 2 - (is.left + is.width / 2);
  const dy = was.top + was.height / 2 - (is.top + is.height / 2);
  if (Math.abs(dx) < 2 && Math.abs(dy) < 2) return;
  const grow = was.width / is.width;
  const scale = Math.abs(grow - 1) > 0.05 ? ` scale(${grow})` : "";
  node.animate(
    [
      { transform: `translate(${dx}px, ${dy}px)${scale}`, zIndex: 20 },
      { transform: "none", zIndex: 20 },
    ],
    { duration, easing: walks ? "linear" : "cubic-bezier(0.3, 0.8, 0.3, 1)" },
  );
}

function flipOver(node: HTMLElement, duration: number): void {
  node.animate(
    [{ transform: "scaleX(0)" }, { transform: "scaleX(1.06)", offset: 0.7 }, { transform: "none" }],
    {
      duration: duration * 0.8,
      easing: "ease-out",
    },
  );
}

function flyAway(layer: HTMLElement, node: HTMLElement, from: DOMRect, to: DOMRect, duration: number): void {
  const ghost = node.cloneNode(true) as HTMLElement;
  for (const named of [
    ghost,
    ...ghost.querySelectorAll<HTMLElement>("[data-card],[data-key],[data-testid]"),
  ]) {
    for (const name of ["data-card", "data-key", "data-testid"]) named.removeAttribute(name);
  }
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, {
    position: "fixed",
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    margin: "0",
    pointerEvents: "none",
  });
  // Not `inert`: Chromium may take the page for inert when it is gone, as after a window (ui/modal.ts).
  for (const button of ghost.querySelectorAll<HTMLElement>("button, a, [tabindex]")) button.tabIndex = -1;
  ghost.tabIndex = -1;
  layer.append(ghost);
  const dx = to.left + to.width / 2 - (from.left + from.width / 2);
  const dy = to.top + to.height / 2 - (from.top + from.height / 2);
  const flight = ghost.animate(
    [
      { transform: "none" },
      { transform: `translate(${dx}px, ${dy}px) scale(${to.width / from.width})`, opacity: 0.4 },
    ],
    { duration, easing: "ease-in" },
  );
  const gone = () => ghost.remove();
  flight.onfinish = gone;
  flight.oncancel = gone;
}
