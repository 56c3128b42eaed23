import { expect, test } from "@playwright/test";
import { learn, pace, pointOf, WORDS_A_MINUTE } from "./pupil";
import { inAHurry, watchErrors } from "./table";

const LESSONS = ["build", "lure", "wound", "kill", "level", "spell", "answer", "win"];

test("the tutorial covers everything, waits at every point, and is short", async ({ page }) => {
  const errors = watchErrors(page);
  await inAHurry(page);
  const learnt = await learn(page);
  console.log(
    `tutorial: ${String(learnt.words)} words, ${String(learnt.actions)} clicks, ` +
      `${String(Math.round(pace(learnt)))} s without animations at ${String(WORDS_A_MINUTE)} words a minute`,
  );
  const learned = page.locator('[data-testid="lesson"].seen');
  expect(
    await learned.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["lesson"])),
  ).toEqual(LESSONS);
  await expect(page.locator('[data-testid="own"] [data-spot^="souls"]')).toContainText("10");
  // Every time in the same way; a card that shows first what it does takes a click more.
  expect(learnt.points).toHaveLength(15);
  expect(learnt.actions).toBeLessThan(25);
  // The animations take less than a minute (`npm run shots -- -g tutorial`).
  expect(pace(learnt)).toBeLessThan(4 * 60);
  expect(errors).toEqual([]);
});

test("the tutorial can be left and goes on where it was; it begins again when asked to", async ({ page }) => {
  await inAHurry(page);
  await learn(page, undefined, "second");
  await page.getByTestId("guide").getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL("/");
  await page.goto("/learn");
  expect(await pointOf(page)).toBe("second");
  await learn(page, undefined, "lure");
  await page.getByTestId("guide").getByRole("button", { name: "Start over" }).click();
  await expect(page.getByTestId("guide")).toHaveAttribute("data-point", "boss");
});

for (const [course, last, lessons] of [
  ["minibosses", "third", ["coins", "miniboss", "promote", "power"]],
  ["items", "faceDown", ["carried", "claimed", "used"]],
] as const) {
  test(`the lesson on ${course} takes two minutes and teaches all of it`, async ({ page }) => {
    const errors = watchErrors(page);
    await inAHurry(page);
    const learnt = await learn(page, undefined, last, `/learn/${course}`);
    expect(pace(learnt)).toBeLessThan(2 * 60);
    const learned = page.locator('[data-testid="lesson"].seen');
    expect(
      await learned.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["lesson"])),
    ).toEqual(lessons);
    expect(errors).toEqual([]);
  });
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`at ${String(size.width)} the tutorial's words never cover what they are about`, async ({ page }) => {
    await inAHurry(page);
    await page.setViewportSize(size);
    await learn(page, async (point) => {
      const covered = () =>
        page.evaluate(() => {
          const box = (node: Element) => node.getBoundingClientRect();
          const words = box(document.querySelector('[data-testid="guide"]') as Element);
          return [...document.querySelectorAll(".ring")].filter((ring) => {
            const lit = box(ring);
            const clear =
              lit.right <= words.left ||
              lit.left >= words.right ||
              lit.bottom <= words.top ||
              lit.top >= words.bottom;
            return !clear || lit.bottom < 50 || lit.top > innerHeight;
          }).length;
        });
      await expect(page.locator(".ring").first(), point).toBeVisible();
      await expect.poll(covered, point).toBe(0);
    });
  });
}

test("the whole tutorial can be done with Enter: the focus is where one goes on", async ({ page }) => {
  await inAHurry(page);
  await page.goto("/learn");
  for (let n = 0; n < 40; n += 1) {
    const point = await pointOf(page);
    if (point === "win") return;
    const guide = page.getByTestId("guide");
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused, point).toBe("BUTTON");
    await page.keyboard.press("Enter");
    // A chosen room is confirmed with Enter too.
    const chosen = page.getByTestId("confirm");
    await expect(async () => {
      if (await chosen.isVisible()) await page.keyboard.press("Enter");
      expect(await guide.getAttribute("data-point")).not.toBe(point);
    }).toPass();
  }
  throw new Error("the tutorial does not end");
});
