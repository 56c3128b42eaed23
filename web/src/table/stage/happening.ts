/** Everything that can happen at a table: what the wire has, and what comes with coins and minibosses. */
import type { GameEvent } from "../../gen/wire";

type Told = Omit<GameEvent, "kind">;
type Trade =
  | { kind: "coins"; by: number; coins: number }
  | { kind: "coins_on"; by: number; coins: number; damage: number }
  | { kind: "sells" }
  | { kind: "joins_room"; level: number }
  | { kind: "level"; level: number; up: boolean }
  | { kind: "unpaid" }
  | { kind: "chooses_number"; number: number };

export type Happening = GameEvent | (Told & Trade);
