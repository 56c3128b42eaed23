import { describe, expect, it } from "vitest";
import type { YourQuestion, GameEvent, Table } from "../src/gen/wire";
import { adviceFor, ENOUGH_TURNS, isComplete, lessonOf, LESSONS } from "../src/pages/learn/lessons";
import { say } from "../src/words/pages";

const card = { id: 1, kind: "hero" as const };
const view = (phase: Table["phase"]): Table => ({
  turn: 1,
  phase,
  order: [],
  players: [],
  town: [],
  pending: [],
  discard: [],
  decks: {},
});
const ask = (question: string, kinds: ("pass" | "build" | "cast" | "yes")[]): YourQuestion => ({
  decision: { seat: 1, kind: "priority", question, words: "" },
  legal: kinds.map((kind) => {
    if (kind === "build") return { kind, card, dungeon: 1, place: 0, words: "" };
    if (kind === "cast") return { kind: "use", card: { id: 2, kind: "spell" }, ability: 0, words: "" };
    return { kind, words: "" };
  }),
});

describe("the tutorial", () => {
  it("teaches what happens to the player, and anyone's wounds and spells", () => {
    const happened = (event: object) => lessonOf({ words: "", card, ...event } as GameEvent, 1);
    const [mine, theirs] = [{ to: { zone: "scoring", seat: 1 } }, { to: { zone: "scoring", seat: 2 } }];
    expect(happened({ kind: "dies", ...mine })).toBe("kill");
    expect(happened({ kind: "dies", ...theirs })).toBeUndefined();
    expect(happened({ kind: "reveals", actor: 1 })).toBe("build");
    expect(happened({ kind: "lured", to: { zone: "entrance", seat: 1 } })).toBe("lure");
    expect(happened({ kind: "wounds", ...mine })).toBe("wound");
    expect(happened({ kind: "wounds", ...theirs })).toBe("wound");
    expect(happened({ kind: "levels_up", actor: 1 })).toBe("level");
    expect(happened({ kind: "casts", actor: 2 })).toBe("spell");
    expect(happened({ kind: "uses", actor: 1 })).toBeUndefined();
  });

  it("advises on the question first, then on the phase", () => {
    expect(adviceFor(undefined, undefined, false)).toBe("deal");
    expect(adviceFor(view("setup"), ask("first_room", ["build"]), false)).toBe("first");
    expect(adviceFor(view("build"), ask("act", ["pass", "build"]), false)).toBe("build");
    expect(adviceFor(view("build"), ask("act", ["pass"]), false)).toBe("passBuild");
    expect(adviceFor(view("adventure"), ask("act", ["pass"]), false)).toBe("adventure");
    expect(adviceFor(view("adventure"), ask("act", ["pass", "cast"]), false)).toBe("cast");
    expect(adviceFor(view("adventure"), ask("act", ["pass", "cast"]), false, ["spell"])).toBe("adventure");
    expect(adviceFor(view("end"), ask("may", ["yes"]), false)).toBe("may");
    expect(adviceFor(view("bait"), undefined, false)).toBe("bait");
    expect(adviceFor(view("end"), undefined, true)).toBe("over");
  });

  it("ends when everything was seen, or when the rest may never happen", () => {
    expect(isComplete(LESSONS, 2)).toBe(true);
    expect(isComplete(["build", "lure", "kill"], ENOUGH_TURNS)).toBe(true);
    expect(isComplete(["build", "lure", "kill"], ENOUGH_TURNS - 1)).toBe(false);
  });

  it("has words for every lesson", () => {
    for (const lesson of LESSONS) expect(say.tutorial.lessons[lesson].words).not.toBe("");
  });
});
