import { expect, test, type Page } from "@playwright/test";
import { inAHurry, makeTable, nextQuestion } from "./table";

/** What of the question and of the hand lies outside of the screen, and how much of the hand can be seen. */
const lies = (page: Page) =>
  page.evaluate(() => {
    const inside = ({ top, bottom, left, right }: DOMRect) =>
      top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    const prompt = document.querySelector('[data-testid="prompt"]');
    const asked = prompt ? [prompt, ...prompt.querySelectorAll("button, .sentence")] : [];
    return {
      outside: asked.filter((node) => !inside(node.getBoundingClientRect())).map((node) => node.textContent),
      hand: innerHeight - (document.querySelector('[data-testid="hand"]')?.getBoundingClientRect().top ?? 0),
      wide: document.documentElement.scrollWidth - innerWidth,
      bar: document.querySelector("header.bar")?.getBoundingClientRect().top,
    };
  });
const scroll = (page: Page, to: number) =>
  page.evaluate((top) => document.querySelector(".game")?.scrollTo({ top, behavior: "instant" }), to);

test("what is asked is on the screen, however small it is, and the rest can be scrolled to", async ({
  page,
}) => {
  await inAHurry(page);
  await makeTable(page, "Anna", {
    settings: { players: 4, window_ms: 0 },
    bots: ["kobold", "kobold", "kobold"],
    start: true,
  });
  await expect(page.getByTestId("prompt")).toBeVisible();
  // Bosses are chosen first, above the table.
  for (let n = 0; n < 6 && (await page.getByTestId("hand-card").count()) === 0; n += 1) {
    await nextQuestion(page);
    await page.keyboard.press("1");
    await page.waitForTimeout(200);
  }
  await nextQuestion(page);
  for (const [width, height] of [
    [640, 400],
    [740, 360],
    [853, 533],
    [960, 600],
    [1280, 633],
    [360, 560],
    [360, 620],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await scroll(page, 0);
    const first = await lies(page);
    expect({ width, height, outside: first.outside, wide: first.wide }).toEqual({
      width,
      height,
      outside: [],
      wide: 0,
    });
    expect(first.hand).toBeGreaterThan(60);
    // At the end everything of the hand has come up, and the question has not gone.
    await scroll(page, 10_000);
    expect((await lies(page)).outside).toEqual([]);
    const card = await page.getByTestId("hand-card").first().boundingBox();
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(height);
  }
  // A card that takes the focus does not push the bar away.
  await scroll(page, 0);
  for (let n = 0; n < 4; n += 1) await page.keyboard.press("ArrowRight");
  expect((await lies(page)).bar).toBe(0);
});
