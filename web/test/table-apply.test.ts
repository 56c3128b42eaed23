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
});
