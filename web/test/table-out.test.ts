import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, it, vi } from "vitest";
import { bossFigure, bossLook, fallenBoss } from "../src/art/boss";
import { Grid } from "../src/art/grid";
import { sample } from "../src/gallery/sample";
import type { GameEvent, Player, Table } from "../src/gen/wire";
import type { LogLine } from "../src/net/state";
import { homeOf } from "../src/table/board/sums";
import { bossFace, featsOf, lastBlow } from "../src/table/end/feats";
import OutScene from "../src/table/end/OutScene.svelte";
import { moments } from "./table-moments";

afterEach(cleanup);

const boss = sample.find(({ kind }) => kind === "boss") ?? expect.unreachable();
const hero = sample.find(({ kind }) => kind === "hero") ?? expect.unreachable();
const cards = new Map([boss, hero].map((card) => [card.face, card]));
const log = (...events: Partial<GameEvent>[]): LogLine[] =>
  events.map((event, at) => ({ id: at, turn: 1, event: { words: "", ...event } as GameEvent }));
const scoring = (seat: number) => ({ zone: "scoring" as const, seat });
const story = log(
  { kind: "keeps_boss", actor: 2, card: { id: 1, kind: "boss", face: boss.face } },
  { kind: "places", actor: 2 },
  { kind: "places", actor: 1 },
  { kind: "casts", actor: 2 },
  { kind: "dies", to: scoring(2) },
  { kind: "dies", to: scoring(1) },
  { kind: "wounds", to: scoring(2), card: { id: 9, kind: "hero", face: hero.face }, words: "First." },
  { kind: "wounds", to: scoring(2), card: { id: 8, kind: "hero", face: hero.face }, words: "Last." },
  { kind: "wounds", to: scoring(1), words: "Somebody else." },
);

const view: Table = moments[0]?.update.view ?? expect.unreachable();
const [first] = view.players;
const out: Player = {
  ...(first ?? expect.unreachable()),
  seat: 2,
  playing: false,
  souls: 1,
  wounds: 5,
  left: 4,
  boss: undefined,
};

it("counts what a player did, and knows who beat them and which boss they had", () => {
  expect(featsOf(story, 2)).toEqual({ killed: 1, built: 1, cast: 1 });
  expect(lastBlow(story, 2)).toEqual({ hero: { id: 8, kind: "hero", face: hero.face }, words: "Last." });
  expect(lastBlow(story, 3)).toBeUndefined();
  expect(bossFace(out, story)).toBe(boss.face);
});

it("shows whoever is out how far they got, and lets them stay or go", () => {
  const [onwatch, onleave] = [vi.fn(), vi.fn()];
  const players = [{ ...out, seat: 1, playing: true }, out, { ...out, seat: 3, playing: true }];
  const { getByTestId, getByText } = render(OutScene, {
    props: { view: { ...view, players }, player: out, cards, log: story, onwatch, onleave },
  });
  expect(getByTestId("out").textContent).toContain("Place 3 of 3, in turn 4.");
  expect(getByTestId("out").textContent).toContain("Last.");
  getByTestId("watch").click();
  getByText("Leave the table").click();
  expect([onwatch.mock.calls.length, onleave.mock.calls.length]).toEqual([1, 1]);
  // They watch somebody who still plays.
  expect(homeOf({ ...view, players: [{ ...out, seat: 1 }, ...players.slice(1)] }, undefined)?.seat).toBe(3);
});

it("a fallen boss lies on the floor, its head to the left", () => {
  const standing = new Grid(4, 4);
  standing.set(1, 0, "R");
  standing.set(1, 1, "K");
  standing.set(2, 1, "K");
  expect(standing.toppled().trimmed().rows()).toEqual([".K", "RK"]);
  const [lies, stands] = [fallenBoss(bossLook(boss)), bossFigure(bossLook(boss))];
  expect(lies.rows().at(-1)).toMatch(/[^.]/);
  expect(lies.width).toBeLessThanOrEqual(stands.height);
});
