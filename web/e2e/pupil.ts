/** Somebody who goes through the tutorial and does what the guide says. */
import { expect, type Page } from "@playwright/test";

export interface Learnt {
  /** What there was to read; nobody reads the same sentence twice. */
  words: number;
  /** Clicks. */
  actions: number;
  /** The points, in order. */
  points: string[];
}

/** A steady reader, and somebody who looks before each click: what a tutorial would take them, in seconds. */
export const WORDS_A_MINUTE = 200;
export const CLICK = 3;
export const pace = ({ words, actions }: Learnt) => (words / WORDS_A_MINUTE) * 60 + actions * CLICK;

const guideOf = (page: Page) => page.getByTestId("guide");

/** Which point is told now, once its words are there. */
export async function pointOf(page: Page): Promise<string> {
  await expect(guideOf(page).getByRole("heading")).toBeVisible({ timeout: 60_000 });
  return (await guideOf(page).getAttribute("data-point")) ?? "";
}

/** From the point that is shown to `until`. */
export async function learn(
  page: Page,
  seen: (point: string) => Promise<void> = async () => undefined,
  until = "win",
  course = "/learn",
): Promise<Learnt> {
  const learnt: Learnt = { words: 0, actions: 0, points: [] };
  if (!page.url().endsWith(course)) await page.goto(course);
  for (;;) {
    const point = await pointOf(page);
    const said = await guideOf(page).locator(".said").innerText();
    learnt.words += said.split(/\s+/).filter(Boolean).length;
    learnt.points.push(point);
    await seen(point);
    if (point === until) return learnt;
    learnt.actions += await doAsTold(page);
    await expect(guideOf(page)).not.toHaveAttribute("data-point", point);
  }
}

/** Goes on, or makes the one move that glows: a card and its place, a target, a pass. Says how many clicks it took. */
async function doAsTold(page: Page): Promise<number> {
  const next = guideOf(page).getByRole("button", { name: "Continue" });
  const pass = page.getByTestId("pass");
  const hero = page.locator('button[data-testid="hero"]');
  const piece = page.locator(
    ["miniboss", "item", "offer", "space"].map((one) => `[data-testid="${one}"] button`).join(", ") +
      ', [data-testid="send-here"]',
  );
  const hand = page.locator('[data-testid="hand-card"]:not(.idle) button');
  // A card that is being placed shows where it would lie, and can be clicked there too.
  const place = page.locator('[data-testid="own"] [data-key^="place:"] button').first();
  const confirm = page.getByTestId("confirm");
  await expect(next.or(pass).or(hero).or(piece).or(hand).first()).toBeVisible();
  if (await next.isVisible()) await next.click();
  else if ((await hero.or(piece).count()) > 0 || (await hand.isVisible())) {
    const before = await pointOf(page);
    const goesOn = async () => (await guideOf(page).getAttribute("data-point")) !== before;
    if ((await hero.or(piece).count()) > 0) await hero.or(piece).first().click();
    else await hand.click({ position: { x: 30, y: 20 } });
    // A room wants a place; what a spell will do is shown first.
    const moved = async () => (await goesOn()) || (await place.or(confirm).count()) > 0;
    await expect.poll(moved).toBe(true);
    if (await goesOn()) return 1;
    await ((await place.count()) > 0 ? place : confirm).click();
    return 2;
  } else await pass.click();
  return 1;
}
