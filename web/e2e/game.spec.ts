import { expect, test } from "@playwright/test";
import { answerByKeys, answerByMouse, inAHurry, playNow, playToTheEnd, watchErrors } from "./table";

test.beforeEach(async ({ page }) => inAHurry(page));

test("a whole game against a bot, by mouse, and its replay", async ({ page }) => {
  const errors = watchErrors(page);
  await playNow(page);
  const answers = await playToTheEnd(page, answerByMouse);
  expect(answers).toBeGreaterThan(5);
  await expect(page.getByTestId("rematch")).toBeVisible();
  await page.getByTestId("replay").click();
  await expect(page).toHaveURL(/\/replay\//);
  await expect(page.getByTestId("board")).toBeVisible();
  expect(errors).toEqual([]);
});

test("a whole game against a bot, by keyboard only", async ({ page }) => {
  const errors = watchErrors(page);
  await page.goto("/");
  // From the top of the page to "Play now" with Tab and Enter.
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.textContent?.trim())) === "Play now") break;
  }
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("prompt")).toBeVisible();
  expect(await playToTheEnd(page, answerByKeys)).toBeGreaterThan(5);
  expect(errors).toEqual([]);
});

test("on a phone a game can be played, too", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await inAHurry(page);
  const errors = watchErrors(page);
  await playNow(page);
  const seq = async () => Number(await page.getByTestId("prompt").getAttribute("data-seq"));
  const before = await seq();
  for (let n = 0; n < 12; n += 1) await answerByMouse(page, n * 3 + 2).then(() => page.waitForTimeout(150));
  expect(await seq()).toBeGreaterThan(before + 8);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
  expect(errors).toEqual([]);
  await context.close();
});
