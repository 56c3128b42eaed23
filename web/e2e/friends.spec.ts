import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { answerByMouse, ended, inAHurry, makeTable, seqOf } from "./table";

/** A server of this test's own: it is killed on the way. */
const PORT = 8197;
const lair = process.env.LAIR_BIN ?? "../target/debug/lair";
let data: string;
let server: ChildProcess;

async function start(): Promise<void> {
  server = spawn(lair, ["serve", "--listen", `127.0.0.1:${PORT}`, "--data", data], { stdio: "ignore" });
  await expect
    .poll(
      async () =>
        fetch(`http://127.0.0.1:${PORT}/healthz`).then(
          (answer) => answer.ok,
          () => false,
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
}

test.beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "lair-friends-"));
  await start();
});
test.afterAll(() => {
  server.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

const isAsked = (page: Page) => page.locator('[data-testid="prompt"].open').isVisible();

/** Each player answers when asked, until that many answers were given or the game is over. */
async function play(pages: readonly Page[], answers: number): Promise<boolean> {
  for (let n = 0; n < answers;) {
    const ready = async () => {
      for (const page of pages) if ((await ended(page).isVisible()) || (await isAsked(page))) return true;
      return false;
    };
    await expect.poll(ready, { timeout: 30_000, intervals: [50] }).toBe(true);
    for (const page of pages) {
      if (await ended(page).isVisible()) return true;
      if (!(await isAsked(page))) continue;
      const before = await seqOf(page);
      await answerByMouse(page, n).catch(() => undefined);
      const moved = async () => (await ended(page).isVisible()) || (await seqOf(page)) !== before;
      await expect.poll(moved).toBe(true);
      n += 1;
    }
  }
  // Both see the last answer: nothing is still on its way.
  const together = async () => new Set(await Promise.all(pages.map(seqOf))).size;
  await expect.poll(together).toBe(1);
  return (await Promise.all(pages.map((page) => ended(page).isVisible()))).every(Boolean);
}

/** Gives up, unless the last answer has just ended the game. */
async function resign(page: Page): Promise<void> {
  if (await ended(page).isVisible()) return;
  await page.getByTestId("menu").click();
  const button = page.getByTestId("resign");
  await expect(button.or(ended(page)).first()).toBeVisible();
  if (!(await button.isVisible())) return;
  await button.click();
  await page.getByTestId("resign-sure").click();
}

test("two friends play by invitation link, through a reload and a server crash", async ({ browser }) => {
  test.setTimeout(150_000);
  const pages: Page[] = [];
  for (let i = 0; i < 2; i += 1) {
    const context = await browser.newContext({
      baseURL: `http://127.0.0.1:${PORT}`,
      viewport: { width: 1440, height: 900 },
    });
    const page = await context.newPage();
    await inAHurry(page);
    pages.push(page);
  }
  const [anna, ben] = pages as [Page, Page];
  // Anna makes a table with nothing hidden by waiting, so that the test need not wait either.
  await makeTable(anna, "Anna", { settings: { players: 2, window_ms: 0 } });
  await expect(anna.getByTestId("waiting-room")).toBeVisible();
  const link = anna.url();
  await ben.goto(link);
  await ben.locator("#guest-name").fill("Ben");
  await ben.keyboard.press("Enter");
  await ben.getByTestId("sit").first().click();
  await anna.getByTestId("start").click();
  await expect(anna.getByTestId("board")).toBeVisible();
  await expect(ben.getByTestId("board")).toBeVisible();

  await play(pages, 8);
  const told = () => ben.getByTestId("log").locator("li").allTextContents();
  const story = await told();
  expect(story.length).toBeGreaterThan(5);
  await ben.reload();
  await expect(ben.getByTestId("board")).toBeVisible();
  await expect.poll(told).toEqual(story);
  await play(pages, 6);

  server.kill("SIGKILL");
  await expect(anna.getByTestId("lost")).toBeVisible();
  await start();
  await expect(anna.getByTestId("lost")).toBeHidden({ timeout: 40_000 });
  await expect(ben.getByTestId("lost")).toBeHidden({ timeout: 40_000 });
  // It goes on where it was, and to an end.
  if (!(await play(pages, 10))) await resign(anna);
  await expect(ended(anna)).toBeVisible();
  await expect(ended(ben)).toBeVisible();
  // Both parts are in the shuffle, in spite of everything.
  for (const page of pages) {
    await expect(page.getByTestId("fairness")).toHaveAttribute("data-finding", "checked");
  }
});
