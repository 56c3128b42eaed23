/** What people do at a table, for the tests: sit down, answer by mouse or by keys, play to the end. */
import { expect, type Page } from "@playwright/test";

/** Tests do not wait for animations. */
export async function inAHurry(page: Page): Promise<void> {
  await page.addInitScript(() => {
    if (!localStorage.getItem("lair.table")) {
      localStorage.setItem("lair.table", JSON.stringify({ speed: "instant", dock: true }));
    }
  });
}

/** Errors of the page; none is expected anywhere. */
export function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    // A connection that is cut on purpose is told by the browser itself.
    if (message.type() === "error" && !/WebSocket|net::ERR|Failed to load resource/.test(message.text())) {
      errors.push(message.text());
    }
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^(http|ws)/.test(url.protocol) && url.hostname !== "127.0.0.1") errors.push(`asked ${url.host}`);
    if (url.search.includes("undefined")) errors.push(`asked for ${url.pathname}${url.search}`);
  });
  return errors;
}

export async function playNow(page: Page, level = "Kobold"): Promise<void> {
  await page.goto("/");
  await page.getByRole("radio", { name: new RegExp(`^${level}`) }).check({ force: true });
  await page.getByRole("button", { name: "Play now" }).click();
  await expect(page.getByTestId("prompt")).toBeVisible();
}

/** Makes a table as a new guest of that name, and goes there. */
export async function makeTable(
  page: Page,
  name: string,
  table: { settings: Record<string, unknown>; bots?: string[]; start?: boolean },
): Promise<void> {
  await page.goto("/");
  const post = async (path: string, data: unknown) => {
    const answer = await page.request.post(path, { data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return answer;
  };
  await post("/api/guest", { name });
  const { link } = (await (await post("/api/tables", table)).json()) as { link: string };
  await page.goto(link);
}

export const ended = (page: Page) => page.getByTestId("prompt").filter({ hasText: "The game is over" });

/** Waits until there is something to answer, or the game is over; says which. */
export async function nextQuestion(page: Page): Promise<"asked" | "over"> {
  const open = page.locator('[data-testid="prompt"].open');
  await expect(open.or(ended(page)).first()).toBeVisible({ timeout: 60_000 });
  return (await ended(page).isVisible()) ? "over" : "asked";
}

/** The number of the moment that is shown. */
export const seqOf = (page: Page) => page.getByTestId("prompt").getAttribute("data-seq");

/** Does what is looked at, unless the game has gone on already. */
export async function confirmIfAsked(page: Page): Promise<void> {
  const confirm = page.getByTestId("confirm");
  if (!(await confirm.isVisible())) return;
  await confirm.click({ timeout: 5_000 }).catch(async (error: unknown) => {
    if (await confirm.isVisible()) throw error;
  });
}

/** One answer by mouse: a room onto a place where one can be built, else one of the list. */
export async function answerByMouse(page: Page, n: number): Promise<void> {
  const before = await seqOf(page);
  const lit = page.locator('[data-testid="hand-card"]:not(.idle)');
  const rooms = await lit.count();
  if (rooms > 0 && n % 3 !== 2) {
    await lit.nth(n % rooms).click({ position: { x: 30, y: 20 } });
    const place = page.locator(
      '[data-testid="own"] [data-key^="place:"] button, [data-testid="own"] button[data-key^="place:"]',
    );
    if ((await place.count()) > 0) {
      await place.first().click();
      await confirmIfAsked(page);
      return;
    }
    // A spell is shown first, and then cast.
    await confirmIfAsked(page);
    // It is on its way, or the card asks for more than a click.
    if (!(await page.locator('[data-testid="prompt"].open').isVisible())) {
      await expect
        .poll(async () => (await ended(page).isVisible()) || (await seqOf(page)) !== before)
        .toBe(true);
      return;
    }
    if ((await seqOf(page)) !== before) return;
    await page.keyboard.press("Escape");
  }
  const [list, buttons] = [page.getByTestId("list"), page.getByTestId("answer").or(page.getByTestId("pass"))];
  await expect(list.or(buttons).first()).toBeVisible();
  if (await list.isVisible()) {
    await list.click();
    const choices = page.getByRole("dialog").getByTestId("choice");
    await choices.nth(n % (await choices.count())).click();
    return;
  }
  await buttons.first().click();
}

/** One answer by keys alone. */
export async function answerByKeys(page: Page, n: number): Promise<void> {
  if (n % 2 === 0) {
    // The list: down to a choice, and Enter.
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog");
    if (await dialog.isVisible()) {
      const choices = await dialog.getByTestId("choice").count();
      for (let i = 0; i < 40; i += 1) {
        const at = await page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
        if (at === "choice") break;
        await page.keyboard.press("Tab");
      }
      for (let i = 0; i < n % choices; i += 1) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      return;
    }
  }
  const passes = await page.getByTestId("pass").isVisible();
  if (passes) {
    await page.keyboard.press("p");
  } else {
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
  }
}

/** Plays until the game is over, and says how many answers it took. */
export async function playToTheEnd(
  page: Page,
  answer: (page: Page, n: number) => Promise<void>,
): Promise<number> {
  for (let n = 0; n < 600; n += 1) {
    if ((await nextQuestion(page)) === "over") return n;
    const before = await page.getByTestId("prompt").getAttribute("data-seq");
    await answer(page, n);
    await expect
      .poll(
        async () =>
          (await ended(page).isVisible()) ||
          (await page.getByTestId("prompt").getAttribute("data-seq")) !== before,
        {
          timeout: 20_000,
        },
      )
      .toBe(true);
  }
  throw new Error("the game does not end");
}
