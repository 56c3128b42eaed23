import { describe, expect, it } from "vitest";
import { applyEvent } from "../src/table/stage/apply";
import { decksOf } from "../src/table/board/sums";
import { cards, moments } from "./table-moments";

describe("the table after events", () => {
  it("has as many cards left in every deck as the server says", () => {
    const drawn = moments.filter(({ before, update }) => {
      const after = update.events.reduce((view, event) => applyEvent(view, event, cards), before);
      expect(after.decks).toEqual(update.view.decks);
      return JSON.stringify(before.decks) !== JSON.stringify(after.decks);
    });
    expect(drawn.length).toBeGreaterThan(0);
  });

  it("lists the decks in the order of the game, each with its kind of card", () => {
    const [moment] = moments;
    const decks = decksOf(moment?.before ?? expect.unreachable());
    expect(decks.map(({ zone, kind }) => `${kind} from ${zone}`)).toEqual([
      "room from room_deck",
      "spell from spell_deck",
      "hero from hero_deck",
      "epic from epic_deck",
    ]);
  });

  it("shows a covered room on top of its stack, and the text a boss has copied", () => {
    const [moment] = moments;
    const view = moment?.before ?? expect.unreachable();
    const owner = view.players[0] ?? expect.unreachable();
    const [top, under, deep] = [901, 902, 903].map((id) => ({ id, kind: "room" as const, face: 9 }));
    if (!top || !under || !deep) expect.unreachable();
    const stack = { card: top, damage: 2, facedown: false, deactivated: false, beneath: [under, deep] };
    const before = {
      ...view,
      players: view.players.map((p) => (p === owner ? { ...p, dungeon: [stack] } : p)),
    };
    const at = { zone: "dungeon" as const, seat: owner.seat, slot: 0, facedown: false };
    const words = "";
    const up = { kind: "comes_up" as const, damage: 4, card: deep, from: at, to: at, words };
    const raised = applyEvent(before, up, cards).players[0]?.dungeon;
    expect(raised).toEqual([{ ...stack, card: deep, damage: 4, beneath: [top, under] }]);

    const boss = { id: 904, kind: "boss" as const, face: 7 };
    const copies = { kind: "copies" as const, actor: owner.seat, card: boss, words };
    expect(applyEvent(before, copies, cards).players[0]?.copied).toBe(7);
  });
});
