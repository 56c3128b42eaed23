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

const open = (page: Page) => page.locator('[data-testid="prompt"].open');

/** Whoever is asked, as soon as every page shows the same moment. */
async function asked(pages: readonly Page[]): Promise<Page> {
  let found: Page | undefined;
  await expect
    .poll(async () => {
      const moments = await Promise.all(
        pages.map((page) => page.getByTestId("prompt").getAttribute("data-seq")),
      );
      const asked = await Promise.all(pages.map((page) => open(page).isVisible()));
      found = pages[asked.indexOf(true)];
      return new Set(moments).size === 1 && found !== undefined;
    })
    .toBe(true);
  return found as Page;
}

/** The first answer of the list. */
async function answer(page: Page): Promise<void> {
  const before = (await page.getByTestId("prompt").getAttribute("data-seq")) ?? "";
  await page.keyboard.press("c");
  await page.getByRole("dialog").getByTestId("choice").first().click();
  await expect(page.getByTestId("prompt")).not.toHaveAttribute("data-seq", before);
}

test("the host removes somebody before the game", async ({ browser }) => {
  const [anna, ben] = [await somebody(browser), await somebody(browser)];
  const errors = [anna, ben].map(watchErrors);
  await anna.goto("/");
  await anna.getByRole("button", { name: "Play with friends" }).click();
  await expect(anna.getByTestId("waiting-room")).toBeVisible();
  await comeIn(ben, anna.url(), "Ben");
  await ben.getByTestId("sit").first().click();
  await expect(ben.getByTestId("sit")).toHaveCount(0);
  await expect(ben.getByTestId("remove")).toHaveCount(0);
  await anna.getByRole("button", { name: "Remove Ben" }).click();
  await expect(ben.getByTestId("removed")).toContainText("The host has removed you");
  await expect(ben.getByTestId("sit")).toHaveCount(0);
  await expect(anna.getByTestId("add-bot")).toHaveCount(3);
  expect(errors).toEqual([[], []]);
});

test("three play and a fourth watches: taking back by consent, watching without seeing hands, and a rematch", async ({
  browser,
}) => {
  const pages = [];
  for (let n = 0; n < 4; n += 1) pages.push(await somebody(browser));
  const [anna, ben, carl, dora] = pages as [Page, Page, Page, Page];
  const [players, errors] = [[anna, ben, dora], pages.map(watchErrors)];

  // A table through the page itself: "Play with friends".
  await anna.goto("/");
  await anna.getByText("Name, opponents, deck").click();
  await anna.getByRole("textbox", { name: "Your name" }).fill("Anna");
  await anna.getByRole("button", { name: "Play with friends" }).click();
  const options = anna.getByTestId("options");
  await options.locator("summary").click();
  await options.getByRole("radio", { name: "3", exact: true }).check({ force: true });
  await expect(anna.getByTestId("seat")).toHaveCount(3);
  const wait = options.getByRole("combobox", { name: "Time to respond" });
  await wait.selectOption({ label: "No wait" });
  for (const [page, name] of [
    [ben, "Ben"],
    [dora, "Dora"],
  ] as const) {
    await comeIn(page, anna.url(), name);
    await page.getByTestId("sit").first().click();
  }
  await anna.getByTestId("start").click();
  await expect(anna.getByTestId("prompt")).toBeVisible();
  await comeIn(carl, anna.url(), "Carl");

  // Carl sees the dungeons, no hand, and has nothing to answer.
  await expect(carl.getByTestId("board")).toBeVisible();
  await expect(carl.getByTestId("hand-card")).toHaveCount(0);
  await expect(carl.getByTestId("undo")).toHaveCount(0);
  await expect(carl.getByText("You are watching.")).toBeVisible();

  // Rooms lie face down until the last player has built: so the first must ask once the second has built too.
  const mustAsk = async (page: Page) =>
    /must agree/.test((await page.getByTestId("undo").getAttribute("aria-label")) ?? "");
  let asks: Page | undefined;
  for (let n = 0; n < 20 && !asks; n += 1) {
    await answer(await asked(players));
    await asked(players);
    for (const page of players) if (await mustAsk(page)) asks = page;
  }
  expect(asks, "somebody who has built, and somebody else after").toBeDefined();
  if (!asks) return;
  const [one, other] = players.filter((page) => page !== asks) as [Page, Page];
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Allow an undo?" });
  const says = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();
  const moment = async () => Number(await asks.getByTestId("prompt").getAttribute("data-seq"));

  const before = await moment();
  // One who does not agree is enough.
  await asks.getByTestId("undo").click();
  await says(one, "Allow");
  await expect(dialog(one)).toBeHidden();
  await says(other, "Refuse");
  await expect(asks.getByTestId("toast").first()).toContainText("does not agree");
  expect(await moment()).toBe(before);
  await asks.getByTestId("undo").click();
  await expect(asks.getByTestId("undo-request")).toBeVisible();
  for (const page of [one, other]) await says(page, "Allow");
  await expect.poll(moment).toBeGreaterThan(before);
  expect(await asked(players)).toBe(asks);

  // Anna and Dora give up; everybody hears of it, and Ben wants to see that again.
  for (const page of [anna, dora]) {
    await page.getByTestId("menu").click();
    await page.getByTestId("resign").click();
    await page.getByTestId("resign-sure").click();
  }
  for (const page of pages) await expect(ended(page)).toBeVisible();
  await expect(ben.getByTestId("end")).toContainText("You win!");
  await expect(carl.getByTestId("rematch")).toHaveCount(0);
  await ben.getByTestId("rematch").click();
  // Nobody is seated unasked.
  await expect(ben.getByTestId("proposal")).toContainText("Waiting for Anna and Dora");
  await expect(carl.getByTestId("proposal")).toHaveCount(0);
  for (const page of [anna, dora]) {
    await expect(page.getByTestId("proposal")).toContainText("Ben would like a rematch");
    await page.getByTestId("agree").click();
  }
  for (const page of [ben, anna, dora]) {
    await page.getByTestId("to-rematch").click();
    await expect(page.getByTestId("board").or(page.getByTestId("waiting-room"))).toBeVisible();
  }
  if (await ben.getByTestId("start").isVisible()) await ben.getByTestId("start").click();
  for (const page of players) await expect(page.getByTestId("prompt")).toBeVisible();
  await asked(players);
  expect(errors).toEqual([[], [], [], []]);
});
