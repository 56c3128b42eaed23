import { expect, test } from "@playwright/test";
import { answerByMouse, inAHurry, nextQuestion, playNow, seqOf, watchErrors } from "./table";

test("a spell is armed by a click while something else is asked, survives a reload, and is disarmed", async ({
  page,
}) => {
  await inAHurry(page);
  const errors = watchErrors(page);
  await playNow(page);
  await nextQuestion(page);
  // Everyone is dealt two spells before anything is decided.
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Plan ahead" });
  await expect(dialog.getByRole("radio", { name: "at the next chance" })).toBeChecked();
  const name = await dialog.getByRole("combobox", { name: "Card" }).locator("option").first().innerText();
  await dialog.getByTestId("arm").click();
  await expect(dialog).toBeHidden();
  const mark = page.getByTestId("hand").getByTestId("armed-mark");
  await expect(mark).toHaveCount(1);
  await expect(mark).toHaveAccessibleName("Armed: at the next chance");

  await page.reload();
  await expect(mark).toHaveCount(1);
  // By mouse: the button beside the question.
  await page.getByTestId("plan").click();
  await expect(dialog.getByTestId("armed-now")).toHaveText("Armed: at the next chance.");
  await expect(dialog.getByRole("combobox", { name: "Card" }).locator("option").first()).toHaveText(
    `${name} (armed)`,
  );
  await dialog.getByTestId("disarm").click();
  await expect(mark).toHaveCount(0);
  expect(errors).toEqual([]);
});

test("passing on: from the menu and back, and with the button beside Pass, which remembers", async ({
  page,
}) => {
  await inAHurry(page);
  const errors = watchErrors(page);
  await playNow(page);
  await nextQuestion(page);
  // Nothing is passed while the players set up, so it goes on until it is stopped.
  await page.getByTestId("menu").click();
  await page.getByRole("dialog").getByRole("radio", { name: "Pass until the next turn" }).check();
  await page.keyboard.press("Escape");
  const passing = page.getByTestId("passing");
  await expect(passing).toContainText("Passing until the next turn");
  await passing.getByTestId("passing-end").click();
  await expect(passing).toHaveCount(0);

  const more = page.getByTestId("pass-on-more");
  for (let n = 0; n < 20 && !(await more.isVisible()); n += 1) {
    expect(await nextQuestion(page)).toBe("asked");
    if (await more.isVisible()) break;
    const before = await seqOf(page);
    await answerByMouse(page, n);
    await expect.poll(() => seqOf(page)).not.toBe(before);
  }
  await expect(page.getByTestId("pass-on")).toHaveAccessibleName("Pass until the next turn");
  const before = await seqOf(page);
  await more.click();
  await page.getByRole("button", { name: "Pass until the next hero" }).click();
  await expect.poll(() => seqOf(page)).not.toBe(before);
  const kept = () => page.evaluate(() => localStorage.getItem("lair.table") ?? "");
  expect(await kept()).toContain('"passUntil":"hero"');
  expect(errors).toEqual([]);
});
