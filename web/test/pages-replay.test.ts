import { describe, expect, it } from "vitest";
import type { ReplayStep } from "../src/gen/wire";
import { nextStep, nextTurn, turnStarts, within } from "../src/pages/replay/steps";

const steps: ReplayStep[] = [
  [0, "deal"],
  [1, "begins"],
  [1, ""],
  [1, "dies"],
  [2, "begins"],
  [2, ""],
  [2, ""],
  [3, "begins"],
  [3, "over"],
].map(([turn, told], step) => ({
  step,
  turn: Number(turn),
  phase: "build",
  words: "",
  told: told ? [String(told)] : [],
}));

describe("steps of a replay", () => {
  it("are skipped where nothing can be seen", () => {
    expect(nextStep(steps, 1, 1)).toBe(3);
    expect(nextStep(steps, 4, 1)).toBe(7);
    expect(nextStep(steps, 7, -1)).toBe(4);
  });
  it("stop at both ends", () => {
    expect(nextStep(steps, 8, 1)).toBe(8);
    expect(nextStep(steps, 1, -1)).toBe(0);
    expect(within(steps, 99)).toBe(8);
    expect(within(steps, -1)).toBe(0);
  });
  it("go by turns", () => {
    expect(turnStarts(steps).map(({ step }) => step)).toEqual([0, 1, 4, 7]);
    expect(nextTurn(steps, 2, 1)).toBe(4);
    expect(nextTurn(steps, 6, -1)).toBe(4);
    expect(nextTurn(steps, 4, -1)).toBe(1);
    expect(nextTurn(steps, 7, 1)).toBe(8);
  });
});
