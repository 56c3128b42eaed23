import { afterEach, describe, expect, test, vi } from "vitest";
import { readRoute, to } from "../src/app/route";
import type {
  GameEvent,
  PuzzleInfo,
  PuzzlePosition,
  PuzzleReply,
  Table,
  YourQuestion,
} from "../src/gen/wire";
import { TableSession } from "../src/net/session.svelte";
import { EVERYTHING, grouped, inOrder, matching, nextAfter } from "../src/pages/puzzles/choose";
import { Examiner, type Server } from "../src/pages/puzzles/examiner.svelte";
import { goalOf } from "../src/pages/puzzles/goal";

const puzzle = (name: string, more: Partial<PuzzleInfo> = {}): PuzzleInfo => ({
  name,
  deck: "bmr",
  ruleset: "classic",
  players: 2,
  turn: 7,
  seat: 2,
  goal: "win",
  answers: 1,
  missed: 10,
  difficulty: "easy",
  ...more,
});

describe("the list", () => {
  const all = [
    puzzle("a", { missed: 95, difficulty: "fiendish" }),
    puzzle("b", { missed: 20 }),
    puzzle("c", { deck: "tnl", goal: "survive" }),
    puzzle("d", { missed: 20 }),
  ];
  const names = (puzzles: readonly PuzzleInfo[]) => puzzles.map(({ name }) => name);

  test("begins with the easiest, and keeps the server's order among equals", () => {
    expect(names(inOrder(all))).toEqual(["c", "b", "d", "a"]);
    expect(grouped(all).map(({ difficulty, puzzles }) => [difficulty, names(puzzles)])).toEqual([
      ["easy", ["c", "b", "d"]],
      ["fiendish", ["a"]],
    ]);
  });

  test("shows what is asked for", () => {
    const found = (filter: object) => names(matching(all, { ...EVERYTHING, ...filter }, new Set(["b"])));
    expect(found({})).toEqual(["a", "b", "c", "d"]);
    expect(found({ difficulty: "easy", unsolved: true })).toEqual(["c", "d"]);
    expect(found({ deck: "tnl" })).toEqual(["c"]);
    expect(found({ goal: "survive", deck: "bmr" })).toEqual([]);
  });

  test("goes on with the next unsolved one, and from the beginning after the last", () => {
    const next = (solved: string[], name?: string) => nextAfter(all, new Set(solved), name)?.name;
    expect(next([])).toBe("c");
    expect(next([], "c")).toBe("b");
    expect(next(["b"], "c")).toBe("d");
    expect(next([], "a")).toBe("c");
    expect(next(["b", "c", "d"], "a")).toBeUndefined();
    // What is no longer there is no place to go on from.
    expect(next(["c"], "gone")).toBe("b");
  });

  test("has addresses that can be shared", () => {
    expect(readRoute(to.puzzles)).toEqual({ page: "puzzles" });
    expect(readRoute(to.puzzle("bmr-088bbc"))).toEqual({ page: "puzzle", id: "bmr-088bbc" });
    expect(readRoute("/puzzles/a/b").page).toBe("not_found");
  });

  test("says what has to be done, also to whoever plays alone", () => {
    const goals = [goalOf({ goal: "win", players: 2 }), goalOf({ goal: "survive", players: 3 })];
    expect(new Set([...goals, goalOf({ goal: "survive", players: 1 })]).size).toBe(3);
  });
});

