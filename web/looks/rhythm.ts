/**
 * Two friends in two browsers, with the usual settings and at normal speed: how much of the time is spent in windows
 * that nobody uses, and in those with nothing left to watch. `npm run rhythm` plays a whole game and prints it; `MINUTES=2` plays for two minutes.
 */
import { expect, test, type Browser, type Page } from "@playwright/test";
import { makeTable } from "../e2e/table";
import { LONGEST, TIMES, TOGETHER } from "../src/gen/pace";
import type { GameEvent, ServerMsg, Update } from "../src/gen/wire";

const MINUTES = Number(process.env.MINUTES ?? 20);
/** How long people think, in milliseconds. */
const BUILD = 10_000;
const CHOICE = 4_000;
const ACT = 1_000;

test("windows that nobody uses", async ({ browser }) => {
  test.setTimeout((MINUTES + 2) * 60_000);
  const [anna, ben] = [await somebody(browser), await somebody(browser)];
  const heard = listen(anna);
  await makeTable(anna, "Anna", { settings: { players: 2 } });
  await ben.goto(anna.url());
  await ben.locator("#guest-name").fill("Ben");
  await ben.keyboard.press("Enter");
  await ben.getByTestId("sit").first().click();
  await anna.getByTestId("start").click();
  await Promise.all([anna, ben].map((page) => expect(page.getByTestId("board")).toBeVisible()));

  const end = Date.now() + MINUTES * 60_000;
  await Promise.all([anna, ben].map((page) => play(page, end)));
  const { all, unused, windows } = sum(heard);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  const share = (ms: number) => `${seconds(ms)} s, ${((100 * ms) / all).toFixed(1)} % of the time`;
  const [spent, idle] = [
    unused.reduce((sum, { ms }) => sum + ms, 0),
    unused.reduce((sum, { idle }) => sum + idle, 0),
  ];
  const turns = heard.at(-1)?.update.view.turn ?? 0;
  console.log(
    `${seconds(all)} s, ${turns} turns, ${windows} windows, of which nobody used ${unused.length}:`,
  );
  for (const { ms, idle, about } of unused)
    console.log(`  ${seconds(ms)} s, ${seconds(idle)} idle: ${about}`);
  console.log(`windows that nobody used: ${share(spent)}`);
  console.log(`with nothing left to watch: ${share(idle)}`);
  expect(spent / all).toBeLessThanOrEqual(0.1);
});

async function somebody(browser: Browser): Promise<Page> {
  return (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
}

interface Heard {
  at: number;
  update: Update;
}

/** Every update that the server sends to the page. */
function listen(page: Page): Heard[] {
  const heard: Heard[] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      const message = JSON.parse(String(payload)) as ServerMsg;
      if (message.type === "update") heard.push({ at: Date.now(), update: message });
    }),
  );
  return heard;
}

/** Answers like a person who takes a moment and then does what the hint says. */
async function play(page: Page, end: number): Promise<void> {
  const prompt = page.getByTestId("prompt");
  const over = async () => Date.now() > end || (await prompt.getByText("The game is over").isVisible());
  const seqNow = () => prompt.getAttribute("data-seq");
  const open = page.locator('[data-testid="prompt"].open');
  for (;;) {
    await expect
      .poll(async () => (await over()) || (await open.isVisible()), { timeout: 120_000 })
      .toBe(true);
    if (await over()) return;
    const seq = await seqNow();
    const limited = await page.getByTestId("hold").isVisible();
    const building = !limited && (await page.getByTestId("pass").isVisible());
    await page.waitForTimeout(limited ? ACT : building ? BUILD : CHOICE);
    if ((await seqNow()) === seq) await follow(page).catch(() => undefined);
    const moved = async () => (await over()) || (await seqNow()) !== seq;
    for (let tries = 0; !(await moved()); tries += 1) {
      expect(tries, "the game goes on").toBeLessThan(30);
      await page.waitForTimeout(500);
      // A hint for a card that lies nowhere in sight has nothing to confirm.
      if (!limited && tries % 8 === 7) await first(page).catch(() => undefined);
    }
  }
}

/** Asks for a hint and follows it; where there is only one answer, gives that. */
async function follow(page: Page): Promise<void> {
  const once = { timeout: 5_000 };
  if (!(await page.getByTestId("hint").isVisible())) {
    return page.getByTestId("answer").or(page.getByTestId("pass")).first().click(once);
  }
  await page.keyboard.press("h");
  const best = page.getByRole("list", { name: "What a good player would do" }).getByRole("button").first();
  const words = await best.locator("b").innerText(once);
  if (await page.getByTestId("confirm").isVisible()) return page.getByTestId("confirm").click(once);
  if (words.toLowerCase() === "pass") return page.keyboard.press("p");
  const answers = page.getByTestId("answer");
  const named = answers.filter({ hasText: words });
  await ((await named.count()) > 0 ? named : answers).first().click(once);
}

/** The first answer of the list. */
async function first(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await page.getByRole("dialog").getByTestId("choice").first().click({ timeout: 5_000 });
}

interface Unused {
  /** How long it was open, and how long there was nothing left to watch, in milliseconds. */
  ms: number;
  idle: number;
  /** What it was about. */
  about: string;
}

/** The windows of a game, and those that nobody used. */
function sum(heard: readonly Heard[]): { all: number; windows: number; unused: Unused[] } {
  let windows = 0;
  const unused: Unused[] = [];
  heard.forEach(({ at, update: { waiting, view, events } }, i) => {
    const next = heard[i + 1];
    if (!next || !waiting?.window || waiting.left_ms === undefined) return;
    windows += 1;
    const [first] = next.update.events;
    const used = (first?.kind === "uses" || first?.kind === "casts") && first.actor === waiting.seat;
    if (used) return;
    const [ms, last] = [next.at - at, events.at(-1)?.kind ?? "nothing"];
    const whose = view.active === waiting.seat ? "own" : "other";
    const about = `${whose} turn, ${view.phase}, after ${last}`;
    unused.push({ ms, idle: Math.max(0, ms - shows(events)), about });
  });
  return { all: (heard.at(-1)?.at ?? 0) - (heard[0]?.at ?? 0), windows, unused };
}

/** How long the page shows them, without the camera's ways. */
function shows(events: readonly GameEvent[]): number {
  const times = events.map(({ kind }, i) =>
    TOGETHER.has(kind) && events[i - 1]?.kind === kind ? 0 : TIMES[kind],
  );
  return Math.min(
    LONGEST,
    times.reduce((sum, ms) => sum + ms, 0),
  );
}
