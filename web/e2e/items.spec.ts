/** A whole game with items: they lie in town, heroes carry them, bosses claim and use them. */
import { expect, test } from "@playwright/test";
import { answerByMouse, confirmIfAsked, inAHurry, makeTable, playToTheEnd, watchErrors } from "./table";

test("items are carried, claimed and used in a game that is played to its end", async ({ page }) => {
  test.setTimeout(420_000);
  const errors = watchErrors(page);
  await inAHurry(page);
  const seen = { inTown: 0, carried: 0, claimed: 0, used: 0 };
  // A short game may have no item that anybody could use.
  for (let games = 0; games < 8 && Object.values(seen).includes(0); games += 1) {
    await makeTable(page, "Anna", {
      settings: { deck: "bmr-thk", players: 3, window_ms: 0 },
      bots: ["minion", "kobold"],
      start: true,
    });
    await expect(page.getByTestId("prompt")).toBeVisible();
    await playToTheEnd(page, async (at, turn) => {
      seen.inTown += await at.locator('[data-testid="town"] [data-testid="item"]').count();
      seen.carried += await at.getByRole("img", { name: /, carries / }).count();
      seen.claimed += await at.locator(".shelf [data-testid='item']").count();
      const usable = at.locator('[data-testid="own"] .shelf button');
      if ((await usable.count()) === 0) return answerByMouse(at, turn);
      await usable.first().click();
      await confirmIfAsked(at);
      seen.used += 1;
    });
    await expect(page.getByTestId("end")).toBeVisible();
  }
  for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});
