/** The town board, with moments of real games as a server sent them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { badge, building } from "../src/art/town-board";
import type { CardText, Landmark, Table, Update } from "../src/gen/wire";
import { applyEvent } from "../src/table/stage/apply";
import { plan } from "../src/table/stage/animate";
import {
  answersAt,
  choicesOf,
  keyOf,
  lit,
  reachable,
  spaceKey,
  targetsOf,
} from "../src/table/prompt/choices";
import { Answering } from "../src/table/prompt/answering.svelte";
import { fateAt, front, minionAt, partWith, rankOf, toSend } from "../src/table/super/town";
import { words } from "../src/words/super";

interface Game {
  cards: CardText[];
  moments: { before: Table; update: Update }[];
}
const games = JSON.parse(readFileSync("test/fixtures/super.json", "utf8")) as Record<"solo" | "super", Game>;
const all = Object.values(games).flatMap(({ cards, moments }) => {
  const texts = new Map(cards.map((card) => [card.face, card]));
  return moments.map((moment) => ({ ...moment, cards: texts }));
});
const asked = all.flatMap(({ update }) => (update.ask ? [{ ask: update.ask, view: update.view }] : []));
const questions = new Set(asked.map(({ ask }) => ask.decision.question));

/** What lies where on the board, without what only the server counts. */
function placesOf({ town, board }: Table) {
  return {
    town: town.map(({ card }) => card.id),
    market: board?.market.map(({ id }) => id).sort((a, b) => a - b),
    landmarks: board?.landmarks.map(({ heroes }) => heroes.map(({ card }) => card.id)),
    minions: board?.minions
      .map(({ seat, space, card }) => ({ seat, space, card }))
      .sort((a, b) => a.seat - b.seat),
    first: board?.first,
  };
}

describe("the town board", () => {
  it("has moments of every question of the board", () => {
    for (const question of ["draft", "place_minion"]) expect(questions).toContain(question);
  });

  it.each(all.map((moment, i) => [i, moment] as const))(
    "is after the events of moment %i what the server says",
    (_, { before, update, cards }) => {
      const after = update.events.reduce((view, event) => applyEvent(view, event, cards), before);
      expect(placesOf(after)).toEqual(placesOf(update.view));
      // And so is what is animated, at the end.
      const steps = plan({ before, events: update.events, after: update.view, cards });
      expect(steps.at(-1)?.view).toBe(update.view);
    },
  );

  it.each(asked.map((each, i) => [i, each] as const))(
    "reaches every answer of question %i",
    (_, { ask, view }) => {
      const choices = choicesOf(ask.legal, view);
      expect([...reachable(choices)].sort((a, b) => a - b)).toEqual(ask.legal.map((_, index) => index));
      // What is on the board has a number key, and a hint can point at it.
      for (const key of lit(choices)) expect(targetsOf(choices)).toContain(key);
      ask.legal.forEach((choice, index) => {
        if (choice.kind !== "pick" || !choice.space) return;
        const key = keyOf(choice);
        expect(key).toBe(spaceKey(choice.space));
        expect(answersAt(choices, key ?? expect.unreachable())).toEqual([index]);
      });
    },
  );

  it("sends a minion with one click, and takes a card from the stall", () => {
    for (const question of ["draft", "place_minion"]) {
      const one = asked.find(({ ask }) => ask.decision.question === question) ?? expect.unreachable();
      const given: number[] = [];
      const answering = new Answering({ act: (index) => given.push(index), preview: () => undefined });
      answering.ask(one.ask, one.view);
      // Nothing of it needs the card picker.
      expect(answering.choices.offBoard).toEqual([]);
      const [key] = answering.targets.filter((key) => partWith(one.view, new Set([key])) !== undefined);
      answering.pick(key ?? expect.unreachable());
      expect(given).toHaveLength(1);
      expect(partWith(one.view, answering.lit)).toBe(question === "draft" ? "market" : "landmarks");
    }
  });

  it("offers the spaces that are not covered, and says what each is for", () => {
    for (const { view } of asked)
      for (const site of view.board?.landmarks ?? []) {
        if (site.landmark === "tavern") expect(site.spaces).toEqual(front(site) ? ["summon"] : []);
        else expect(site.spaces).toEqual(front(site) ? ["summon"] : ["treasure", "service"]);
        for (const errand of site.spaces) expect(words.space(site.landmark, errand)).not.toBe("");
      }
  });

  it("knows how a hero at a landmark would fare, in every dungeon", () => {
    const sites = all.flatMap(({ update }) =>
      (update.view.board?.landmarks ?? []).map((site) => ({ site, view: update.view })),
    );
    const taken = sites.filter(({ site }) => site.heroes.length > 0);
    expect(taken.length).toBeGreaterThan(0);
    for (const { site, view } of taken) {
      expect(site.summoned?.card).toBe(front(site)?.card.id);
      expect(site.summoned?.health).toBe((front(site)?.health ?? 0) + site.token);
      for (const { seat } of view.players) expect(fateAt(site, seat)).toBeDefined();
    }
    for (const { site } of sites) if (site.heroes.length === 0) expect(site.summoned).toBeUndefined();
  });

  it("finds the minion on a space and the hero it sends", () => {
    const out = all.flatMap(({ update: { view } }) =>
      (view.board?.minions ?? []).flatMap((minion) =>
        minion.space ? [{ view, minion, space: minion.space }] : [],
      ),
    );
    expect(out.length).toBeGreaterThan(0);
    for (const { view, minion, space } of out) {
      expect(minionAt(view.board ?? expect.unreachable(), space)?.seat).toBe(minion.seat);
      expect(toSend(view, minion.seat)?.landmark).toBe(
        space.errand === "summon" ? space.landmark : undefined,
      );
    }
  });

  it("wants more treasure for every place further back, alone", () => {
    const solo = games.solo.moments.map(({ update }) => update.view.solo ?? expect.unreachable());
    for (const { needed, score, next_score: next } of solo) {
      expect(needed).toEqual([1, 2, 3, 4]);
      if (next !== undefined) expect(next).toBeGreaterThan(score);
    }
  });
});

describe("pictures of the town board", () => {
  const landmarks: readonly Landmark[] = ["temple", "stadium", "library", "hideout", "launchpad", "tavern"];
  it("has a building for every landmark, each its own", () => {
    expect(new Set(landmarks.map((one) => building(one).rows().join())).size).toBe(landmarks.length);
  });

  it("has a badge for every title, finer with every step", () => {
    expect(rankOf("Failure")).toBe(0);
    expect(rankOf("True Boss Monster")).toBe(rankOf("Boss Monster"));
    expect(rankOf("Grand Ultimate Master of the Dungeon")).toBe(10);
    const badges = Array.from({ length: 11 }, (_, rank) => badge(rank).rows().join());
    expect(new Set(badges).size).toBe(11);
  });
});
