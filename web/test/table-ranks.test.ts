import { expect, it } from "vitest";
import type { GameOver, Player } from "../src/gen/wire";
import { isKnown, ranks } from "../src/table/end/ranks";
import { moments } from "./table-moments";

const [somebody] = moments[0]?.update.view.players ?? [];
const player = (seat: number, change: Partial<Player>): Player => ({
  ...(somebody ?? expect.unreachable()),
  seat,
  playing: true,
  souls: 0,
  wounds: 0,
  ...change,
});
const over: GameOver = { winner: 4, reason: "ten souls", turns: 9, souls: [], wounds: [], record: "" };

it("ranks eliminated players by how long they lasted, those without data last", () => {
  const players = [
    player(1, { playing: false }),
    player(2, { playing: false, left: 5, souls: 6, wounds: 5 }),
    player(3, { souls: 2, wounds: 4 }),
    player(4, { souls: 10, wounds: 4 }),
    player(5, { playing: false, left: 8, souls: 1, wounds: 6 }),
    player(6, { playing: false, left: 8, souls: 3, wounds: 5 }),
  ];
  expect(ranks(players, over).map(({ seat }) => seat)).toEqual([4, 3, 6, 5, 2, 1]);
  expect(players.map(isKnown)).toEqual([false, true, true, true, true, true]);
});
