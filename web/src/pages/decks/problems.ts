/** The server's report on a deck, taken apart so that each problem can be shown at its place. */

export interface DeckProblem {
  words: string;
  /** Counted from 1; absent if it is about the deck as a whole. */
  line?: number;
  reason?: string;
  help?: string;
}

export function readProblems(report: string): DeckProblem[] {
  if (report.trim() === "") return [];
  return report
    .split(/^(?=error\b|warning\b)/m)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const place = /^\s*--> .*:(\d+):\d+$/m.exec(part)?.[1];
      const reason = /^\s*\|\s*\^+ (.*)$/m.exec(part)?.[1];
      const help = /^\s*= help: (.*)$/m.exec(part)?.[1];
      const words = (part.split("\n")[0] ?? "").replace(/^(error|warning): /, "");
      return {
        words,
        ...(place && { line: Number(place) }),
        ...(reason && { reason }),
        ...(help && { help }),
      };
    });
}
