import { expect, test, type Page } from "@playwright/test";
import {
  answerByKeys,
  answerByMouse,
  inAHurry,
  nextQuestion,
  playNow,
  playToTheEnd,
  watchErrors,
} from "./table";

test.beforeEach(async ({ page }) => inAHurry(page));

/** Answers what comes before the first room can be built. */
async function playToABuild(page: Page): Promise<void> {
  const mayBuild = page.getByText("Pick a room, then a place for it");
  for (let n = 0; n < 5 && (await nextQuestion(page)) === "asked" && !(await mayBuild.isVisible()); n += 1) {
    const seq = await page.getByTestId("prompt").getAttribute("data-seq");
    await answerByMouse(page, 2);
    await expect(page.getByTestId("prompt")).not.toHaveAttribute("data-seq", seq ?? "");
  }
}

test("a whole game against a bot with the mouse, then its replay", async ({ page }) => {
  const errors = watchErrors(page);
  await playNow(page);
  const answers = await playToTheEnd(page, answerByMouse);
  expect(answers).toBeGreaterThan(2);
  await expect(page.getByTestId("rematch")).toBeVisible();
  // How it went: the curve of the chances, and what each player did.
  await expect(page.getByTestId("story").getByRole("row", { name: /^Heroes killed/ })).toBeVisible();
  await page.getByTestId("replay").click();
  await expect(page).toHaveURL(/\/replay\//);
  await expect(page.getByTestId("board")).toBeVisible();
  expect(errors).toEqual([]);
});

test("a click on a place counts even if the room preview appears under the pointer", async ({ page }) => {
  // What a choice will do is told only when the mouse is down already.
  const held: (() => void)[] = [];
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (String(message).includes('"type":"preview"')) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await playNow(page);
  await playToABuild(page);
  const lit = page.locator('[data-testid="hand-card"]:not(.idle)').first();
  await lit.click({ position: { x: 30, y: 20 } });
  const prompt = page.getByTestId("prompt");
  const before = await prompt.getAttribute("data-seq");
  await page.getByTestId("new-place").getByRole("button").hover();
  await page.mouse.down();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  for (const tell of held) tell();
  await expect(page.locator('[data-testid="own"] .ghost')).toBeVisible();
  await page.mouse.up();
  await expect(prompt).not.toHaveAttribute("data-seq", before ?? "");
});

test("a room can be dragged to its place, and returns to the hand when dropped elsewhere", async ({
  page,
}) => {
  await playNow(page);
  await playToABuild(page);
  const prompt = page.getByTestId("prompt");
  const before = await prompt.getAttribute("data-seq");
  const card = page.locator('[data-testid="hand-card"]:not(.idle)').first();
  const grab = async () => {
    const box = await card.boundingBox();
    if (!box) throw new Error("no card in hand");
    await page.mouse.move(box.x + 30, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 60, box.y - 20, { steps: 3 });
  };
  const cards = await page.getByTestId("hand-card").count();
  await grab();
  await page.mouse.move(5, 300);
  await page.mouse.up();
  await expect(page.getByTestId("hand-card")).toHaveCount(cards);
  await page.keyboard.press("Escape");
  await grab();
  const place = page.locator('[data-testid="own"] [data-key^="place:"]').first();
  const box = await place.boundingBox();
  if (!box) throw new Error("no place to build");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(prompt).not.toHaveAttribute("data-seq", before ?? "");
});

test("the number keys count your cards from left to right, and Enter does what is shown", async ({
  page,
}) => {
  await playNow(page);
  await playToABuild(page);
  const prompt = page.getByTestId("prompt");
  const before = await prompt.getAttribute("data-seq");
  await page.keyboard.press("Escape");
  const lit = page.locator('[data-testid="hand-card"]:not(.idle)');
  const count = await lit.count();
  expect(count).toBeGreaterThan(1);
  await expect(lit.locator("kbd")).toHaveText(Array.from({ length: count }, (_, at) => String(at + 1)));
  const lefts = await lit.evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().left));
  expect(lefts).toEqual([...lefts].sort((a, b) => a - b));
  await page.keyboard.press(String(count));
  await expect(lit.last().getByRole("button")).toHaveClass(/selected/);
  // Its first place, shown as a ghost; then Enter.
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("confirm")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(prompt).not.toHaveAttribute("data-seq", before ?? "");
});

test("a whole game against a bot with the keyboard only", async ({ page }) => {
  const errors = watchErrors(page);
  await page.goto("/");
  // From the top of the page to "Play now" with Tab and Enter.
  for (let i = 0; i < 40; i += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.textContent?.trim())) === "Play now") break;
  }
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("prompt")).toBeVisible();
  expect(await playToTheEnd(page, answerByKeys)).toBeGreaterThan(2);
  expect(errors).toEqual([]);
});

test("a game can be played on a phone", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await inAHurry(page);
  const errors = watchErrors(page);
  await playNow(page);
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
  expect(await wide()).toBeLessThanOrEqual(390);
  expect(await playToTheEnd(page, (phone, n) => answerByMouse(phone, n * 3 + 2))).toBeGreaterThan(2);
  expect(await wide()).toBeLessThanOrEqual(390);
  expect(errors).toEqual([]);
  await context.close();
});
