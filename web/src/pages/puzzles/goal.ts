/** What has to be done, in a sentence. */
import type { PuzzleInfo } from "../../gen/wire";
import { say } from "../../words/puzzles";

export function goalOf({ goal, players }: Pick<PuzzleInfo, "goal" | "players">): string {
  if (goal === "survive" && players === 1) return say.goalMeans.alone;
  return say.goalMeans[goal];
}
