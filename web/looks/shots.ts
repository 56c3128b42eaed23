/**
 * Pictures of everything there is to see, in shots/: `npm run shots`, or some with `npm run shots -- -g table`. They are
 * for looking at; what must hold is in e2e/.
 */
import { rmSync } from "node:fs";
import { expect, test, type Browser, type Page } from "@playwright/test";
import { learn, pace } from "../e2e/pupil";
import { ended, makeTable } from "../e2e/table";
import { answer, film, look, open, shoot, sitDown, SIZES, type Moment, type Size } from "./camera";

const BOTH: readonly Size[] = ["desktop", "phone"];
const ALL: readonly Size[] = ["desktop", "tablet", "phone", "small"];
const quick = { speed: "instant", dock: true };

if (process.env.TEST_WORKER_INDEX === undefined && !process.argv.includes("-g")) {
  rmSync("shots", { recursive: true, force: true });
}

async function playOn(page: Page, until: (now: Moment) => boolean): Promise<void> {
  await film(page, { there: until }, async () => undefined);
}

for (const size of BOTH) {
  test(`pages at ${String(SIZES[size].width)}`, async ({ browser }) => {
    const page = await open(browser, { size });
    const pages: readonly [string, string, boolean][] = [
      ["home", "/", true],
      ["cards", "/cards", false],
      ["card", "/cards/BMR027", true],
      ["decks", "/decks", false],
      ["own", "/own", false],
      ["rules", "/rules", false],
      ["learn", "/learn", true],
      ["puzzles", "/puzzles", true],
      ["games-none", "/games", true],
      ["account", "/account", true],
      ["nowhere", "/nowhere", true],
      ["table-unknown", "/t/nosuchtable", true],
      ["replay-unknown", "/replay/nosuchgame", true],
    ];
    for (const [name, path, whole] of pages) {
      await page.goto(path);
      await expect(page.getByRole("heading").first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      await page.waitForTimeout(400);
      await shoot(page, `page-${name}`, whole);
    }
    await page.goto("/decks");
    await page.getByText("Your own deck").click();
    await expect(page.getByText("Health of heroes")).toBeVisible();
    await shoot(page, "page-decks-own", true);
    await page.goto("/");
    await page.getByText("Name, opponents, deck").click();
    await shoot(page, "page-home-more", true);
    await page.getByRole("button", { name: "Play with friends" }).click();
    await expect(page.getByTestId("waiting-room")).toBeVisible();
    await page.getByTestId("options").locator("summary").click();
    await shoot(page, "page-new-table", true);
    await page.context().close();
  });
}

/** What happens at a table of two; animated, so that it can be caught moving. */
const STAGES: Record<string, (now: Moment) => boolean> = {
  "1-first": (now) => now.turn === 0 && now.asked && !now.busy,
  "2-build": (now) => now.phase === "build" && now.asked && now.builds && !now.busy,
  "3-reveal": (now) => now.phase === "build" && now.busy && now.flying,
  "4-bait": (now) => now.phase === "bait" && now.busy,
  "5-walk": (now) => now.phase === "adventure" && now.walking,
  "6-pick": (now) => now.picker,
  "7-adventure": (now) => now.phase === "adventure" && now.asked && !now.busy,
  "8-later": (now) => now.turn >= 4 && now.asked && now.builds && !now.busy,
};
for (const size of ALL) {
  test(`table of two at ${String(SIZES[size].width)}`, async ({ browser }) => {
    const page = await open(browser, {
      size,
      likes: { speed: size === "desktop" || size === "phone" ? "normal" : "fast", dock: true },
    });
    await sitDown(page, "Damp Lich", 2);
    let built = false;
    await film(page, STAGES, async (name) => {
      await shoot(page, `table-${name}`);
      if (name !== "2-build" || built) return;
      built = true;
      const card = page.locator('[data-testid="hand-card"]:not(.idle)').first();
      await card.click({ position: { x: 30, y: 20 } });
      const place = page.locator('[data-testid="own"] [data-key^="place:"] button').first();
      if (size === "desktop" || size === "tablet") await place.hover().catch(() => undefined);
      else await place.click({ timeout: 3000 }).catch(() => undefined);
      await page.waitForTimeout(300);
      await shoot(page, "table-2-ghost");
      await page.keyboard.press("Escape");
      await page.keyboard.press("c");
      await page.waitForTimeout(200);
      await shoot(page, "table-list");
      await page.keyboard.press("Escape");
      await page.getByTestId("menu").click();
      await page.waitForTimeout(200);
      await shoot(page, "table-menu");
      await page.keyboard.press("Escape");
    });
    await page.keyboard.press("h");
    await expect(page.locator(".hints"))
      .toBeVisible({ timeout: 20_000 })
      .catch(() => undefined);
    await shoot(page, "table-hint");
    await page.evaluate(() => localStorage.setItem("lair.table", '{"speed":"instant","dock":true}'));
    await page.reload();
    await expect(page.getByTestId("prompt")).toBeVisible();
    await page.keyboard.press("t");
    await page.waitForTimeout(200);
    await shoot(page, "table-text", true);
    await page.keyboard.press("t");
    await page.keyboard.press("l");
    await page.waitForTimeout(200);
    await shoot(page, "table-log");
    await page.keyboard.press("Escape");
    await playOn(page, (now) => now.over);
    await shoot(page, "table-end");
    const story = page.getByText("Key moments");
    if (await story.isVisible()) await story.click();
    await shoot(page, "table-end-story");
    await page.getByTestId("replay").click();
    await expect(page.getByTestId("board")).toBeVisible();
    await shoot(page, "replay-begin");
    const scrubber = page.getByRole("slider", { name: "Position" });
    await scrubber.evaluate((node: HTMLInputElement) => {
      node.value = String(Math.round(Number(node.max) * 0.6));
      node.dispatchEvent(new Event("input", { bubbles: true }));
    });
    await page.waitForTimeout(800);
    await shoot(page, "replay-middle");
    await shoot(page, "replay-whole", true);
    const folded = page.locator('.more[aria-expanded="false"]:visible');
    while ((await folded.count()) > 0) await folded.first().click();
    await page.getByRole("combobox", { name: "Point of view" }).selectOption({ index: 2 });
    await page.waitForTimeout(800);
    await shoot(page, "replay-viewpoint");
    await page.getByRole("button", { name: "Fair shuffle", exact: true }).click();
    await page.waitForTimeout(300);
    await shoot(page, "replay-fair");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Play from here", exact: true }).click();
    await page.waitForTimeout(200);
    await shoot(page, "replay-from");
    await page.goto("/games");
    await page.waitForLoadState("networkidle");
    await shoot(page, "page-games", true);
    await page.context().close();
  });
}

for (const players of [3, 4, 5, 6]) {
  for (const size of ALL) {
    test(`table of ${String(players)} at ${String(SIZES[size].width)}`, async ({ browser }) => {
      const page = await open(browser, { size, likes: quick });
      await sitDown(page, "Damp Lich", players);
      await playOn(page, (now) => now.turn >= 4 && now.phase === "build" && now.builds && now.asked);
      await shoot(page, `seats-${String(players)}`);
      if (players === 6 && size !== "tablet") {
        await page
          .getByRole("button", { name: /^Take a closer look/ })
          .first()
          .click();
        await page.waitForTimeout(200);
        await shoot(page, "seats-6-closer");
        await page.keyboard.press("Escape");
        await playOn(page, (now) => now.over);
        await shoot(page, "seats-6-end");
      }
      await page.context().close();
    });
  }
}

for (const size of BOTH) {
  test(`tutorial at ${String(SIZES[size].width)}`, async ({ browser }) => {
    const page = await open(browser, { size, likes: { speed: "normal" } });
    const began = Date.now();
    let pictures = 0;
    const learnt = await learn(page, async () => {
      pictures += 1;
      await shoot(page, `learn-${String(pictures).padStart(2, "0")}`);
    });
    const seconds = (Date.now() - began) / 1000 + pace(learnt);
    console.log(
      `tutorial: ${String(learnt.words)} words, ${String(learnt.actions)} clicks, with animations ` +
        `${String(Math.round(seconds))} s`,
    );
    await page.context().close();
  });
}

async function friends(browser: Browser, size: Size): Promise<[Page, Page, Page]> {
  const [anna, ben, carl] = [
    await open(browser, { size, likes: quick }),
    await open(browser, { size, likes: quick }),
    await open(browser, { size, likes: quick }),
  ];
  await makeTable(anna, "Anna", { settings: { players: 2, window_ms: 20_000, listed: true } });
  await expect(anna.getByTestId("waiting-room")).toBeVisible();
  await shoot(anna, "friends-1-waiting");
  await ben.goto(anna.url());
  await ben.locator("#guest-name").fill("Ben");
  await shoot(ben, "friends-2-name");
  await carl.goto("/");
  await expect(carl.getByText("Anna").first()).toBeVisible();
  await shoot(carl, "friends-3-lobby", true);
  await ben.keyboard.press("Enter");
  await ben.getByTestId("sit").first().click();
  await shoot(anna, "friends-4-full");
  await anna.getByTestId("start").click();
  await expect(ben.getByTestId("board")).toBeVisible();
  await carl.goto(anna.url());
  await carl.locator("#guest-name").fill("Carl");
  await carl.keyboard.press("Enter");
  await expect(carl.getByTestId("board")).toBeVisible();
  return [anna, ben, carl];
}

for (const size of BOTH) {
  test(`friends at ${String(SIZES[size].width)}`, async ({ browser }) => {
    const [anna, ben, carl] = await friends(browser, size);
    await shoot(carl, "friends-5-spectator");
    let window_ = false;
    for (let i = 0; i < 300; i += 1) {
      for (const page of [anna, ben]) {
        const now = await look(page);
        if (now.over) break;
        if (now.window && !window_) {
          window_ = true;
          await shoot(page, "friends-6-window");
        }
        if (now.asked) await answer(page).catch(() => undefined);
      }
      const now = await look(anna);
      if (now.over || (now.turn >= 3 && window_)) break;
    }
    // One wishes to take back, the other is asked.
    for (const [mine, other] of [
      [anna, ben],
      [ben, anna],
    ] as const) {
      const said = (await mine.getByTestId("undo").getAttribute("aria-label")) ?? "";
      if (!/must agree/.test(said)) continue;
      await mine.getByTestId("undo").click();
      await mine.waitForTimeout(500);
      if (await other.getByRole("dialog").isVisible()) {
        await shoot(other, "friends-7-consent");
        await other.keyboard.press("Escape");
        break;
      }
    }
    if (size === "phone") await anna.getByTestId("log-toggle").click();
    await anna.getByTestId("chat-tab").click();
    await anna.getByRole("textbox", { name: "Say something" }).fill("Well built.");
    await anna.keyboard.press("Enter");
    await shoot(anna, "friends-8-chat");
    await anna.keyboard.press("Escape");
    await anna.getByTestId("menu").click();
    await anna.getByTestId("resign").click();
    await anna.getByTestId("resign-sure").click();
    await expect(ended(ben)).toBeVisible();
    await ben.waitForTimeout(300);
    await shoot(ben, "friends-9-resigned");
    await shoot(carl, "friends-9-spectator-end");
    for (const page of [anna, ben, carl]) await page.context().close();
  });

  test(`mishaps at ${String(SIZES[size].width)}`, async ({ browser }) => {
    const page = await open(browser, { size, likes: quick });
    let cut: (() => void) | undefined;
    let dead = false;
    await page.routeWebSocket(/\/ws/, (socket) => {
      if (dead) return void socket.close();
      const server = socket.connectToServer();
      cut = () => {
        dead = true;
        void server.close();
        void socket.close();
      };
    });
    await sitDown(page, "Damp Lich", 2);
    cut?.();
    await expect(page.getByTestId("lost")).toBeVisible();
    await shoot(page, "mishap-lost");
    await page.context().close();

    // An old page meets a new server: it says hello in words of its own time.
    const old = await open(browser, { size, likes: quick });
    await sitDown(old, "Damp Lich", 2);
    await old.routeWebSocket(/\/ws/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((message) =>
        server.send(String(message).replace(/("type":"hello","protocol":)\d+/, "$10")),
      );
    });
    await old.reload();
    await expect(old.getByText("was updated")).toBeVisible();
    await shoot(old, "mishap-old-client");
    await old.context().close();

    const still = await open(browser, { size, likes: { speed: "normal", sound: true }, calm: true });
    await sitDown(still, "Damp Lich", 2);
    await film(still, { walk: (now) => now.turn >= 2 && now.phase === "adventure" && now.asked }, (name) =>
      shoot(still, `calm-${name}`),
    );
    await still.context().close();
  });
}
