import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ReplayStep } from "../src/gen/wire";
import { checkShuffle, isNothing } from "../src/pages/replay/fair";
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
  it("are passed over where nothing is to be seen", () => {
    expect(nextStep(steps, 1, 1)).toBe(3);
    expect(nextStep(steps, 4, 1)).toBe(7);
    expect(nextStep(steps, 7, -1)).toBe(4);
  });
  it("end at the ends", () => {
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

describe("the proof of a shuffle", () => {
  const hash = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest("hex");
  const secret = Buffer.alloc(32, 7);
  const entropy = [Buffer.alloc(32, 9), Buffer.alloc(32)];
  const shuffle = {
    commitment: hash(secret),
    secret: secret.toString("hex"),
    entropy: entropy.map((part) => part.toString("hex")),
    seed: hash(Buffer.from("lair shuffle 1"), secret, ...entropy),
  };
  it("is worked out, not believed", async () => {
    expect(await checkShuffle(shuffle)).toBe("fair");
    expect(await checkShuffle({ ...shuffle, secret: "08".repeat(32) })).toBe("unfair");
    expect(await checkShuffle({ ...shuffle, seed: "08".repeat(32) })).toBe("unfair");
    expect(await checkShuffle({ ...shuffle, entropy: [...shuffle.entropy].reverse() })).toBe("unfair");
  });
  it("knows who added nothing", () => expect(shuffle.entropy.map(isNothing)).toEqual([false, true]));
});
