import { describe, expect, it } from "vitest";
import type { Choice } from "../src/gen/wire";
import { Answering } from "../src/table/prompt/answering.svelte";
import {
  answersAt,
  cardKey,
  choicesOf,
  handOrder,
  inSight,
  lit,
  placeKey,
  playerKey,
  reachable,
  targetsOf,
} from "../src/table/prompt/choices";
import { moments } from "./table-moments";

const asked = moments.flatMap(({ update }) => (update.ask ? [{ ask: update.ask, view: update.view }] : []));
const kinds = (choice: Choice) =>
  choice.kind === "pick"
    ? Object.keys(choice).find((key) => ["card", "player", "class", "option"].includes(key))
    : choice.kind;

describe("the answers on the board", () => {
  it("has moments with every kind of answer", () => {
    const seen = new Set(asked.flatMap(({ ask }) => ask.legal.map(kinds)));
    for (const kind of ["pass", "yes", "no", "use", "build", "card", "player", "class", "option"])
      expect(seen).toContain(kind);
  });

  it.each(asked.map((each, i) => [i, each] as const))(
    "reaches every answer of moment %i",
    (_, { ask, view }) => {
      const choices = choicesOf(ask.legal, view);
      expect([...reachable(choices)].sort((a, b) => a - b)).toEqual(ask.legal.map((_, index) => index));
    },
  );

  it.each(asked.map((each, i) => [i, each] as const))(
    "gives every answer of moment %i by clicks",
    (_, { ask, view }) => {
      ask.legal.forEach((choice, index) => {
        const given: number[] = [];
        const answering = new Answering({ act: (at) => given.push(at), preview: () => undefined });
        answering.ask(ask, view);
        if (choice.kind === "build") {
          answering.pick(cardKey(choice.card.id));
          answering.pick(placeKey(choice.dungeon, choice.place));
        } else if (choice.kind === "use") {
          answering.pick(cardKey(choice.card.id));
          answering.confirm();
        } else if (choice.kind === "pick" && choice.card) {
          answering.pick(cardKey(choice.card.id));
        } else if (choice.kind === "pick" && choice.player !== undefined) {
          answering.pick(playerKey(choice.player));
        } else {
          answering.give(index);
        }
        // Several answers at one card: the menu has this one.
        if (given.length === 0) {
          expect(answering.menu).toContain(index);
          answering.give(index);
        }
        expect(given).toEqual([index]);
      });
    },
  );

  it("highlights only what is visible, or listed in the picker", () => {
    for (const { ask, view } of asked) {
      const choices = choicesOf(ask.legal, view);
      const seen = inSight(view);
      const picker = new Set(choices.offBoard.map(({ card }) => card.id));
      for (const key of lit(choices)) {
        const [kind, id] = key.split(":");
        if (kind === "card") expect(seen.has(Number(id)) || picker.has(Number(id))).toBe(true);
      }
    }
  });

  it("shows places only for the room that was chosen", () => {
    const { ask, view } =
      asked.find(({ ask }) => ask.legal.some((choice) => choice.kind === "build")) ?? expect.unreachable();
    const choices = choicesOf(ask.legal, view);
    const [card, builds] = [...choices.builds][0] ?? expect.unreachable();
    expect([...lit(choices)].some((key) => key.startsWith("place:"))).toBe(false);
    const key = placeKey(builds[0]?.dungeon ?? 0, builds[0]?.place ?? 0);
    expect(lit(choices, card)).toContain(key);
    expect(answersAt(choices, key, card)).toEqual([builds[0]?.index]);
    expect(answersAt(choices, key)).toEqual([]);
  });
});

describe("the number keys", () => {
  const table = asked.find(({ ask }) => ask.legal.some((choice) => choice.kind === "build"))?.view;
  const me = table?.players.find(({ seat }) => seat === table.seat);
  const view = table ?? expect.unreachable();
  const seat = me?.seat ?? expect.unreachable();

  it("count the cards of the hand from left to right, whatever the order of the answers", () => {
    const shown = handOrder(me?.hand.cards ?? []);
    expect(shown.length).toBeGreaterThan(2);
    const uses = [...shown].reverse().map((card): Choice => ({ kind: "use", card, ability: 0, words: "" }));
    const choices = choicesOf([{ kind: "pass", words: "" }, ...uses], view);
    expect(targetsOf(choices)).toEqual(shown.map(({ id }) => cardKey(id)));
  });

  it("count the places of a room from the entrance to the boss", () => {
    const rooms = asked.find(({ view }) =>
      view.players.some((player) => player.seat === view.seat && player.dungeon.length > 1),
    );
    const there = rooms?.view ?? expect.unreachable();
    const mine = there.players.find((player) => player.seat === there.seat) ?? expect.unreachable();
    const [card] = mine.hand.cards;
    if (!card) return expect.unreachable();
    const all = mine.dungeon.map((_, place) => place).concat(mine.dungeon.length);
    const builds = all.map(
      (place) => ({ kind: "build", card, dungeon: mine.seat, place, words: "" }) as Choice,
    );
    expect(targetsOf(choicesOf(builds, there), card.id)).toEqual(
      [...all].reverse().map((place) => placeKey(mine.seat, place)),
    );
  });

  it("put your own cards before those of the others", () => {
    const other = view.players.find((player) => player.seat !== seat) ?? expect.unreachable();
    const [card] = me?.hand.cards ?? [];
    if (!card) return expect.unreachable();
    const legal = [
      { kind: "pick", player: other.seat, words: "" },
      { kind: "pick", card, words: "" },
    ] as Choice[];
    expect(targetsOf(choicesOf(legal, view))).toEqual([cardKey(card.id), playerKey(other.seat)]);
  });
});

