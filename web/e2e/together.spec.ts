import { expect, test, type Browser, type Page } from "@playwright/test";
import { ended, inAHurry, watchErrors } from "./table";

async function somebody(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await inAHurry(page);
  return page;
}

async function comeIn(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.locator("#guest-name").fill(name);
  await page.keyboard.press("Enter");
}

/** The first room to the first place if there is one, by keys; else no, a pass, or whatever comes first. */
async function build(page: Page): Promise<void> {
  const answers = page.getByTestId("answer");
  if ((await answers.count()) > 0) return answers.last().click();
  const rooms = await page.locator('[data-testid="hand-card"]:not(.idle)').count();
  for (const key of rooms > 0 ? ["1", "1"] : ["p", "1"]) {
    if (await open(page).isVisible()) await page.keyboard.press(key);
  }
}

const open = (page: Page) => page.locator('[data-testid="prompt"].open');

test("two play and a third watches: taking back by consent, watching without seeing hands, and a rematch", async ({
  browser,
}) => {
  const [anna, ben, carl] = [await somebody(browser), await somebody(browser), await somebody(browser)];
  const errors = [anna, ben, carl].map(watchErrors);

  // A table through the page itself: "With friends".
  await anna.goto("/");
  await anna.getByRole("button", { name: "With friends" }).click();
  const form = anna.getByRole("dialog");
  await form.getByRole("textbox", { name: "Your name" }).fill("Anna");
  await form.getByRole("combobox", { name: "Time to respond" }).selectOption({ label: "Pass at once" });
  // Whatever the deal, the game is not over before everything here was tried.
  await form.getByRole("checkbox", { name: "Unlimited Lives" }).check({ force: true });
  await form.getByRole("button", { name: "Open the table" }).click();
  await expect(anna.getByTestId("waiting-room")).toBeVisible();
  await comeIn(ben, anna.url(), "Ben");
  await ben.getByTestId("sit").first().click();
  await anna.getByTestId("start").click();
  await expect(anna.getByTestId("prompt")).toBeVisible();
  await comeIn(carl, anna.url(), "Carl");

  // Carl sees the dungeons, no hand, and has nothing to answer.
  await expect(carl.getByTestId("board")).toBeVisible();
  await expect(carl.getByTestId("hand-card")).toHaveCount(0);
  await expect(carl.getByTestId("undo")).toHaveCount(0);
  await expect(carl.getByText("You are watching.")).toBeVisible();

  // Both wish to be asked in every window: so nothing is passed for them, and a room lies face down for a while.
  for (const page of [anna, ben]) {
    await page.getByTestId("menu").click();
    await page.getByRole("radio", { name: "In every window" }).check();
    await page.keyboard.press("Escape");
  }
  // Whoever is asked builds, until somebody may take back only if the other agrees.
  let [asks, agrees] = [anna, ben];
  await expect
    .poll(
      async () => {
        for (const [mine, other] of [
          [anna, ben],
          [ben, anna],
        ] as const) {
          const said = (await mine.getByTestId("undo").getAttribute("aria-label")) ?? "";
          if (/must agree/.test(said)) {
            [asks, agrees] = [mine, other];
            return true;
          }
          await build(mine);
        }
        return false;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  const turnedBack = async (yes: boolean) => {
    await asks.getByTestId("undo").click();
    const dialog = agrees.getByRole("dialog", { name: "Take back?" });
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: yes ? "Let them" : "No", exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(asks.getByTestId("toast").first()).toBeVisible();
  };
  const before = Number(await asks.getByTestId("prompt").getAttribute("data-seq"));
  await turnedBack(false);
  await turnedBack(true);
  await expect
    .poll(async () => Number(await asks.getByTestId("prompt").getAttribute("data-seq")))
    .toBeGreaterThan(before);
  await expect(open(asks)).toBeVisible();

  // Anna gives up; everybody hears of it, and Ben wants to see that again.
  await anna.getByTestId("menu").click();
  await anna.getByTestId("resign").click();
  await anna.getByTestId("resign-sure").click();
  for (const page of [anna, ben, carl]) await expect(ended(page)).toBeVisible();
  await expect(ben.getByTestId("end")).toContainText("You win!");
  await expect(carl.getByTestId("rematch")).toHaveCount(0);
  await ben.getByTestId("rematch").click();
  for (const page of [ben, anna]) {
    await page.getByTestId("to-rematch").click();
    await expect(page.getByTestId("board").or(page.getByTestId("waiting-room"))).toBeVisible();
  }
  if (await ben.getByTestId("start").isVisible()) await ben.getByTestId("start").click();
  for (const page of [anna, ben]) await expect(page.getByTestId("prompt")).toBeVisible();
  await expect.poll(async () => (await open(anna).isVisible()) || (await open(ben).isVisible())).toBe(true);
  expect(errors).toEqual([[], [], []]);
});
