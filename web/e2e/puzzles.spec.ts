import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import type { PuzzleHint, PuzzleInfo, PuzzlePosition, PuzzleReply } from "../src/gen/wire";
import { inAHurry, watchErrors } from "./table";

test.beforeEach(async ({ page }) => inAHurry(page));

async function accessible(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).analyze();
  const serious = found.violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`)).toEqual([]);
}

const ask = async <T>(page: Page, path: string, data?: unknown) => {
  const reply = await (data === undefined ? page.request.get(path) : page.request.post(path, { data }));
  expect(reply.ok(), await reply.text()).toBe(true);
  return (await reply.json()) as T;
};

/** A short puzzle that is not found by doing just anything. */
async function choose(page: Page): Promise<PuzzleInfo> {
  const all = await ask<PuzzleInfo[]>(page, "/api/puzzles");
  const found = all.filter(({ answers, deck }) => answers > 1 && deck === "bmr")[0] ?? all[0];
  if (!found) throw new Error("there are no puzzles");
  return found;
}

/** Gives this answer from the list of all. */
async function give(page: Page, index: number, legal: PuzzlePosition["ask"]["legal"]): Promise<void> {
  const list = page.getByTestId("list");
  await expect(list).toBeVisible();
  const before = await page.getByTestId("prompt").getAttribute("data-seq");
  await list.click();
  const words = legal[index]?.words ?? "";
  // Equal words are equal answers, but for where a room goes.
  const same = legal.flatMap((choice, at) => (choice.words === words ? [at] : []));
  const choices = page.getByRole("dialog").getByTestId("choice");
  const named = choices.filter({ has: page.getByText(words, { exact: true }) });
  await named.nth(Math.min(same.indexOf(index), (await named.count()) - 1)).click();
  await expect.poll(() => page.getByTestId("prompt").getAttribute("data-seq")).not.toBe(before);
}

/** Solves it from here, asking the server for the answers. */
async function solve(page: Page, name: string): Promise<void> {
  const answers: number[] = [];
  let { legal } = (await ask<PuzzlePosition>(page, `/api/puzzles/${name}`)).ask;
  for (;;) {
    const { index } = await ask<PuzzleHint>(page, `/api/puzzles/${name}/hint`, { answers });
    await give(page, index, legal);
    answers.push(index);
    const reply = await ask<PuzzleReply>(page, `/api/puzzles/${name}/attempt`, { answers });
    expect(reply.stage).not.toBe("refuted");
    if (!reply.ask) return;
    legal = reply.ask.legal;
  }
}

/** A first answer that does not work. */
async function mistake(page: Page, name: string): Promise<number> {
  const { index, words } = await ask<PuzzleHint>(page, `/api/puzzles/${name}/hint`, { answers: [] });
  const { legal } = (await ask<PuzzlePosition>(page, `/api/puzzles/${name}`)).ask;
  return legal.findIndex((choice, at) => at !== index && choice.words !== words);
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a wrong answer is refuted and the line solves it, at ${String(size.width)}`, async ({ page }) => {
    const errors = watchErrors(page);
    await page.setViewportSize(size);
    const { name } = await choose(page);
    await page.goto(`/puzzles/${name}`);
    await expect(page.getByTestId("task")).toBeVisible();
    await expect(page.getByTestId("prompt")).toHaveClass(/open/);
    // All hands are open.
    const { view, puzzle } = await ask<PuzzlePosition>(page, `/api/puzzles/${name}`);
    const other = view.players.find(({ seat, playing }) => seat !== puzzle.seat && playing);
    expect(await page.getByTestId("open-hand").first().getByRole("listitem").count()).toBe(
      Math.max(1, other?.hand.cards.length ?? 0),
    );
    await accessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);

    const wrong = await mistake(page, name);
    await give(page, wrong, (await ask<PuzzlePosition>(page, `/api/puzzles/${name}`)).ask.legal);
    const refuted = page.getByTestId("refuted");
    await expect(refuted).toBeVisible();
    await expect(page.getByTestId("again")).toBeFocused();
    await accessible(page);
    // By key, as whoever has just been wrong would.
    await page.keyboard.press("Enter");
    await expect(refuted).toBeHidden();
    await expect(page.getByTestId("prompt")).toHaveClass(/open/);

    await solve(page, name);
    await expect(page.getByTestId("solved")).toBeVisible();
    await accessible(page);
    await page.getByRole("button", { name: "The solution" }).click();
    const line = page.getByTestId("solution").getByRole("listitem");
    await expect(line.filter({ hasText: "To be found" })).toHaveCount(puzzle.answers);
    await page.getByRole("button", { name: "Back to the puzzle" }).click();

    await page.getByTestId("next-puzzle").click();
    await expect(page).not.toHaveURL(new RegExp(name));
    await expect(page.getByTestId("task")).toBeVisible();
    await page.getByRole("link", { name: "Back to the list of puzzles" }).click();
    const tile = page.locator(`[data-testid="puzzle"][data-name="${name}"]`);
    await expect(tile).toContainText("solved");
    await accessible(page);
    expect(errors).toEqual([]);
  });
}

test("what a browser has solved becomes the person's, and is there elsewhere", async ({ page, browser }) => {
  const { name } = await choose(page);
  await page.goto(`/puzzles/${name}`);
  await solve(page, name);
  await expect(page.getByTestId("solved")).toBeVisible();
  const account = { name: `Puzzler ${String(Date.now() % 100_000)}`, passphrase: "a long enough passphrase" };
  await ask(page, "/api/account", account);
  expect(await ask<string[]>(page, "/api/me/puzzles")).toEqual([]);
  await page.goto("/puzzles");
  await expect(page.locator(`[data-name="${name}"]`)).toContainText("solved");
  await expect.poll(() => ask<string[]>(page, "/api/me/puzzles")).toEqual([name]);

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.request.post("/api/sign-in", { data: account });
  await elsewhere.goto("/puzzles");
  await expect(elsewhere.locator(`[data-name="${name}"]`)).toContainText("solved");
  await elsewhere.context().close();
});

test("a hint comes in two steps, an answer can be taken back, and the address can be shared", async ({
  page,
}) => {
  await page.goto("/puzzles");
  await page.getByRole("radio", { name: "Tricky" }).check({ force: true });
  await expect(page.getByTestId("puzzle-group")).toHaveCount(1);
  await page.getByRole("radio", { name: "All", exact: true }).check({ force: true });
  const { name } = await choose(page);
  await page.goto(`/puzzles/${name}`);
  await expect(page.getByTestId("prompt")).toHaveClass(/open/);
  const { kind } = await ask<PuzzleHint>(page, `/api/puzzles/${name}/hint`, { answers: [] });
  await page.keyboard.press("h");
  if (kind !== undefined) {
    await expect(page.getByTestId("clue")).toContainText(kind);
    await expect(page.locator(".hints")).toBeHidden();
    await page.keyboard.press("h");
  }
  await expect(page.locator(".hints")).toBeVisible();
  const { ask: first } = await ask<PuzzlePosition>(page, `/api/puzzles/${name}`);
  await give(page, await mistake(page, name), first.legal);
  await page.getByRole("button", { name: "Show the solution" }).click();
  await expect(page.getByTestId("solution")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("prompt")).toHaveClass(/open/);

  await page.goto("/puzzles/no-such-puzzle");
  await expect(page.getByText("There is no such puzzle.")).toBeVisible();
  await page.getByRole("link", { name: "All puzzles" }).click();
  await expect(page.getByTestId("puzzle").first()).toBeVisible();
});
