/** Where the spotlight falls, and where the words beside it stand without covering it. */
import type { Course, Point, Spot } from "./course";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const PLACES: Readonly<Record<Extract<Spot, string>, string>> = {
  boss: '[data-testid="own"] .part.boss',
  town: '[data-testid="town"] [data-hero]',
  entrance: '[data-testid="own"] .walker, [data-testid="own"] [data-spot^="entrance"]',
  souls: '[data-testid="own"] [data-spot^="souls"]',
  coins: '[data-testid="own"] [data-spot^="coins"]',
  miniboss: '[data-testid="own"] [data-testid="miniboss"], [data-testid="own"] .promote',
  items: '[data-testid="own"] [data-testid="item"], [data-testid="town"] [data-testid="item"]',
  opponent: '[data-testid="opponent"]',
  street: '[data-testid="street"]',
  market: '[data-testid="market"]',
  landmarks: '[data-testid="landmark"].taken',
  camp: '[data-testid="first-player"]',
  send: '[data-testid="opponent"] [data-testid="send-here"], [data-testid="opponent"] .name.glow',
  score: '[data-testid="solo"]',
  pass: '[data-testid="pass"]',
  pending: '[data-testid="pending"]',
};
const ZONES = {
  hand: '[data-testid="hand-card"]',
  town: '[data-testid="town"] [data-hero]',
  dungeon: '[data-testid="own"] .walker',
  rooms: '[data-testid="own"] [data-testid="room"]',
} as const;

function selector(spot: Spot, chapter: number, course: Course): string {
  if (typeof spot === "string") return PLACES[spot];
  if ("space" in spot) return `[data-testid="space"][data-key="space:${spot.space}"]`;
  const face = course.start(chapter)?.cards.find(({ name }) => name === spot.card)?.face;
  return `${ZONES[spot.in]}[data-face="${face}"]`;
}

const seen = (node: Element) => node.getClientRects().length > 0;

/** What the light falls on now: while a room is being placed, its place. */
export function litBy(course: Course, point: Point, root: ParentNode = document): Element[] {
  const all = (what: string) => [...root.querySelectorAll(what)].filter(seen);
  if (point.act) {
    const places = all('[data-testid="own"] [data-key^="place:"]');
    const sure = all('[data-testid="confirm"]');
    if (places.length + sure.length > 0) return [...places, ...sure];
  }
  const found = point.spots.flatMap((spot) => all(selector(spot, point.chapter, course)));
  // In text mode there is no board, but there are answers.
  return found.length > 0 || !point.act ? found : all('[data-testid="choice"], [data-testid="pass"]');
}

/** On a narrow screen: the tab of the town board behind which the point's spot is. */
export function tabFor(point: Point, root: ParentNode = document): HTMLElement | undefined {
  const parts = point.spots.map((spot) =>
    typeof spot === "object" ? ("space" in spot ? "landmarks" : undefined) : spot,
  );
  const tabs = parts.map((part) => part && root.querySelector(`[data-part="${part}"][aria-pressed="false"]`));
  return tabs.find((tab) => tab instanceof HTMLElement);
}

/** Where one acts: what the focus goes to. */
export function actedOn(node: Element | undefined): HTMLElement | undefined {
  if (!node) return undefined;
  return node instanceof HTMLButtonElement ? node : (node.querySelector("button") ?? undefined);
}

function overlap(a: Box, b: Box): number {
  const wide = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const high = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return Math.max(0, wide) * Math.max(0, high);
}

export function around(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

const touch = (a: Box, b: Box) =>
  overlap({ left: a.left - 2, top: a.top - 2, width: a.width + 4, height: a.height + 4 }, b) > 0;

/** Boxes that touch become one. */
export function merged(boxes: readonly Box[]): Box[] {
  return boxes.reduce<Box[]>((done, box) => {
    const near = done.filter((other) => touch(box, other));
    const one = around([box, ...near]) ?? box;
    const rest = done.filter((other) => !near.includes(other));
    return near.length > 0 ? merged([...rest, one]) : [...rest, one];
  }, []);
}

const GAP = 18;
const EDGE = 8;

/** The place for the words: over nothing that is lit, and as near to it as can be. */
export function placed(
  lit: readonly Box[],
  size: { width: number; height: number },
  screen: { width: number; height: number },
): { left: number; top: number } {
  const middle = { left: (screen.width - size.width) / 2, top: (screen.height - size.height) / 2 };
  const whole = around(lit);
  if (!whole) return { left: screen.width - size.width - EDGE, top: screen.height - size.height - EDGE };
  const [x, y] = [whole.left + whole.width / 2, whole.top + whole.height / 2];
  const across = x - size.width / 2;
  const along = y - size.height / 2;
  const wanted = [
    { left: across, top: whole.top + whole.height + GAP },
    { left: across, top: whole.top - size.height - GAP },
    { left: whole.left + whole.width + GAP, top: along },
    { left: whole.left - size.width - GAP, top: along },
    { left: middle.left, top: EDGE },
    { left: middle.left, top: screen.height },
    middle,
  ];
  const within = (at: number, most: number) => Math.max(EDGE, Math.min(at, most - EDGE));
  const places = wanted.map(({ left, top }) => ({
    left: within(left, screen.width - size.width),
    top: within(top, screen.height - size.height),
  }));
  const cost = (place: { left: number; top: number }) => {
    const box = { ...place, ...size };
    const hidden = lit.reduce((sum, each) => sum + overlap(box, each), 0);
    return hidden * 1000 + Math.hypot(place.left + size.width / 2 - x, place.top + size.height / 2 - y);
  };
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
}
