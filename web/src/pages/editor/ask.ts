/** Asks the server about a text while it is typed. */
import { problemOf } from "../../api/problem";

/** Typing is over when nothing was typed for so long, in milliseconds. */
const PAUSE = 300;

interface Reader<T> {
  ask: (signal: AbortSignal) => Promise<T>;
  found: (answer: T) => void;
  failed: (words: string) => void;
}

/** Asks after a pause, the first time at once. Returns what stops it: an answer that comes later is not told. */
export function askSoon<T>(first: boolean, { ask, found, failed }: Reader<T>): () => void {
  const stop = new AbortController();
  const timer = setTimeout(
    () => {
      ask(stop.signal).then(
        (answer) => {
          if (!stop.signal.aborted) found(answer);
        },
        (error: unknown) => {
          if (!stop.signal.aborted) failed(problemOf(error).words);
        },
      );
    },
    first ? 0 : PAUSE,
  );
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}
