import { expect, test, type Page } from "@playwright/test";
import { answerByMouse, inAHurry, playToTheEnd, watchErrors } from "./table";

test.beforeEach(async ({ page }) => inAHurry(page));

const editor = (page: Page) => page.getByRole("textbox", { name: "The card file" });
const status = (page: Page) => page.getByTestId("status");
const make = (page: Page) => page.getByRole("button", { name: "Make a table" });
const drawn = (page: Page, name: RegExp | string) =>
  page.getByTestId("own-card").filter({ has: page.getByRole("button", { name }) });

const CELLAR = `set HOME "From the cellar"

room "Damp Cellar" x20
  -  trap  damge 2  mage  house
  when this built
    draw spell 1
`;

test("a card is typed with a mistake, mended, drawn, and played at a shared table", async ({
  page,
  browser,
}) => {
  const errors = watchErrors(page);
  await page.goto("/cards");
  await page.getByRole("link", { name: "Own cards" }).click();
  await expect(drawn(page, /Goblin Dentist/)).toBeVisible();

  await editor(page).fill(CELLAR);
  await expect(page.getByTestId("problem")).toContainText("unknown fact `damge`");
  await expect(page.getByTestId("problem")).toContainText("did you mean `damage`?");
  await expect(make(page)).toBeDisabled();
  // The message leads to the word, which is typed over.
  await page.getByRole("button", { name: "line 4, column 12" }).click();
  await page.keyboard.type("damage");
  await expect(status(page)).toHaveText("No problems: 1 card can be played.");
  await expect(drawn(page, /Damp Cellar/)).toContainText("draw a spell");

  // It is still there after a visit elsewhere.
  await page.reload();
  await expect(editor(page)).toHaveValue(/damage 2/);
  await expect(make(page)).toBeEnabled();
  await make(page).click();
  await expect(page.getByTestId("own-cards")).toContainText("This table uses 1 card of its own.");

  // A friend opens the link, and reads before sitting down.
  const other = await browser.newContext();
  const friend = await other.newPage();
  await inAHurry(friend);
  await friend.goto(page.url());
  await friend.getByTestId("own-cards").getByText("Show the cards").click();
  await drawn(friend, /Damp Cellar/)
    .getByRole("button")
    .click();
  await expect(friend.getByRole("dialog", { name: "Damp Cellar" })).toContainText("own card");
  await friend.keyboard.press("Escape");
  await friend.getByRole("textbox").fill("Ben");
  await friend.keyboard.press("Enter");
  await friend.getByTestId("sit").first().click();
  await expect(page.getByTestId("seat").filter({ hasText: "Ben" })).toBeVisible();
  await friend.getByRole("button", { name: "Stand up" }).click();
  await expect(page.getByTestId("seat").filter({ hasText: "Ben" })).toHaveCount(0);
  await other.close();

  await page.getByTestId("start").click();
  await expect(page.getByTestId("prompt")).toBeVisible();
  await playToTheEnd(page, answerByMouse);
  expect(errors).toEqual([]);
});

test("every card to begin with is fine, and a file is opened", async ({ page }) => {
  const errors = watchErrors(page);
  await page.goto("/own");
  for (const kind of ["Room", "Spell", "Boss", "Hero", "Epic hero", "Item", "Miniboss"]) {
    await page.getByRole("combobox", { name: "Add a card" }).selectOption({ label: kind });
  }
  await expect(status(page)).toHaveText("No problems: 9 cards can be played.");
  await page.getByTestId("file").setInputFiles({
    name: "strange.cards",
    mimeType: "text/plain",
    buffer: Buffer.from('set HOME "<b>"\nroom "<img src=x onerror=alert(1)>"\n  -  trap  damage 1  house\n'),
  });
  await expect(drawn(page, /<img src=x/)).toBeVisible();
  await expect(page.locator("img[src=x]")).toHaveCount(0);
  await page.getByTestId("file").setInputFiles({
    name: "picture.cards",
    mimeType: "text/plain",
    buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  });
  await expect(page.getByRole("alert")).toContainText("not plain text");
  expect(errors).toEqual([]);
});
