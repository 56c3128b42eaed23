/** Super Boss Monster and the games for one, with a mouse. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { learn, pace } from "./pupil";
import {
  answerByMouse,
  confirmIfAsked,
  ended,
  inAHurry,
  nextQuestion,
  playToTheEnd,
  seqOf,
  watchErrors,
} from "./table";

/** On the town board by a click on the thing itself; everything else as at any table. */
async function answer(page: Page, n: number): Promise<void> {
  const things = page.locator(
    '[data-testid="offer"] button, [data-testid="space"] button, [data-testid="send-here"]',
  );
  const count = await things.count();
  if (count === 0) return answerByMouse(page, n);
  await things.nth(n % count).click();
  await confirmIfAsked(page);
}

test("a whole solo game, from the title page to the badge", async ({ page }) => {
  await inAHurry(page);
  const errors = watchErrors(page);
  await page.goto("/");
  await page.getByTestId("play-solo").click();
  await expect(page.getByTestId("solo")).toBeVisible();
  await expect(page.getByTestId("opponent")).toHaveCount(0);
  await playToTheEnd(page, answer);
  await expect(page.getByTestId("end").getByTestId("badge")).toBeVisible();
  const title = await page.getByTestId("end").getByRole("heading", { level: 1 }).textContent();
  const score = Number(await page.getByTestId("score").textContent());
  await page.getByRole("link", { name: "Your titles" }).click();
  await expect(page.getByTestId("titles")).toContainText(title ?? "");
  await expect(page.getByTestId("titles")).toContainText(`Best score ${String(score)}`);
  expect(errors).toEqual([]);
});

test("a game of Super Boss Monster against a bot", async ({ page }) => {
  await inAHurry(page);
  const errors = watchErrors(page);
  await page.goto("/");
  await page.getByRole("radio", { name: "Super Boss Monster" }).check({ force: true });
  await page.getByRole("radio", { name: /^Kobold/ }).check({ force: true });
  await page.getByRole("button", { name: "Play now" }).click();
  await expect(page.getByTestId("market")).toBeVisible();
  await expect(page.getByTestId("landmark")).toHaveCount(5);
  await expect(page.getByTestId("place")).toHaveCount(2);
  const answers = await playToTheEnd(page, answer);
  expect(answers).toBeGreaterThan(5);
  await expect(page.getByTestId("end")).toBeVisible();
  expect(errors).toEqual([]);
});

test("the town board is labelled, fits a phone, and has the question within reach", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await inAHurry(page);
  const errors = watchErrors(page);
  await page.goto("/");
  await page.getByTestId("play-challenge").click();
  for (let n = 0; n < 8 && (await nextQuestion(page)) === "asked"; n += 1) {
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(390);
    // All five landmarks are side by side, whenever they are shown.
    const ends = await page
      .getByTestId("landmark")
      .evaluateAll((sites) => sites.map((site) => site.getBoundingClientRect().right));
    expect(Math.max(0, ...ends)).toBeLessThanOrEqual(391);
    const before = await seqOf(page);
    const things = page.locator('[data-testid="offer"] button, [data-testid="space"] button');
    if ((await things.count()) > 0) {
      const { violations } = await new AxeBuilder({ page }).include('[data-testid="town"]').analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`)).toEqual([]);
    }
    await answer(page, n);
    await expect
      .poll(async () => (await ended(page).isVisible()) || (await seqOf(page)) !== before, {
        timeout: 20_000,
      })
      .toBe(true);
  }
  expect(errors).toEqual([]);
});

test("today's dungeon has one attempt, and its score is listed", async ({ page }) => {
  await inAHurry(page);
  await page.goto("/");
  await page.getByTestId("play-daily").click();
  await page.getByTestId("daily-play").click();
  await expect(page.getByTestId("solo")).toBeVisible();
  const table = page.url();
  await page.goto("/solo");
  await page.getByRole("button", { name: "Go on with your attempt" }).click();
  await expect(page).toHaveURL(table);
  await playToTheEnd(page, answer);
  await page.getByRole("link", { name: "Today's scores" }).click();
  await expect(page.getByTestId("scores").locator(".you")).toHaveCount(1, { timeout: 15_000 });
  await expect(page.getByTestId("daily-play")).toHaveCount(0);
});

for (const [course, last, points] of [
  ["super", "sent", 12],
  ["solo", "title", 10],
] as const)
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])
    test(`the lesson ${course} goes from its first point to its last at ${String(size.width)}`, async ({
      page,
    }) => {
      await page.setViewportSize(size);
      await inAHurry(page);
      const errors = watchErrors(page);
      const shots = process.env["LESSON_SHOTS"];
      const look = async (point: string) => {
        await expect(page.locator(".ring").first(), point).toBeVisible();
        if (shots) await page.screenshot({ path: `${shots}/${course}-${String(size.width)}-${point}.png` });
      };
      const learnt = await learn(page, look, last, `/learn/${course}`);
      expect(learnt.points).toHaveLength(points);
      expect(pace(learnt)).toBeLessThan(4 * 60);
      expect(errors).toEqual([]);
    });
