import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { inAHurry, watchErrors } from "./table";

async function accessible(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).analyze();
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`at ${String(size.width)}: one click to a link for friends, one more to the game; the lobby is at hand`, async ({
    page,
    browser,
  }) => {
    const errors = watchErrors(page);
    await inAHurry(page);
    await page.setViewportSize(size);
    await page.goto("/");
    await page.getByRole("button", { name: "Play with friends" }).click();
    await expect(page.getByTestId("qr")).toBeInViewport();
    const link = await page.locator("#table-link").inputValue();
    expect(link).toBe(page.url());
    await expect(page.getByTestId("missing")).toContainText("Send your friends the link");
    await page.getByTestId("options").locator("summary").click();
    await page.getByRole("checkbox", { name: /Show in the lobby/ }).check();
    await accessible(page);

    const ben = await (await browser.newContext({ viewport: size })).newPage();
    await inAHurry(ben);
    await ben.goto("/");
    const lobby = ben.getByRole("button", { name: /^Lobby/ });
    await expect(lobby).toBeInViewport({ ratio: 1 });
    await lobby.click();
    const there = ben
      .getByTestId("lobby")
      .getByTestId("table-link")
      .and(ben.locator(`[href="${new URL(link).pathname}"]`));
    await expect(there).toContainText("3 of 4 seats free");
    await expect(there).toContainText("Master of the Dungeon");
    await accessible(ben);
    await there.click();
    await ben.locator("#guest-name").fill("Ben");
    await ben.keyboard.press("Enter");
    await ben.getByTestId("sit").first().click();

    await expect(page.getByTestId("missing")).toContainText("2 of you are here");
    await expect(page.getByTestId("start")).toHaveText("Start with 2 players");
    await page.getByTestId("start").click();
    for (const player of [page, ben]) {
      await expect(player.getByTestId("prompt")).toBeVisible();
      await expect(player.getByTestId("opponent")).toHaveCount(1);
    }
    await ben.context().close();
    expect(errors).toEqual([]);
  });
}

test("alone, one click fills the table with bots of the chosen level and starts", async ({ page }) => {
  await inAHurry(page);
  await page.goto("/");
  await page.getByRole("button", { name: "Play with friends" }).click();
  await page.getByRole("combobox", { name: "Bots" }).selectOption({ label: "Kobold" });
  await page.getByTestId("start").click();
  await expect(page.getByTestId("opponent")).toHaveCount(3);
  await expect(page.getByTestId("opponent").first()).toContainText("Kobold");
});