describe("giving an answer", () => {
  const building =
    asked.find(({ ask }) => ask.legal.some((choice) => choice.kind === "build")) ?? expect.unreachable();
  const build = building.ask.legal.find((choice) => choice.kind === "build") ?? expect.unreachable();
  const at = building.ask.legal.indexOf(build);

  function sitting() {
    const said: string[] = [];
    const answering = new Answering({
      act: (i) => said.push(`act ${i}`),
      preview: (i) => said.push(`preview ${i}`),
    });
    answering.ask(building.ask, building.view);
    return { said, answering };
  }

  it("is shown before it is made", () => {
    const { said, answering } = sitting();
    if (build.kind !== "build") return expect.unreachable();
    answering.pick(cardKey(build.card.id));
    answering.aim(placeKey(build.dungeon, build.place));
    expect(said.at(-1)).toBe(`preview ${at}`);
    answering.confirm();
    expect(said.at(-1)).toBe(`act ${at}`);
  });

  it("by Enter is what is shown, or the only answer there is", () => {
    const { said, answering } = sitting();
    expect(answering.ready).toBeUndefined();
    answering.suggest(at);
    expect(answering.ready).toBe(at);
    answering.ask({ ...building.ask, legal: [{ kind: "pass", words: "" } as Choice] }, building.view);
    answering.confirm();
    expect(said.at(-1)).toBe("act 0");
  });

  it("can be cancelled", () => {
    const { said, answering } = sitting();
    if (build.kind !== "build") return expect.unreachable();
    answering.pick(cardKey(build.card.id));
    answering.pick(cardKey(build.card.id));
    expect(answering.building).toBeUndefined();
    answering.confirm();
    expect(said.filter((line) => line.startsWith("act"))).toEqual([]);
  });

  it("is made by dropping a room on its place, and not elsewhere", () => {
    const { said, answering } = sitting();
    if (build.kind !== "build") return expect.unreachable();
    expect(answering.drop(build.card.id, placeKey(build.dungeon, 40))).toBe(false);
    expect(said).toEqual([]);
    expect(answering.drop(build.card.id, placeKey(build.dungeon, build.place))).toBe(true);
    expect(said).toEqual([`act ${at}`]);
  });

  it("takes two taps on a touchscreen", () => {
    const picking = asked.find(({ ask }) =>
      ask.legal.every((choice) => choice.kind === "pick" && choice.card),
    );
    const { ask, view } = picking ?? expect.unreachable();
    const [first] = ask.legal;
    if (first?.kind !== "pick" || !first.card) return expect.unreachable();
    const said: string[] = [];
    const answering = new Answering({
      act: (i) => said.push(`act ${i}`),
      preview: (i) => said.push(`preview ${i}`),
    });
    answering.ask(ask, view);
    answering.pick(cardKey(first.card.id), true);
    expect(said).toEqual(["preview 0"]);
    answering.pick(cardKey(first.card.id), true);
    expect(said).toEqual(["preview 0", "act 0"]);
  });

  it("that uses a card is shown first and done when confirmed; a double click does nothing more", () => {
    const [card] = building.view.players.flatMap(({ hand }) => hand.cards);
    if (!card) return expect.unreachable();
    const use: Choice = { kind: "use", card, ability: 0, words: "cast it" };
    const said: string[] = [];
    let now = 0;
    const answering = new Answering(
      { act: (i) => said.push(`act ${i}`), preview: (i) => said.push(`preview ${i}`) },
      () => now,
    );
    answering.ask({ ...building.ask, legal: [{ kind: "pass", words: "pass" }, use] }, building.view);
    answering.pick(cardKey(card.id));
    expect(said).toEqual(["preview 1"]);
    expect(answering.touched).toBe(cardKey(card.id));
    now = 150;
    answering.pick(cardKey(card.id));
    expect(said).toEqual(["preview 1"]);
    now = 1000;
    answering.confirm();
    expect(said).toEqual(["preview 1", "act 1"]);
  });

  it("that hurts the player is confirmed too", () => {
    const picking = asked.find(({ ask }) =>
      ask.legal.every((choice) => choice.kind === "pick" && choice.card),
    );
    const { ask, view } = picking ?? expect.unreachable();
    const [first] = ask.legal;
    if (first?.kind !== "pick" || !first.card) return expect.unreachable();
    const given: number[] = [];
    let hurts = true;
    const answering = new Answering({
      act: (at) => given.push(at),
      preview: () => undefined,
      hurts: () => hurts,
    });
    answering.ask(ask, view);
    answering.pick(cardKey(first.card.id));
    expect(given).toEqual([]);
    answering.clear();
    hurts = false;
    answering.pick(cardKey(first.card.id));
    expect(given).toEqual([0]);
  });

  it("keeps the room proposed by a hint while the pointer moves", () => {
    const builds = asked.flatMap(({ ask, view }) =>
      ask.legal.flatMap((choice, index) => (choice.kind === "build" ? [{ ask, view, choice, index }] : [])),
    );
    const [hint] = builds;
    if (!hint) throw new Error("no moment has a room to build");
    // Another place for the same room.
    const ask = { ...hint.ask, legal: [...hint.ask.legal, { ...hint.choice, place: hint.choice.place + 1 }] };
    const given: number[] = [];
    const answering = new Answering({ act: (at) => given.push(at), preview: () => undefined });
    answering.ask(ask, hint.view);
    answering.suggest(hint.index);
    answering.aim(undefined);
    answering.aim(cardKey(-1));
    expect(answering.aimed).toBe(hint.index);
    answering.confirm();
    expect(given).toEqual([hint.index]);
    answering.suggest(hint.index);
    answering.clear();
    answering.aim(undefined);
    expect(answering.aimed).toBeUndefined();
  });
});
