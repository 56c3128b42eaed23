import { expect, test } from "@playwright/test";
import { learn, pace, WORDS_A_MINUTE } from "./pupil";
import { inAHurry, watchErrors } from "./table";

const LESSONS = ["build", "lure", "kill", "wound", "spell", "level"];

test("the tutorial covers everything and is short", async ({ page }) => {
  const errors = watchErrors(page);
  await inAHurry(page);
  const learnt = await learn(page);
  console.log(
    `tutorial: ${String(learnt.words)} words, ${String(learnt.actions)} clicks, ` +
      `${String(Math.round(pace(learnt)))} s without animations at ${String(WORDS_A_MINUTE)} words a minute; ` +
      `happened: ${learnt.happened.join(", ")}; told: ${String(learnt.told.length)}`,
  );
  expect(learnt.happened.length + learnt.told.length).toBe(LESSONS.length);
  expect(LESSONS).toEqual(expect.arrayContaining(learnt.happened));
  // What is dealt is chance, but nobody sits through it without having done anything.
  expect(learnt.happened).toContain("build");
  expect(learnt.happened.length).toBeGreaterThan(2);
  // Three minutes of reading leave two for doing.
  expect(learnt.words).toBeLessThan(3 * WORDS_A_MINUTE);
  expect(pace(learnt)).toBeLessThan(4 * 60);
  expect(errors).toEqual([]);
});
