/** Nothing in silence: a card that cannot be used says why. */
import { expect, test } from "@playwright/test";
import { answerByMouse, inAHurry, nextQuestion, playNow, seqOf, watchErrors } from "./table";

test("a card that cannot be used says why when it is clicked or focused", async ({ page }) => {
  const errors = watchErrors(page);
  await inAHurry(page);
  await playNow(page);
  const idle = page.locator('[data-testid="hand-card"].idle');
  // At the latest when the first room is placed, the spells of the hand are of no use.
  for (let n = 0; n < 60; n += 1) {
    expect(await nextQuestion(page)).toBe("asked");
    if ((await idle.count()) > 0) break;
    const before = await seqOf(page);
    await answerByMouse(page, n);
    await expect.poll(() => seqOf(page)).not.toBe(before);
  }
  const reason = page.locator('[data-testid="lead"].why');
  await idle.first().click({ position: { x: 20, y: 20 } });
  await expect(reason).toHaveText(/\w.*[.!?]$/);
  await page.getByTestId("prompt").hover();
  await expect(reason).toHaveCount(0);
  await idle.last().focus();
  await expect(reason).toHaveText(/\w.*[.!?]$/);
  expect(errors).toEqual([]);
});
