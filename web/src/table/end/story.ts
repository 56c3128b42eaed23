/** Reading the story of a finished game: nothing here is estimated, the server has done that. */
import type { GameStory, StoryMoment } from "../../gen/wire";

export interface Decisive {
  turn: number;
  /** Where the replay begins. */
  step: number;
  /** The winner's chances before and after that turn, in percent. */
  before: number;
  after: number;
  /** What happened in it. */
  moment?: StoryMoment;
}

/** The turn that brought the winner furthest; none if there is no winner or the game was too short. */
export function decisive(story: GameStory, winner: number | undefined): Decisive | undefined {
  if (winner === undefined) return undefined;
  let best: Decisive | undefined;
  story.turns.slice(1).forEach((next, i) => {
    const start = story.turns[i];
    const [before, after] = [start?.chances[winner - 1], next.chances[winner - 1]];
    if (!start || before === undefined || after === undefined || start.turn < 1) return;
    if (best && after - before <= best.after - best.before) return;
    const moments = story.moments.filter(({ step }) => step > start.step && step <= next.step);
    const moment = weightiest(moments, winner);
    best = { turn: start.turn, step: moment ? moment.step - 1 : start.step, before, after, moment };
  });
  return best;
}

/** Somebody else out, then a wound of somebody else, then the last soul of the winner. */
function weightiest(moments: readonly StoryMoment[], winner: number): StoryMoment | undefined {
  const last = (is: (moment: StoryMoment) => boolean) => moments.filter(is).at(-1);
  return (
    last(({ kind, seat }) => kind === "eliminated" && seat !== winner) ??
    last(({ kind, seat }) => kind === "dies" && seat === winner) ??
    last(({ kind, seat }) => kind === "wounds" && seat !== winner) ??
    moments.at(-1)
  );
}

/** A line of the curve: one number for each turn, from 0 to 100. */
export function chancesOf(story: GameStory, seat: number): number[] {
  return story.turns.map(({ chances }) => chances[seat - 1] ?? 0);
}
