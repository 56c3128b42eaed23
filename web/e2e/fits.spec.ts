import { expect, test, type Page } from "@playwright/test";
import { inAHurry, makeTable, nextQuestion, seqOf } from "./table";

/** What of the question and of the hand lies outside of the screen, and how much of the hand can be seen. */
const lies = (page: Page) =>
  page.evaluate(() => {
    const inside = ({ top, bottom, left, right }: DOMRect) =>
      top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    const prompt = document.querySelector('[data-testid="prompt"]');
    const asked = prompt ? [prompt, ...prompt.querySelectorAll("button, .sentence")] : [];
    return {
      outside: asked.filter((node) => !inside(node.getBoundingClientRect())).map((node) => node.textContent),
      hand: innerHeight - (document.querySelector('[data-testid="hand"]')?.getBoundingClientRect().top ?? 0),
      wide: document.documentElement.scrollWidth - innerWidth,
      bar: document.querySelector("header.bar")?.getBoundingClientRect().top,
    };
  });
const scroll = (page: Page, to: number) =>
  page.evaluate((top) => document.querySelector(".game")?.scrollTo({ top, behavior: "instant" }), to);

/** A game against this many bots, at the first question with cards in hand. */
async function atTheTable(page: Page, bots: number): Promise<void> {
  await inAHurry(page);
  const crowd = { deck: "mash-up", variants: ["unlimited-lives"] };
  await makeTable(page, "Anna", {
    settings: { players: bots + 1, window_ms: 0, ...(bots > 3 ? crowd : {}) },
    bots: Array<string>(bots).fill("kobold"),
    start: true,
  });
  await expect(page.getByTestId("prompt")).toBeVisible();
  // Bosses are chosen first, above the table.
  for (let n = 0; n < 6 && (await page.getByTestId("hand-card").count()) === 0; n += 1) {
    await nextQuestion(page);
    const before = await seqOf(page);
    await page.keyboard.press("1");
    await expect.poll(() => seqOf(page)).not.toBe(before);
  }
  await nextQuestion(page);
}

test("the question is visible on every screen size, and everything else can be scrolled into view", async ({
  page,
}) => {
  await atTheTable(page, 3);
  for (const [width, height] of [
    [640, 400],
    [740, 360],
    [853, 533],
    [960, 600],
    [1280, 633],
    [360, 560],
    [360, 620],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    await scroll(page, 0);
    const first = await lies(page);
    expect({ width, height, outside: first.outside, wide: first.wide }).toEqual({
      width,
      height,
      outside: [],
      wide: 0,
    });
    expect(first.hand).toBeGreaterThan(60);
    // At the end everything of the hand has come up, and the question has not gone.
    await scroll(page, 10_000);
    expect((await lies(page)).outside).toEqual([]);
    const card = await page.getByTestId("hand-card").first().boundingBox();
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(height);
  }
  // A card that takes the focus does not push the bar away.
  await scroll(page, 0);
  for (let n = 0; n < 4; n += 1) await page.keyboard.press("ArrowRight");
  expect((await lies(page)).bar).toBe(0);
});

test("in a crowded hand, a raised card does not keep you from clicking its neighbours", async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 900 });
  await atTheTable(page, 1);
  const cards = page.getByTestId("hand-card");
  const strips = await cards.evaluateAll((nodes) =>
    nodes.map((node) => {
      const { left, right, top } = node.getBoundingClientRect();
      return { x: left + Math.min(right - left, 100) / 2, y: top + 60 };
    }),
  );
  expect(strips.length).toBeGreaterThan(4);
  const [first] = strips;
  if (first) await page.mouse.move(first.x, first.y);
  await expect(cards.first()).toHaveCSS("z-index", "2");
  const reached = await page.evaluate(
    (points) =>
      points.map(({ x, y }) => {
        const hit = document.elementFromPoint(x, y)?.closest('[data-testid="hand-card"]');
        return [...document.querySelectorAll('[data-testid="hand-card"]')].indexOf(hit as Element);
      }),
    strips,
  );
  expect(reached).toEqual(strips.map((_, at) => at));
});

for (const [width, height] of [
  [1440, 900],
  [1280, 633],
  [390, 844],
] as const) {
  test(`opening a hint moves nothing at ${String(width)} x ${String(height)}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await atTheTable(page, 1);
    const tops = () =>
      page.evaluate(() =>
        ["prompt", "hand", "own", "town"].map(
          (part) => document.querySelector(`[data-testid="${part}"]`)?.getBoundingClientRect().top,
        ),
      );
    const before = await tops();
    await page.getByTestId("hint").click();
    const hints = page.getByRole("list", { name: "What a good player would do" });
    await expect(hints).toBeVisible();
    expect(await tops()).toEqual(before);
    const box = await hints.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    expect((await lies(page)).outside).toEqual([]);
  });
}

test("on a phone, every card of the hand shows its name and its heart", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await atTheTable(page, 1);
  const covered = await page.getByTestId("hand-card").evaluateAll((cards) =>
    cards.flatMap((card, at) => {
      const edge = cards[at + 1]?.getBoundingClientRect().left ?? Infinity;
      const shown = [...card.querySelectorAll<HTMLElement>(".name, .strength")];
      return shown
        .filter(
          (node) => node.getBoundingClientRect().right > edge || node.scrollWidth > node.clientWidth + 1,
        )
        .map((node) => node.textContent);
    }),
  );
  expect(covered).toEqual([]);
  expect(await page.getByTestId("hand-card").count()).toBeGreaterThan(3);
});

test("on a phone, the guide stays on the screen however far the table is scrolled", async ({ page }) => {
  await inAHurry(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/learn");
  await expect(page.getByTestId("hand-card").first()).toBeVisible();
  for (const to of [0, 10_000]) {
    await scroll(page, to);
    await expect(page.getByTestId("guide")).toBeInViewport({ ratio: 1 });
    expect((await lies(page)).outside).toEqual([]);
  }
});

/** How far the table reaches below the screen. */
const over = (page: Page) =>
  page.evaluate(() => {
    const game = document.querySelector(".game");
    return (game?.scrollHeight ?? 0) - (game?.clientHeight ?? 0);
  });

for (const bots of [4, 5]) {
  test(`a table of ${String(bots + 1)} fits on a desktop, the whole hand with it`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await atTheTable(page, bots);
    expect(await over(page)).toBeLessThanOrEqual(0);
    const card = await page.getByTestId("hand-card").first().boundingBox();
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual(900);
  });
}

test("on a phone, a table of four does not scroll up and down", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await atTheTable(page, 3);
  expect(await over(page)).toBeLessThanOrEqual(0);
  expect((await lies(page)).hand).toBeGreaterThan(150);
});
