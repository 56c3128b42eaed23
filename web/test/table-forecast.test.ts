import { render } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import type { GameEvent, Hero, Player, Table } from "../src/gen/wire";
import Board from "../src/table/board/Board.svelte";
import { plan } from "../src/table/stage/animate";
import { cards, classes, moments } from "./table-moments";

const whole = moments[0]?.update.view ?? expect.unreachable();
const faceOf = (kind: string) => [...cards.values()].find((card) => card.kind === kind)?.face ?? -1;
const card = (id: number, kind: "hero" | "room") => ({ id, kind, face: faceOf(kind) });
const room = (id: number) => ({
  card: card(id, "room"),
  damage: 2,
  facedown: false,
  deactivated: false,
  beneath: [],
});

/** A hero with 4 health at the entrance of two rooms that deal 2 each: it dies in the second. */
function table(): Table {
  const hero: Hero = {
    card: card(900, "hero"),
    health: 4,
    damage: 0,
    forecast: {
      rooms: [
        { room: 902, damage: 2, taken: 2 },
        { room: 901, damage: 2, taken: 4 },
      ],
      fate: "dies",
    },
  };
  const [first] = whole.players as [Player];
  const player: Player = { ...first, dungeon: [room(901), room(902)], entrance: [hero], inside: [] };
  return { ...whole, seat: 1, order: [1], town: [], players: [player], phase: "adventure", active: 1 };
}

const enters = (id: number, slot: number): GameEvent => ({
  kind: "enters",
  card: card(900, "hero"),
  room: card(id, "room"),
  from: slot === 1 ? { zone: "entrance", seat: 1 } : { zone: "inside", seat: 1, slot: 1 },
  to: { zone: "inside", seat: 1, slot },
  words: "",
});
const damaged = (taken: number): GameEvent => ({
  kind: "damaged",
  card: card(900, "hero"),
  amount: 2,
  taken,
  health: 4,
  words: "",
});
const dies: GameEvent = {
  kind: "dies",
  souls: 1,
  card: card(900, "hero"),
  from: { zone: "inside", seat: 1, slot: 0 },
  to: { zone: "scoring", seat: 1, facedown: true, score: { souls: 1, wounds: 0 } },
  words: "",
};

function sums(view: Table): string[] {
  const { container, unmount } = render(Board, { props: { cards, classes, view, names: ["Anna"], me: 1 } });
  const shown = [...container.querySelectorAll(".sum")].map((node) => node.textContent?.trim() ?? "");
  unmount();
  return shown;
}

describe("the sums in the rooms", () => {
  it("count every point of damage once, from the entrance to the death", () => {
    const before = table();
    const events = [enters(902, 1), damaged(2), enters(901, 0), damaged(4), dies];
    const after = { ...before, players: before.players.map((player) => ({ ...player, entrance: [] })) };
    const walked = plan({ before, events, after, cards }).filter((step) => step.events.length > 0);
    expect(walked.map(({ view }) => sums(view))).toEqual(events.map(() => ["2/4", "☠ 4/4"]));
  });
});
