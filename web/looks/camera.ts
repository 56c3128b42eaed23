/** Pictures for looking at: where they go, at which sizes, and of which moments of a game. */
import { expect, type Browser, type Page } from "@playwright/test";
import { ended, makeTable, watchErrors } from "../e2e/table";

export const SIZES = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 768, height: 1024 },
  phone: { width: 390, height: 844 },
  small: { width: 360, height: 740 },
} as const;
export type Size = keyof typeof SIZES;

export interface Sight {
  size: Size;
  /** What the person likes at a table. */
  likes?: Record<string, unknown>;
  calm?: boolean;
}

/** A browser of somebody's own; whatever goes wrong in it is printed. */
export async function open(browser: Browser, { size, likes = {}, calm = false }: Sight): Promise<Page> {
  const touch = size === "phone" || size === "small";
  const context = await browser.newContext({
    viewport: SIZES[size],
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: calm ? "reduce" : "no-preference",
  });
  const page = await context.newPage();
  await page.addInitScript((liked) => {
    if (!localStorage.getItem("lair.table")) localStorage.setItem("lair.table", JSON.stringify(liked));
  }, likes);
  const errors = watchErrors(page);
  page.on("close", () => errors.forEach((error) => console.error(`${size}: ${error}`)));
  return page;
}

/** A picture, and what can be seen at a glance to be wrong with it. */
export async function shoot(page: Page, name: string, whole = false): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  await page.evaluate(() => document.fonts.ready);
  if (!/ghost|hint/.test(name)) await page.mouse.move(1, 1);
  await page.screenshot({ path: `shots/${name}-${String(width)}.png`, fullPage: whole });
  const found = await page.evaluate((phone) => {
    const told: string[] = [];
    if (document.documentElement.scrollWidth > innerWidth + 1) told.push("wider than the screen");
    if (!phone) return told;
    for (const node of document.querySelectorAll<HTMLElement>("button, a, select, summary")) {
      const { width, height, top } = node.getBoundingClientRect();
      const inText = node.matches(".number, p a, li > a:not([class]), footer a, dd a, td a");
      if (width === 0 || inText || top > 5000) continue;
      if (node.closest(".unseen, .skip") || node.matches(".unseen, .skip")) continue;
      if (Math.min(width, height) < 39.5) {
        told.push(
          `small to tap: ${Math.round(width)}x${Math.round(height)} ${node.className} "${(node.textContent ?? "").trim().slice(0, 30)}"`,
        );
      }
    }
    return [...new Set(told)];
  }, width < 500);
  for (const fault of found) console.log(`${name}-${String(width)}: ${fault}`);
}

/** Makes a table with bots as somebody new, and goes there. */
export async function sitDown(page: Page, name: string, players: number, window_ms = 0): Promise<void> {
  const settings = {
    players,
    window_ms,
    listed: true,
    ...(players > 4 ? { deck: "mash-up", variants: ["unlimited-lives"] } : {}),
  };
  const bots = Array.from({ length: players - 1 }, (_, i) => (i % 2 ? "kobold" : "minion"));
  await makeTable(page, name, { settings, bots, start: true });
  await expect(page.getByTestId("prompt")).toBeVisible();
}

/** What the page shows of the game just now. */
export interface Moment {
  turn: number;
  phase: string;
  busy: boolean;
  asked: boolean;
  builds: boolean;
  flying: boolean;
  walking: boolean;
  window: boolean;
  picker: boolean;
  over: boolean;
}

export async function look(page: Page): Promise<Moment> {
  return page.evaluate(() => {
    const has = (selector: string) => document.querySelector(selector) !== null;
    const text = (selector: string) => document.querySelector(selector)?.textContent?.trim() ?? "";
    return {
      turn: Number(/\d+/.exec(text(".bar .turn"))?.[0] ?? 0),
      phase: text(".phases .now").toLowerCase(),
      busy: text(".prompt .answers").includes("Skip"),
      asked: has('[data-testid="prompt"].open'),
      builds: has('[data-testid="hand-card"]:not(.idle)'),
      flying: has(".effects > *") || has(".layer > *"),
      walking: has(".walker .walk, .walker .hit, .walker .fall, .walker [data-pose]"),
      window: has('[data-testid="hold"]'),
      picker: has("[data-testid=card-picker]"),
      over: has('[data-testid="end"]'),
    };
  });
}

/** Some answer, quickly: a room into the dungeon if that is asked, else whatever comes first. */
export async function answer(page: Page): Promise<void> {
  const before = await page.getByTestId("prompt").getAttribute("data-seq");
  await page.keyboard.press("c");
  const choices = page.getByRole("dialog").getByTestId("choice");
  if ((await choices.count()) > 0) {
    const words = await choices.allTextContents();
    const longer = words.findIndex((one) => /build|place/i.test(one) && !/ on /.test(one));
    const pass = words.findIndex((one) => /^pass|^no\b/i.test(one));
    await choices.nth(Math.max(0, longer >= 0 ? longer : pass)).click({ timeout: 3000 });
  } else await page.keyboard.press("p");
  await expect
    .poll(
      async () =>
        (await ended(page).isVisible()) ||
        (await page.getByTestId("prompt").getAttribute("data-seq")) !== before,
      { timeout: 5000 },
    )
    .toBe(true)
    .catch(() => undefined);
}

/** Plays on until every wanted moment has come once, the game is over, or so many turns have passed. */
export async function film(
  page: Page,
  wanted: Record<string, (now: Moment) => boolean>,
  take: (name: string) => Promise<void>,
  turns = 40,
): Promise<void> {
  const left = new Map(Object.entries(wanted));
  for (let i = 0; i < 6000 && left.size > 0; i += 1) {
    const now = await look(page).catch(() => undefined);
    if (!now) continue;
    if (now.turn > turns) return;
    for (const [name, is] of left) {
      if (!is(now)) continue;
      left.delete(name);
      await take(name);
      break;
    }
    if (now.over) return;
    if (now.asked && !now.busy) await answer(page).catch(() => undefined);
    else await page.waitForTimeout(30);
  }
}
