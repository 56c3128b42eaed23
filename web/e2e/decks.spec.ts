import { expect, test, type Page } from "@playwright/test";
import { inAHurry, watchErrors } from "./table";

test.beforeEach(async ({ page }) => inAHurry(page));

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 2, name, exact: true });
const editor = (page: Page) => page.getByRole("textbox", { name: "The deck as text" });
const copies = (page: Page, name: string) => page.getByLabel(new RegExp(`^\\d+ of ${name}$`));

test("a built-in deck shows its balance and its cards, and starts a table", async ({ page }) => {
  const errors = watchErrors(page);
  await page.goto("/decks");
  await page.getByRole("radio", { name: /^The Next Level/ }).check({ force: true });
  await expect(heading(page, "The Next Level")).toBeVisible();
  await expect(page.getByText("Treasure on rooms")).toBeVisible();
  await page.getByRole("button", { name: "Play this deck" }).click();
  await expect(page.getByTestId("settled")).toContainText("The Next Level");
  await page.getByTestId("start").click();
  await expect(page.getByTestId("prompt")).toBeVisible();
  expect(errors).toEqual([]);
});

test("both boxes together seat six players", async ({ page }) => {
  await page.goto("/decks");
  await page.getByRole("radio", { name: /^Mash-up/ }).check({ force: true });
  await page.getByRole("button", { name: "Play this deck" }).click();
  await page.getByTestId("options").locator("summary").click();
  await page.getByRole("radio", { name: "6", exact: true }).check({ force: true });
  await expect(page.getByTestId("seat")).toHaveCount(6);
  await expect(page.getByTestId("settled")).toContainText("Unlimited Lives");
});

const asText = (page: Page) => page.getByRole("radio", { name: "As text" });
const asCards = (page: Page) => page.getByRole("radio", { name: "Cards", exact: true });

test("a custom deck is made of boxes and sliders; the text and the balance keep in step", async ({
  page,
}) => {
  const errors = watchErrors(page);
  await page.goto("/decks");
  await page.getByRole("radio", { name: /^Your own deck/ }).check({ force: true });
  await expect(editor(page)).toHaveCount(0);
  await page.getByLabel("Name", { exact: true }).fill("Only the best");
  await expect(heading(page, "Only the best")).toBeVisible();
  const swords = page.locator("section", { has: page.getByText("Treasure on rooms") }).last();
  await page.getByRole("slider", { name: "Copies of Goblin Armory" }).fill("6");
  await expect(copies(page, "Goblin Armory")).toHaveText("6");
  // Two armories more are four swords more: seen at once.
  await expect(swords).toContainText("+4");
  await page.getByRole("checkbox", { name: /^The Next Level/ }).check();
  await expect(page.getByRole("slider", { name: "Copies of Goblin Armory" })).toHaveValue("6");
  await asText(page).check({ force: true });
  await expect(editor(page)).toHaveValue(/^deck Only the best\n(.*\n)*set BMR\nset TNL\nGoblin Armory x6\n$/);
  await editor(page).fill("deck Second best\nset BMR\nGoblin Armory x5\n");
  await asCards(page).check({ force: true });
  await expect(copies(page, "Goblin Armory")).toHaveText("5");
  await expect(page.getByRole("checkbox", { name: /^The Next Level/ })).not.toBeChecked();
  await page.getByRole("button", { name: "Undo all changes" }).click();
  await expect(copies(page, "Goblin Armory")).toHaveText("4");
  expect(errors).toEqual([]);
});