describe("the examiner", () => {
  afterEach(() => vi.useRealTimers());

  const view = (turn: number) => ({ seat: 2, turn, players: [] }) as unknown as Table;
  const ask = (words: string) =>
    ({ decision: { seat: 2, words }, legal: [{ kind: "pass" }, { kind: "yes" }] }) as unknown as YourQuestion;
  const event = (words: string) => ({ kind: "phase_begins", words }) as unknown as GameEvent;
  const position: PuzzlePosition = {
    puzzle: puzzle("p"),
    names: ["Gorgona", "Robobo"],
    start: { seat: 2, players: 2, phases: [], classes: [], cards: [] } as unknown as PuzzlePosition["start"],
    view: view(1),
    ask: ask("first"),
  };
  const asked: PuzzleReply = {
    stage: "asked",
    moves: [{ seat: 2, words: "yes", events: [event("one")] }],
    view: view(2),
    ask: ask("second"),
  };
  const over = (stage: "solved" | "refuted"): PuzzleReply => ({
    stage,
    moves: [
      { seat: 2, words: "yes", events: [event("two")] },
      { seat: 1, words: "cast Fear", events: [event("three")] },
    ],
    view: view(3),
  });

  /** A table at which the server says this to these answers. */
  async function sit(replies: Record<string, PuzzleReply>, more: Partial<Server> = {}) {
    const server: Server = {
      attempt: vi.fn((_: string, answers: readonly number[]) => {
        const reply = replies[answers.join()];
        return reply ? Promise.resolve(reply) : Promise.reject(new Error("busy"));
      }),
      previewPuzzle: vi.fn((_: string, answers: readonly number[], index: number) =>
        Promise.resolve({ seq: answers.length, index, words: `would ${String(index)}` }),
      ),
      whyNotInPuzzle: vi.fn(() => Promise.resolve({ words: "because" })),
      puzzleHint: vi.fn(() => Promise.resolve({ kind: "It takes a room.", index: 1, words: "yes" })),
      ...more,
    };
    const solved = vi.fn();
    const examiner = new Examiner(position, server, solved);
    const session = new TableSession("p", () => examiner);
    await vi.waitFor(() => expect(session.line).toBe("open"));
    const act = async (index: number) => {
      const { seq } = session.state.update ?? { seq: 0 };
      session.act(index);
      await vi.waitFor(() =>
        expect((session.state.update?.seq ?? 0) > seq || session.toasts.length > 0).toBe(true),
      );
    };
    const words = () => session.state.update?.ask?.decision.words;
    return { server, examiner, session, solved, act, words };
  }

  test("asks on until it is solved, and tells which answers did it", async () => {
    const { examiner, session, solved, act, words, server } = await sit({
      "1": asked,
      "1,0": over("solved"),
    });
    expect(words()).toBe("first");
    expect(session.state.you?.seat).toBe(2);
    await act(1);
    expect([words(), examiner.stage, solved.mock.calls.length]).toEqual(["second", "asked", 0]);
    await act(0);
    expect(examiner.stage).toBe("solved");
    expect(session.state.update?.ask).toBeUndefined();
    expect(session.state.update?.events.map((told) => told.words)).toEqual(["two", "three"]);
    expect(solved.mock.calls).toEqual([[[1, 0]]]);
    expect(vi.mocked(server.attempt).mock.calls).toEqual([
      ["p", [1]],
      ["p", [1, 0]],
    ]);
  });

  test("shows what refutes an answer, again if wanted, and lets it be taken back", async () => {
    const { examiner, session, act, words, solved } = await sit({ "1": asked, "1,1": over("refuted") });
    expect(session.state.update?.undo.allowed).toBe("no");
    await act(1);
    await act(1);
    expect([examiner.stage, solved.mock.calls.length]).toEqual(["refuted", 0]);
    expect(examiner.moves.map(({ words }) => words)).toEqual(["yes", "cast Fear"]);
    const shown: [boolean, number][] = [];
    session.onupdate = ({ fresh, events }) => shown.push([fresh, events.length]);
    examiner.watchAgain();
    expect(shown).toEqual([
      [true, 0],
      [false, 2],
    ]);
    expect(examiner.stage).toBe("refuted");
    session.undo();
    expect([words(), examiner.stage, examiner.given]).toEqual(["second", "asked", [1]]);
    expect(session.state.update?.undo.allowed).toBe("freely");
    examiner.restart();
    expect([words(), examiner.given]).toEqual(["first", []]);
  });

  test("hints in two steps, the answer only with the second", async () => {
    const { examiner, session, act } = await sit({ "1": asked });
    session.hint();
    await vi.waitFor(() => expect(examiner.clue).toBe("It takes a room."));
    expect(session.state.hint?.moves).toEqual([]);
    session.hint();
    await vi.waitFor(() => expect(session.state.hint?.moves).toHaveLength(1));
    expect(session.state.hint?.moves[0]).toMatchObject({ index: 1, words: "yes" });
    await act(1);
    expect(examiner.clue).toBe("");
  });

  test("names the answer at once where its kind says nothing", async () => {
    const puzzleHint = () => Promise.resolve({ index: 0, words: "pass" });
    const { examiner, session } = await sit({}, { puzzleHint });
    session.hint();
    await vi.waitFor(() => expect(session.state.hint?.moves).toHaveLength(1));
    expect(examiner.clue).toBe("");
  });

  test("looks at one answer at a time, and of those that wait at the newest", async () => {
    const held: (() => void)[] = [];
    const previewPuzzle = vi.fn(
      (_: string, __: readonly number[], index: number) =>
        new Promise<{ seq: number; index: number; words: string }>((done) =>
          held.push(() => done({ seq: 0, index, words: `would ${String(index)}` })),
        ),
    );
    const { session } = await sit({}, { previewPuzzle });
    for (const index of [0, 1, 0, 1]) session.preview(index);
    expect(previewPuzzle).toHaveBeenCalledTimes(1);
    held[0]?.();
    await vi.waitFor(() => expect(previewPuzzle).toHaveBeenCalledTimes(2));
    held[1]?.();
    await vi.waitFor(() => expect(session.state.preview?.words).toBe("would 1"));
    expect(previewPuzzle).toHaveBeenCalledTimes(2);
  });

  test("says why a card cannot be used, and what the server refuses", async () => {
    const { session, act, words } = await sit({});
    session.why(7);
    await vi.waitFor(() => expect(session.state.why?.words).toBe("because"));
    await act(0);
    expect(session.toasts).toHaveLength(1);
    // Nothing has changed, and it can be answered again.
    expect([words(), session.state.answered]).toEqual(["first", undefined]);
  });

  test("does not tell what came of an answer that was taken back meanwhile", async () => {
    let done: (reply: PuzzleReply) => void = () => undefined;
    const attempt = (_: string, answers: readonly number[]) =>
      answers.length === 1 ? Promise.resolve(asked) : new Promise<PuzzleReply>((resolve) => (done = resolve));
    const { examiner, session, act, words } = await sit({}, { attempt });
    await act(1);
    session.act(0);
    session.undo();
    done(over("solved"));
    await Promise.resolve();
    expect([examiner.stage, examiner.given, words()]).toEqual(["asked", [], "first"]);
  });

  test("is there however long somebody thinks", async () => {
    vi.useFakeTimers();
    const { session } = await sit({});
    await vi.advanceTimersByTimeAsync(600_000);
    expect(session.line).toBe("open");
  });
});
