/** Which puzzles are listed, in which order, and which one comes next. Pure. */
import type { PuzzleDifficulty, PuzzleGoal, PuzzleInfo } from "../../gen/wire";

export const DIFFICULTIES: readonly PuzzleDifficulty[] = ["easy", "tricky", "hard", "fiendish"];
export const GOALS: readonly PuzzleGoal[] = ["win", "survive"];

export interface Filter {
  difficulty: PuzzleDifficulty | "";
  deck: string;
  goal: PuzzleGoal | "";
  unsolved: boolean;
}

export const EVERYTHING: Filter = { difficulty: "", deck: "", goal: "", unsolved: false };

export interface Group {
  difficulty: PuzzleDifficulty;
  puzzles: readonly PuzzleInfo[];
}

/** The easiest first; equally hard ones in the order of the server. */
export function inOrder(puzzles: readonly PuzzleInfo[]): PuzzleInfo[] {
  return [...puzzles].sort((a, b) => a.missed - b.missed);
}

export function matching(
  puzzles: readonly PuzzleInfo[],
  { difficulty, deck, goal, unsolved }: Filter,
  solved: ReadonlySet<string>,
): PuzzleInfo[] {
  return puzzles.filter(
    (puzzle) =>
      (difficulty === "" || puzzle.difficulty === difficulty) &&
      (deck === "" || puzzle.deck === deck) &&
      (goal === "" || puzzle.goal === goal) &&
      !(unsolved && solved.has(puzzle.name)),
  );
}

/** By difficulty, without those of which there is none. */
export function grouped(puzzles: readonly PuzzleInfo[]): Group[] {
  const all = inOrder(puzzles);
  const group = (difficulty: PuzzleDifficulty) => ({
    difficulty,
    puzzles: all.filter((puzzle) => puzzle.difficulty === difficulty),
  });
  return DIFFICULTIES.map(group).filter((found) => found.puzzles.length > 0);
}

/** The first unsolved one after this, or else from the beginning. */
export function nextAfter(
  puzzles: readonly PuzzleInfo[],
  solved: ReadonlySet<string>,
  name?: string,
): PuzzleInfo | undefined {
  const all = inOrder(puzzles);
  const at = all.findIndex((puzzle) => puzzle.name === name) + 1;
  return [...all.slice(at), ...all.slice(0, at)].find(
    (puzzle) => puzzle.name !== name && !solved.has(puzzle.name),
  );
}