test("a custom deck is checked, shared by link, and starts a table", async ({ page, browser }) => {
  const errors = watchErrors(page);
  await page.goto("/decks");
  await page.getByRole("radio", { name: /^Your own deck/ }).check({ force: true });
  await asText(page).check({ force: true });
  await editor(page).fill("deck Only the best\nset BMR\nGoblin Armoury x5\n");
  await expect(page.getByText(/no card .Goblin Armoury/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Play this deck" })).toBeDisabled();
  await asCards(page).check({ force: true });
  await page.getByRole("button", { name: "Show it in the text" }).click();
  await editor(page).fill("deck Only the best\nset BMR\nGoblin Armory x5\n");
  await expect(page.getByRole("button", { name: "Play this deck" })).toBeEnabled();
  await page.getByRole("button", { name: "One more Dark Altar" }).click();
  await expect(editor(page)).toHaveValue(/Dark Altar x4/);
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page).toHaveURL(/\/decks#./);

  // Somebody else opens the link and has the same deck.
  const other = await (await browser.newContext()).newPage();
  await inAHurry(other);
  await other.goto(page.url());
  await expect(heading(other, "Only the best")).toBeVisible();
  await expect(copies(other, "Dark Altar")).toHaveText("4");
  await asText(other).check({ force: true });
  await expect(editor(other)).toHaveValue(await editor(page).inputValue());
  await other.getByRole("button", { name: "Play this deck" }).click();
  await expect(other.getByTestId("own-deck")).toBeVisible();
  await other.getByTestId("start").click();
  await expect(other.getByTestId("prompt")).toBeVisible();
  await other.context().close();
  expect(errors).toEqual([]);
});

test("the card browser filters by kind, treasure, box, subtype, rank and text, and links to a card", async ({
  page,
}) => {
  const errors = watchErrors(page);
  await page.goto("/cards");
  const found = page.locator("a[data-key]");
  const count = page.getByRole("search").getByRole("status");
  await expect(count).toContainText("different cards");
  const all = Number(/\d+/.exec((await count.textContent()) ?? "")?.[0]);
  const shown = async () => Number(/\d+/.exec((await count.textContent()) ?? "")?.[0]);
  await page.getByRole("radio", { name: "Rooms" }).check({ force: true });
  await expect.poll(shown).toBeLessThan(all);
  const rooms = await shown();
  await page.getByRole("combobox", { name: "Subtype" }).selectOption({ label: "Trap room" });
  await expect.poll(shown).toBeLessThan(rooms);
  const traps = await shown();
  await page
    .getByRole("combobox", { name: "Ordinary or advanced" })
    .selectOption({ label: "Ordinary rooms" });
  await expect.poll(shown).toBeLessThan(traps);
  await page.getByRole("combobox", { name: "Box" }).selectOption({ label: "Master of the Dungeon" });
  await page.getByRole("radio", { name: /thief/i }).check({ force: true });
  await page.getByRole("searchbox").fill("kill a hero");
  await expect(found).toHaveCount(1);
  await expect(found.first()).toContainText("Bottomless Pit");
  await found.first().click();
  await expect(page).toHaveURL(/\/cards\/BMR027/);
  await expect(page.getByRole("dialog")).toContainText("Rulings");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Show all" }).click();
  await expect(count).toContainText(String(all));
  await page.getByRole("searchbox").fill("zzzz");
  await expect(page.getByText("No cards match")).toBeVisible();
  expect(errors).toEqual([]);
});

test("boxes are tiles: a click shows what changes, what cannot be taken out says why, and the mix makes a table", async ({
  page,
}) => {
  const errors = watchErrors(page);
  await page.goto("/decks");
  await page.getByRole("radio", { name: /^Mix boxes/ }).check({ force: true });
  const tile = (code: string) => page.getByTestId(`box-${code}`);
  await expect(tile("BMR")).toHaveAttribute("aria-pressed", "true");
  // The only base game stays, and says so.
  await expect(tile("BMR")).toHaveAttribute("aria-disabled", "true");
  await expect(tile("BMR")).toContainText("only base game");
  await expect(tile("VOV")).toContainText("Coins, Minibosses");
  await tile("VOV").click();
  await expect(page.getByTestId("brings")).toContainText("Minibosses");
  await tile("CRL").press("Enter");
  await expect(page.getByTestId("brings")).toContainText("Explorer");
  await page.getByRole("radio", { name: "Crash Landing, 5 players" }).check({ force: true });
  await page.getByRole("button", { name: "Play this mix" }).click();
  await expect(page.getByTestId("settled")).toContainText("Vault of Villains");
  await expect(page.getByTestId("seat")).toHaveCount(5);
  expect(errors).toEqual([]);
});

test("a surprise is a mix that can be played at once", async ({ page }) => {
  await page.goto("/decks");
  await page.getByRole("radio", { name: /^Mix boxes/ }).check({ force: true });
  await page.getByRole("button", { name: "Surprise us" }).click();
  await expect(page.getByText(/drawn by number \d+/)).toBeVisible();
  await page.getByRole("button", { name: "Play this mix" }).click();
  await expect(page.getByTestId("start")).toBeVisible();
});
