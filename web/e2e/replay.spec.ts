import { expect, test, type Page } from "@playwright/test";
import { answerByMouse, inAHurry, nextQuestion, playNow, watchErrors } from "./table";

test.beforeEach(async ({ page }) => inAHurry(page));

/** Plays a few turns, gives up, and goes to the replay. */
async function shortGame(page: Page): Promise<void> {
  await playNow(page);
  for (let n = 0; n < 9 && (await nextQuestion(page)) === "asked"; n += 1) {
    const before = await page.getByTestId("prompt").getAttribute("data-seq");
    await answerByMouse(page, n);
    await expect.poll(() => page.getByTestId("prompt").getAttribute("data-seq")).not.toBe(before);
  }
  if (!(await page.getByTestId("end").isVisible())) {
    await page.getByTestId("menu").click();
    await page.getByTestId("resign").click();
    await page.getByTestId("resign-sure").click();
  }
  await page.getByTestId("replay").click();
  await expect(page.getByTestId("board")).toBeVisible();
}

const step = (page: Page) => Number(new URL(page.url()).searchParams.get("step") ?? 0);

test("a replay moves by step and turn, switches viewpoint, is shared by link, proves its shuffle, and can be continued", async ({
  page,
  browser,
}) => {
  const errors = watchErrors(page);
  await shortGame(page);
  const scrubber = page.getByRole("slider", { name: "Position" });
  const last = Number(await scrubber.getAttribute("max"));
  expect(last).toBeGreaterThan(5);

  // By step and by turn; the address follows.
  await page.getByRole("button", { name: "Next step" }).click();
  await expect.poll(() => step(page)).toBeGreaterThan(0);
  const first = step(page);
  await page.getByRole("button", { name: "Next turn" }).click();
  await expect.poll(() => step(page)).toBeGreaterThan(first);
  await expect(page.getByText("Turn 1", { exact: true }).first()).toBeVisible();
  const turn = step(page);
  await page.getByRole("button", { name: "Previous step" }).click();
  await expect.poll(() => step(page)).toBeLessThan(turn);
  await scrubber.fill(String(turn));
  await expect.poll(() => step(page)).toBe(turn);
  await expect(page.locator(`[data-step][aria-current="step"]`)).toBeVisible();

  // Nobody is "you" here, and every hand is open until a player's viewpoint is chosen.
  const own = page.getByTestId("own");
  await expect(own).not.toContainText("Your dungeon");
  const hands = page.getByTestId("open-hand");
  await expect(hands).toHaveCount(2);
  // With every card face up, the first seat is offered.
  await page.getByRole("button", { name: "Play from here" }).click();
  await expect(page.getByRole("dialog").getByRole("radio").first()).toBeChecked();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  const viewpoint = page.getByRole("combobox", { name: "Point of view" });
  await viewpoint.selectOption({ label: "As Kobold saw it" });
  await expect(hands).toHaveCount(1);
  await expect(hands).toContainText("Kobold's hand");
  await expect(own).toContainText("Kobold's dungeon");
  await expect(page).toHaveURL(/seat=2/);

  // The link leads somebody else to the same moment and the same viewpoint.
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(page.url());
  await expect(visitor.getByTestId("own")).toContainText("Kobold's dungeon");
  await expect(visitor.getByRole("slider", { name: "Position" })).toHaveValue(String(turn));
  await visitor.context().close();

  // The shuffle: checked by the server and by this browser.
  await page.getByRole("button", { name: "Fair shuffle" }).click();
  const fair = page.getByRole("dialog");
  await expect(fair).toContainText("The record checks out");
  await expect(fair).toContainText("Nobody chose the cards");
  await fair.getByRole("button", { name: "Close" }).click();

  // From here on as Kobold, against bots.
  await page.getByRole("button", { name: "Play from here" }).click();
  const seat = (name: string) => page.getByRole("dialog").getByRole("radio", { name, exact: true });
  await expect(seat("Kobold")).toBeChecked();
  const asked = page.waitForRequest(
    (request) => request.method() === "POST" && /tables$/.test(request.url()),
  );
  await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
  expect((await asked).postDataJSON()).toMatchObject({ seat: 2 });
  await expect(page).toHaveURL(/\/t\//);
  await expect(page.getByTestId("prompt")).toBeVisible();
  expect(await nextQuestion(page)).toBe("asked");
  const before = await page.getByTestId("prompt").getAttribute("data-seq");
  await answerByMouse(page, 1);
  await expect.poll(() => page.getByTestId("prompt").getAttribute("data-seq")).not.toBe(before);
  expect(errors).toEqual([]);
});

test("a missing table or replay says so without asking for a name", async ({ page }) => {
  await page.goto("/t/nosuchtable");
  await expect(page.getByTestId("table-closed")).toContainText("No such table");
  await expect(page.locator("#guest-name")).toHaveCount(0);
  await page.goto("/replay/nosuchgame");
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByRole("link", { name: "Back to the title screen" }).click();
  await expect(page.getByRole("button", { name: "Play now" })).toBeVisible();
});
