/** What went wrong with a request, in words for people. */
import { say } from "../words/pages";

export class Problem extends Error {
  constructor(
    readonly code: string,
    words: string,
    /** The status, or 0 if there was no answer. */
    readonly status = 0,
  ) {
    super(words);
    this.name = "Problem";
  }

  get words(): string {
    return this.message;
  }
}

/** Whatever was thrown, as a problem. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(
    "mistake",
    error instanceof Error && error.message ? say.problems.mistake(error.message) : say.problems.unknown,
  );
}
