/** Whole games with the boxes that add something to the table, and how they look on both screens. */
import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { answerByKeys, ended, inAHurry, makeTable, playToTheEnd, watchErrors } from "./table";

async function accessible(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).analyze();
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

/** What is cut off or wider than the screen. */
const crowded = (page: Page) =>
  page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const cut = [...document.querySelectorAll<HTMLElement>('[data-testid="own"] .sums, .opponent header')]
      .map((node) => node.getBoundingClientRect())
      .filter(({ left, right }) => left < -1 || right > innerWidth + 1).length;
    const prompt = document.querySelector('[data-testid="prompt"]')?.getBoundingClientRect();
    return { wide: Math.max(0, wide), cut, asked: (prompt?.bottom ?? 0) <= innerHeight + 1 };
  });

/** Plays to the end by keys; on the way both screens are looked at once. */
async function wholeGame(
  page: Page,
  looksAt = 12,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  let n = 0;
  await playToTheEnd(page, async (at, turn) => {
    n += 1;
    await meanwhile();
    if (n === looksAt) {
      for (const size of [
        { width: 390, height: 844 },
        { width: 1440, height: 900 },
      ]) {
        await at.setViewportSize(size);
        await expect
          .poll(() => crowded(at), `${String(size.width)}`)
          .toEqual({ wide: 0, cut: 0, asked: true });
        await accessible(at);
      }
    }
    await answerByKeys(at, turn);
  });
  await expect(ended(page)).toBeVisible();
  await endFits(page);
}

/** However many have played, the end is on one screen; on a phone in two tabs, with turns wide enough for a finger. */
async function endFits(page: Page): Promise<void> {
  const over = () =>
    page.getByTestId("end").evaluate((end) => ({
      down: end.scrollHeight - end.clientHeight,
      across: document.documentElement.scrollWidth - innerWidth,
    }));
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByTestId("story")).toBeVisible();
  await expect(page.getByTestId("fairness")).toBeVisible();
  expect(await over()).toEqual({ down: 0, across: 0 });
  await page.setViewportSize({ width: 390, height: 844 });
  for (const tab of ["result", "story"]) {
    await page.getByTestId(`tab-${tab}`).click();
    expect(await over(), tab).toEqual({ down: 0, across: 0 });
  }
  const turn = await page.getByTestId("curve").locator("a").nth(1).boundingBox();
  expect(turn?.width).toBeGreaterThanOrEqual(44);
}

test("six players finish a game of Crash Landing; nothing is cut off on either screen", async ({ page }) => {
  test.setTimeout(420_000);
  const errors = watchErrors(page);
  await inAHurry(page);
  await makeTable(page, "Anna", {
    settings: { deck: "combo-crl", ruleset: "crash", players: 6, window_ms: 0 },
    bots: Array<string>(5).fill("kobold"),
    start: true,
  });
  await expect(page.locator('[data-testid="own"] .treasures .one')).toHaveCount(5, { timeout: 60_000 });
  await wholeGame(page);
  expect(errors).toEqual([]);
});
