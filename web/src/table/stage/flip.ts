/** Makes cards and heroes move from where they were to where they are. Elements say which card they are (`data-card`). */
import { boardedPicture } from "../../art/picture";
import type { GameEvent, Where } from "../../gen/wire";
import { rectOf } from "./weight";

export interface Seen {
  rect: DOMRect;
  node: HTMLElement;
}

/** By card, then by scene: a dungeon that the camera shows is also in its owner's strip. */
export type Positions = ReadonlyMap<string, ReadonlyMap<string, Seen>>;

export function positions(root: HTMLElement): Positions {
  const seen = new Map<string, Map<string, Seen>>();
  for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const id = node.dataset["card"] ?? "";
    const scene = node.closest<HTMLElement>("[data-scene]")?.dataset["scene"] ?? "";
    const rect = node.getBoundingClientRect();
    if (rect.width === 0) continue;
    const places = seen.get(id) ?? new Map<string, Seen>();
    if (!places.has(scene)) places.set(scene, { rect, node });
    seen.set(id, places);
  }
  return seen;
}

/** Where a card was for what is now in this scene: there, or wherever else it was seen best. */
function seenFrom(places: ReadonlyMap<string, Seen> | undefined, scene: string): Seen | undefined {
  return places?.get(scene) ?? places?.get("large") ?? places?.get("") ?? places?.values().next().value;
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
  for (const [id, places] of after)
    for (const [scene, { rect, node }] of places) {
      const event = about.get(id);
      const seen = seenFrom(before.get(id), scene);
      const was = seen?.rect ?? spotRect(root, event?.from);
      if (event?.kind === "reveals") flipOver(layer, node, time);
      else if (was) slide(node, was, rect, time, event?.kind === "enters" || event?.kind === "wounds");
      else node.animate([{ opacity: 0 }, { opacity: 1 }], { duration: Math.min(time, 200) });
    }
  for (const [id, places] of before) {
    const goal = spotRect(root, about.get(id)?.to);
    const seen = seenFrom(places, "large");
    if (after.has(id) || !goal || !seen) continue;
    flyAway(layer, seen.node, seen.rect, goal, time);
  }
}

/**
 * Pans the large scene: what it shows now goes out to one side. To be called before the scene changes; what it returns,
 * after it, brings the new one in from the other side.
 */
export function pan(root: HTMLElement, towards: 1 | -1, duration: number): (() => void) | undefined {
  const frame = root.querySelector<HTMLElement>('[data-scene="large"] .scroll');
  if (!frame || duration < 30) return undefined;
  const old = bare(frame);
  const { offsetTop, offsetHeight, scrollLeft } = frame;
  const easing = "cubic-bezier(0.5, 0, 0.2, 1)";
  return () => {
    Object.assign(old.style, {
      position: "absolute",
      left: "0",
      right: "0",
      top: `${offsetTop}px`,
      height: `${offsetHeight}px`,
      overflow: "hidden",
      pointerEvents: "none",
    });
    frame.parentElement?.append(old);
    old.scrollLeft = scrollLeft;
    const out = old.animate(
      [{ transform: "none" }, { transform: `translateX(${String(-100 * towards)}%)` }],
      { duration, easing },
    );
    const gone = () => old.remove();
    out.onfinish = gone;
    out.oncancel = gone;
    frame.animate([{ transform: `translateX(${String(100 * towards)}%)` }, { transform: "none" }], {
      duration,
      easing,
    });
    // The new owner's name is not over the old dungeon.
    const name = frame.parentElement?.querySelector<HTMLElement>("header");
    name?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.5 }, { opacity: 1 }], { duration });
  };
}

function spotRect(root: HTMLElement, at: Where | undefined): DOMRect | undefined {
  const spot = spotOf(at);
  if (!spot) return undefined;
  return rectOf(root, `[data-spot="${spot}"]`);
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

/** The boards turn away, and behind them is the room. */
function flipOver(layer: HTMLElement, node: HTMLElement, duration: number): void {
  const half = duration * 0.38;
  const { left, top, width, height } = (node.querySelector(".scene") ?? node).getBoundingClientRect();
  const boards = document.createElement("img");
  boards.src = boardedPicture().url;
  boards.alt = "";
  Object.assign(boards.style, {
    position: "fixed",
    left: `${left}px`,
    top: `${top}px`,
    width: `${width}px`,
    height: `${height}px`,
  });
  layer.append(boards);
  const turn = boards.animate(
    [{ transform: "none" }, { transform: "translateY(-10px) scaleX(0)", filter: "brightness(1.5)" }],
    { duration: half, easing: "ease-in" },
  );
  const gone = () => boards.remove();
  turn.onfinish = gone;
  turn.oncancel = gone;
  node.animate(
    [
      { transform: "translateY(-10px) scaleX(0)", filter: "brightness(1.8)" },
      { transform: "translateY(-4px) scaleX(1.06)", offset: 0.6 },
      { transform: "translateY(2px)", offset: 0.85 },
      { transform: "none" },
    ],
    { duration: duration - half, delay: half, easing: "ease-out", fill: "backwards" },
  );
}

/** A copy that is only to be looked at. */
function bare(node: HTMLElement): HTMLElement {
  const ghost = node.cloneNode(true) as HTMLElement;
  const named = ["data-card", "data-key", "data-testid", "data-spot", "data-hero"];
  for (const each of [ghost, ...ghost.querySelectorAll<HTMLElement>(named.map((name) => `[${name}]`).join())])
    for (const name of named) each.removeAttribute(name);
  ghost.setAttribute("aria-hidden", "true");
  // Not `inert`: Chromium may take the page for inert when it is gone, as after a window (ui/modal.ts).
  for (const button of ghost.querySelectorAll<HTMLElement>("button, a, [tabindex]")) button.tabIndex = -1;
  ghost.tabIndex = -1;
  return ghost;
}

function flyAway(layer: HTMLElement, node: HTMLElement, from: DOMRect, to: DOMRect, duration: number): void {
  const ghost = bare(node);
  Object.assign(ghost.style, {
    position: "fixed",
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    margin: "0",
    pointerEvents: "none",
  });
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
