import { expect, test, type Page } from "@playwright/test";
import { answerByMouse, inAHurry, makeTable, nextQuestion, watchErrors } from "./table";

async function enter(page: Page, how: "Sign in" | "Create an account", name: string): Promise<void> {
  await page.goto("/account");
  await page.getByRole("radio", { name: how }).check({ force: true });
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel(/^Passphrase/).fill("correct horse");
  await page.getByRole("button", { name: how }).click();
  await expect(page.getByRole("heading", { name: `You are ${name}` })).toBeVisible();
}

test("you see where you are signed in, and sign out elsewhere", async ({ page, browser }) => {
  const errors = watchErrors(page);
  const name = `Lich ${Date.now() % 1_000_000}`;
  await enter(page, "Create an account", name);
  await expect(page.getByTestId("session")).toHaveCount(1);
  const elsewhere = await (await browser.newContext()).newPage();
  await enter(elsewhere, "Sign in", name);
  await expect(elsewhere.getByTestId("session")).toHaveCount(2);

  await page.reload();
  await expect(page.getByTestId("session").filter({ hasText: "this browser" })).toHaveCount(1);
  await page.getByRole("button", { name: /^Sign out Chrome/ }).click();
  await expect(page.getByTestId("session")).toHaveCount(1);
  await elsewhere.reload();
  await expect(elsewhere.getByRole("heading", { name: "Not signed in" })).toBeVisible();
  await elsewhere.context().close();
  expect(errors).toEqual([]);
});

/** A short game against a bot, up to its end. */
async function shortGame(page: Page): Promise<void> {
  await inAHurry(page);
  await makeTable(page, "Anna", { settings: { players: 2 }, bots: ["kobold"], start: true });
  await expect(page.getByTestId("prompt")).toBeVisible();
  if ((await nextQuestion(page)) === "asked") await answerByMouse(page, 0);
  await page.getByTestId("menu").click();
  await page.getByTestId("resign").click();
  await page.getByTestId("resign-sure").click();
}

test("the end of a game says that the shuffle was checked, also after a reload", async ({ page }) => {
  const errors = watchErrors(page);
  await shortGame(page);
  const note = page.getByTestId("fairness");
  await expect(note).toContainText("Fair shuffle: checked");
  await expect(note).toHaveAttribute("data-finding", "checked");
  await page.reload();
  await expect(note).toHaveAttribute("data-finding", "checked");
  expect(errors).toEqual([]);
});

test("a server that breaks its promise is found out", async ({ page }) => {
  // On its way here, the record gets another secret.
  await page.route("**/record/*", async (route) => {
    const answer = await route.fetch();
    const record = (await answer.json()) as { fairness: { secret: string } };
    record.fairness.secret = "0".repeat(64);
    await route.fulfill({ response: answer, json: record });
  });
  await shortGame(page);
  await expect(page.getByRole("alert").and(page.getByTestId("fairness"))).toContainText("Warning");
});
