import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { inAHurry, makeTable, nextQuestion, playNow, watchErrors } from "./table";

/** Nothing that would keep somebody out. */
async function accessible(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).analyze();
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

for (const size of sizes) {
  for (const path of [
    "/",
    "/cards",
    "/decks",
    "/own",
    "/rules",
    "/learn",
    "/puzzles",
    "/games",
    "/account",
    "/nowhere",
  ]) {
    test(`${path} at ${String(size.width)}: no error, no overflow, nobody kept out`, async ({ page }) => {
      const errors = watchErrors(page);
      await page.setViewportSize(size);
      await page.goto(path);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      await accessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      expect(errors).toEqual([]);
    });
  }

  test(`the table at ${String(size.width)}: nobody kept out, also in text mode`, async ({ page }) => {
    await inAHurry(page);
    await page.setViewportSize(size);
    await playNow(page);
    await nextQuestion(page);
    await accessible(page);
    await page.keyboard.press("t");
    await expect(page.getByTestId("text-table")).toBeVisible();
    await accessible(page);
  });
}

test("the title page loads less than 200 kB", async ({ page }) => {
  let bytes = 0;
  page.on("response", async (response) => {
    const size = (
      await response
        .request()
        .sizes()
        .catch(() => undefined)
    )?.responseBodySize;
    bytes += size ?? 0;
  });
  await page.goto("/");
  await expect(page.getByRole("button", { name: "Play now" })).toBeVisible();
  const painted = await page.evaluate(
    () =>
      performance.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint")
        ?.startTime ?? 0,
  );
  test.info().annotations.push({
    type: "first view",
    description: `${String(Math.round(painted))} ms, ${String(bytes)} bytes`,
  });
  expect(bytes).toBeLessThan(200_000);
});

test("decks, sets and variants are called by their titles", async ({ page }) => {
  await makeTable(page, "Anna", {
    settings: { deck: "tnl", variants: ["choose-boss"], players: 2, listed: true },
  });
  const said = { deck: "The Next Level", variant: "I Choose You" };
  await expect(page.getByTestId("waiting-room")).toContainText(said.deck);
  await expect(page.getByTestId("waiting-room")).toContainText(said.variant);
  await page.goto("/");
  const mine = page.getByRole("link", { name: /Anna.*Continue/ }).first();
  await expect(mine).toContainText(said.deck);
  await expect(mine).toContainText(said.variant);
  await page.goto("/cards/TNL001");
  await expect(page.getByRole("dialog")).toContainText(`${said.deck}, TNL001`);
  await expect(page.getByRole("combobox", { name: "Box" }).locator("option")).toContainText([
    "All boxes",
    "Master of the Dungeon",
    said.deck,
  ]);
});
