/** Somebody who goes through the tutorial and does what the guide says. */
import { expect, type Page } from "@playwright/test";
import { confirmIfAsked } from "./table";

export interface Learnt {
  /** What there was to read, from the first page to the last word; nobody reads the same sentence twice. */
  words: number;
  /** Clicks. */
  actions: number;
  /** Lessons that happened, by name; the others were told at the end. */
  happened: string[];
  told: string[];
}

/** A steady reader, and somebody who looks before each click: what a tutorial would take them, in seconds. */
export const WORDS_A_MINUTE = 200;
export const CLICK = 3;
export const pace = ({ words, actions }: Learnt) => (words / WORDS_A_MINUTE) * 60 + actions * CLICK;

export async function learn(
  page: Page,
  seen: (said: string, words: number) => Promise<void> = async () => undefined,
): Promise<Learnt> {
  const read = new Set<string>();
  let words = 0;
  let actions = 0;
  const reads = async (text: string) => {
    if (read.has(text)) return;
    read.add(text);
    const count = text.split(/\s+/).filter(Boolean).length;
    words += count;
    await seen(text, count);
  };
  await page.goto("/learn");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await reads(await page.locator("main").innerText());
  await page.getByRole("button", { name: /^Start/ }).click();
  actions += 1;
  const guide = page.getByTestId("guide");
  await expect(guide).toBeVisible();
  const done = guide.getByText("That's the game");
  const onwards = guide.getByRole("button", { name: "Continue" });
  const prompt = page.getByTestId("prompt");
  const said = () => guide.locator(".said").innerText();
  const now = async () => `${String(await prompt.getAttribute("data-seq"))} ${await said()}`;
  const asked = page.locator('[data-testid="prompt"].open');
  for (;;) {
    await reads(await said());
    if (await done.isVisible()) break;
    const before = await now();
    if (await onwards.isVisible()) await onwards.click();
    else if (await asked.isVisible()) await doAsTold(page);
    else {
      // Something is being shown; then the guide speaks, or a question opens.
      const ready = async () => (await now()) !== before || (await onwards.or(asked).first().isVisible());
      await expect.poll(ready, { timeout: 120_000, intervals: [50] }).toBe(true);
      continue;
    }
    actions += 1;
    await expect.poll(now).not.toBe(before);
  }
  await expect(done).toBeVisible();
  const told = await guide.locator(".missed").allInnerTexts();
  const happened = await guide
    .locator('[data-testid="lesson"].seen')
    .evaluateAll((nodes) => nodes.map((node) => (node as HTMLElement).dataset["lesson"] ?? ""));
  return { words, actions, happened, told };
}

/** Chooses whatever glows: a card and its place, a target, an answer; or passes. */
async function doAsTold(page: Page): Promise<void> {
  const place = page
    .locator('[data-testid="new-place"] button')
    .or(page.locator('[data-key^="place:"] button'));
  const picker = page.getByTestId("card-picker").getByRole("button");
  const hand = page.locator('[data-testid="hand-card"]:not(.idle) button');
  const target = page.locator('button[data-testid="hero"], [data-testid="room"] button');
  const answer = page.getByTestId("answer").or(page.getByTestId("pass"));
  if ((await picker.count()) > 0) return picker.first().click();
  if ((await hand.count()) > 0) {
    const seq = await page.getByTestId("prompt").getAttribute("data-seq");
    await hand.first().click({ position: { x: 30, y: 20 } });
    // A room wants a place; a spell is shown first.
    const moved = async () =>
      (await place.count()) > 0 ||
      (await page.getByTestId("confirm").isVisible()) ||
      (await page.getByTestId("prompt").getAttribute("data-seq")) !== seq;
    await expect.poll(moved).toBe(true);
    if ((await page.getByTestId("prompt").getAttribute("data-seq")) !== seq) return;
    if ((await place.count()) === 0) return confirmIfAsked(page);
    await place.first().click();
    return confirmIfAsked(page);
  }
  if ((await target.count()) > 0) {
    await target.first().click();
    return confirmIfAsked(page);
  }
  await answer.first().click();
}
