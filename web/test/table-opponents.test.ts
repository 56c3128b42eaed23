import { fireEvent, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { describe, expect, it } from "vitest";
import type { Player, Table } from "../src/gen/wire";
import Board from "../src/table/board/Board.svelte";
import { cardKey, playerKey, type Key } from "../src/table/prompt/choices";
import { cards, classes, moments } from "./table-moments";

/** Four at the table, all with a room: the third and the fourth are copies. */
function table(): Table {
  const view = moments.map(({ update }) => update.view).find(({ players }) => players.every(hasRoom));
  if (!view) throw new Error("no moment with rooms");
  const [own, other] = view.players as [Player, Player];
  const copy = (seat: number): Player => ({
    ...other,
    seat,
    inside: [],
    entrance: [],
    dungeon: other.dungeon.map((room) => ({
      ...room,
      card: { ...room.card, id: room.card.id + seat * 1000 },
    })),
  });
  return { ...view, order: [1, 2, 3, 4], players: [own, copy(2), copy(3), copy(4)] };
}
const hasRoom = (player: Player) => player.dungeon.length > 0;
const roomOf = (view: Table, seat: number): Key =>
  cardKey(view.players.find((player) => player.seat === seat)?.dungeon[0]?.card.id ?? -1);

/** On a phone: here nothing has a width. */
function phone(view: Table, lit: Key[] = []) {
  const picked: Key[] = [];
  const names = ["Anna", "Ben", "Carl", "Dora"];
  const props = {
    cards,
    classes,
    view,
    names,
    me: 1,
    lit: new Set(lit),
    onpick: (key: Key) => picked.push(key),
  };
  const { container, rerender } = render(Board, { props });
  return {
    picked,
    front: () => container.querySelector('[data-testid="opponent"]')?.getAttribute("data-seat"),
    tab: (seat: number) => container.querySelectorAll(".tabs button")[seat - 2] as HTMLButtonElement,
    light: async (keys: Key[]) => {
      await rerender({ lit: new Set(keys) });
      await tick();
    },
    turn: async (next: Table) => {
      await rerender({ view: next });
      await tick();
    },
  };
}

describe("the tabs of opponents", () => {
  it("can be switched while something is highlighted, until something else is", async () => {
    const view = table();
    const { front, tab, light } = phone(view);
    expect(front()).toBe("2");
    await light([roomOf(view, 3), roomOf(view, 4)]);
    expect(front()).toBe("3");
    expect([2, 3, 4].map((seat) => tab(seat).classList.contains("lit"))).toEqual([false, true, true]);
    await fireEvent.click(tab(4));
    expect(front()).toBe("4");
    await light([roomOf(view, 2)]);
    expect(front()).toBe("2");
  });

  it("choose the player when players can be chosen", async () => {
    const { tab, picked } = phone(table(), [playerKey(3), playerKey(4)]);
    await fireEvent.click(tab(4));
    await fireEvent.click(tab(2));
    expect(picked).toEqual([playerKey(4)]);
  });

  it("do not stay on a player who is out", async () => {
    const view = table();
    const { front, tab, turn } = phone(view);
    await fireEvent.click(tab(3));
    await turn({
      ...view,
      players: view.players.map((player) => ({ ...player, playing: player.seat !== 3 })),
    });
    expect(front()).toBe("2");
    await fireEvent.click(tab(3));
    expect(front()).toBe("3");
  });
});
