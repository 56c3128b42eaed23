/** Moving between the steps of a game. */
import type { ReplayStep } from "../../gen/wire";

/** A step that shows nothing: a pass, or a secret answer. */
export function isQuiet(step: ReplayStep): boolean {
  return step.told.length === 0;
}

/** The next step worth stopping at, in a direction; the first or last if there is none. */
export function nextStep(steps: readonly ReplayStep[], at: number, by: 1 | -1): number {
  for (let next = at + by; next > 0 && next < steps.length - 1; next += by) {
    const step = steps[next];
    if (step && !isQuiet(step)) return next;
  }
  return by > 0 ? steps.length - 1 : 0;
}

/** The first step of the next turn, or of this one, or of the one before if that is where we are. */
export function nextTurn(steps: readonly ReplayStep[], at: number, by: 1 | -1): number {
  const firsts = turnStarts(steps).map(({ step }) => step);
  const found = by > 0 ? firsts.find((step) => step > at) : firsts.filter((step) => step < at).at(-1);
  return found ?? (by > 0 ? steps.length - 1 : 0);
}

/** Where every turn begins. */
export function turnStarts(steps: readonly ReplayStep[]): { turn: number; step: number }[] {
  const starts: { turn: number; step: number }[] = [];
  for (const { turn, step } of steps) if (starts.at(-1)?.turn !== turn) starts.push({ turn, step });
  return starts;
}

/** A step that exists, whatever the link says. */
export function within(steps: readonly ReplayStep[], step: number): number {
  return Math.max(0, Math.min(steps.length - 1, step));
}
