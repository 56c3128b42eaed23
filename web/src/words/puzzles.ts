/** Puzzles: the list, and the table of one. */
import type { PuzzleDifficulty, PuzzleGoal } from "../gen/wire";

const answers = (count: number) => (count === 1 ? "1 move to find" : `${count} moves to find`);

export const say = {
  title: "Puzzles",
  lead: "Positions from real games between bots. All hands are open, and exactly one line works this turn, whatever the others do and however chance falls: proved by searching through everything that can happen.",
  solved: (done: number, all: number) => `${done} of ${all} solved`,
  next: "Next unsolved puzzle",
  none: "No puzzle matches. Show more of them above.",
  allSolved: "You have solved them all. Well done.",
  filter: {
    label: "Which puzzles",
    difficulty: "Difficulty",
    all: "All",
    deck: "Deck",
    allDecks: "All decks",
    goal: "Goal",
    allGoals: "Win or survive",
    unsolved: "Only unsolved",
    count: (count: number) => (count === 1 ? "1 puzzle" : `${count} puzzles`),
  },
  difficulties: {
    easy: "Easy",
    tricky: "Tricky",
    hard: "Hard",
    fiendish: "Fiendish",
  } satisfies Record<PuzzleDifficulty, string>,
  /** What it has to do with the bots. */
  difficultyMeans: {
    easy: "Most bots find it.",
    tricky: "Some of the bots find it.",
    hard: "Few bots find it.",
    fiendish: "Hardly a bot finds it.",
  } satisfies Record<PuzzleDifficulty, string>,
  goals: { win: "Win this turn", survive: "Survive this turn" } satisfies Record<PuzzleGoal, string>,
  goalMeans: {
    win: "Win the game this turn, whatever the others do.",
    survive: "Survive this turn, whatever the others do.",
    alone: "Keep the game going past this turn.",
  },
  players: (count: number) => (count === 1 ? "alone" : `${count} players`),
  answers,
  turn: (turn: number) => `turn ${turn}`,
  done: "solved",
  /** What a link to a puzzle is called. */
  linkTo: (boss: string, goal: string) => `${boss}: ${goal}`,
  nobody: "A boss",

  titleOf: (name: string) => `Puzzle ${name} · Lair`,
  headingOf: (goal: string) => `Puzzle: ${goal}`,
  back: "Puzzles",
  backLong: "Back to the list of puzzles",
  you: "You",
  restart: "Start over",
  copy: "Copy link",
  missing: "There is no such puzzle. It may have been taken out because a card has changed.",
  takeBack: "Takes back your last answer.",
  nothingToTakeBack: "This is where the puzzle begins.",

  refuted: {
    title: "That doesn't work",
    lead: "This is what happens:",
    nothing: "Nobody had to do anything about it.",
    ends: "In the end:",
    notWon: "The turn is over, and you haven't won.",
    again: "Try again",
    watch: "Watch it again",
    solution: "Show the solution",
  },
  right: {
    title: "Solved!",
    lead: "Nothing they could have done would have helped.",
    found: (found: number) =>
      found === 0
        ? "None of the bots finds it."
        : `The bots find it ${found === 100 ? "every time" : `${found} % of the time`}.`,
    next: "Next puzzle",
    again: "Play it again",
    all: "All puzzles",
  },
  solution: {
    title: "The solution",
    lead: "★ marks what had to be found. The others' replies are those that resist longest.",
    only: "To be found",
    hide: "Back to the puzzle",
  },
  move: (name: string, words: string) => `${name}: ${words}`,
  passes: "pass",
} as const;
