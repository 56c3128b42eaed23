import { describe, expect, it } from "vitest";
import type { GameStory, StoryMoment } from "../src/gen/wire";
import { chancesOf, decisive } from "../src/table/end/story";

const moment = (step: number, kind: string, seat: number): StoryMoment => ({
  step,
  turn: 1,
  kind,
  seat,
  words: `${kind} ${String(seat)} at ${String(step)}`,
});
const story = (chances: [number, number][], moments: StoryMoment[]): GameStory => ({
  turns: chances.map((each, turn) => ({
    step: turn * 10,
    turn,
    chances: each,
    souls: [0, 0],
    wounds: [0, 0],
  })),
  moments,
  players: [],
});

const game = story(
  [
    [50, 50],
    [40, 60],
    [45, 55],
    [80, 20],
    [100, 0],
  ],
  [moment(12, "dies", 2), moment(24, "dies", 1), moment(28, "dies", 2), moment(35, "dies", 1)],
);

describe("the decisive moment", () => {
  it("is in the turn that brought the winner furthest, just before what they gained most by", () => {
    expect(decisive(game, 1)).toEqual({
      turn: 2,
      step: 23,
      before: 45,
      after: 80,
      moment: moment(24, "dies", 1),
    });
  });

  it("is somebody else's end before anything else", () => {
    const out = { ...game, moments: [...game.moments, moment(25, "eliminated", 2)] };
    expect(decisive(out, 1)?.moment?.kind).toBe("eliminated");
  });

  it("is the start of the turn if nothing is told of it, and nothing without a winner", () => {
    expect(decisive({ ...game, moments: [] }, 1)?.step).toBe(20);
    expect(decisive(game, undefined)).toBeUndefined();
    expect(decisive(story([[50, 50]], []), 1)).toBeUndefined();
  });
});

it("a curve has one point for each turn", () => {
  expect(chancesOf(game, 2)).toEqual([50, 60, 55, 20, 0]);
});
