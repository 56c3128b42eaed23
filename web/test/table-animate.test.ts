import { describe, expect, it } from "vitest";
import type { Table } from "../src/gen/wire";
import { LONGEST } from "../src/gen/pace";
import { Animator, lasts, plan, type Screen, type Step } from "../src/table/stage/animate";
import { cards, lying, moments } from "./table-moments";

/** A screen that writes down what it was shown, and a clock that waits to be told. */
function stage() {
  const shown: (Step | Table)[] = [];
  const times: number[] = [];
  let due: (() => void) | undefined;
  const screen: Screen = {
    show(step, ms) {
      shown.push(step);
      times.push(ms);
    },
    settle: (view) => shown.push(view),
  };
  const animator = new Animator(screen, {
    wait(_, then) {
      due = then;
      return then;
    },
  });
  const tick = () => {
    const then = due;
    due = undefined;
    then?.();
    return then !== undefined;
  };
  return { animator, shown, times, tick };
}

const busiest =
  [...moments].sort((a, b) => b.update.events.length - a.update.events.length)[0] ?? expect.unreachable();

describe("a plan", () => {
  it.each(moments.map((each, i) => [i, each] as const))(
    "shows every event of moment %i, once and in order",
    (_, { before, update }) => {
      const steps = plan({ before, events: update.events, after: update.view, cards });
      expect(steps.flatMap((step) => step.events)).toEqual(update.events);
      expect(steps.at(-1)?.view).toBe(update.view);
    },
  );

  it.each(moments.map((each, i) => [i, each] as const))(
    "never has a card in two places in moment %i",
    (_, { before, update }) => {
      for (const step of plan({ before, events: update.events, after: update.view, cards })) {
        const ids = lying(step.view);
        expect(new Set(ids).size).toBe(ids.length);
      }
    },
  );

  it("turns revealed rooms up together", () => {
    const several = moments.find(
      ({ update }) => update.events.filter((event) => event.kind === "reveals").length > 1,
    );
    const { before, update } = several ?? expect.unreachable();
    const steps = plan({ before, events: update.events, after: update.view, cards });
    expect(steps.filter((step) => step.events.some((event) => event.kind === "reveals"))).toHaveLength(1);
  });

  it("shows a hero fall where it stands before it is removed", () => {
    const death =
      moments.find(({ update }) => update.events.some((event) => event.kind === "dies")) ??
      expect.unreachable();
    const steps = plan({
      before: death.before,
      events: death.update.events,
      after: death.update.view,
      cards,
    });
    const at = steps.findIndex((step) => step.events.some((event) => event.kind === "dies"));
    const [falls, gone] = [steps[at], steps[at + 1]];
    const dies = falls?.events[0];
    if (dies?.kind !== "dies" || !dies.card) return expect.unreachable();
    expect(falls?.poses[dies.card.id]).toBe("fall");
    expect(lying(falls?.view ?? expect.unreachable())).toContain(dies.card.id);
    expect(lying(gone?.view ?? expect.unreachable())).not.toContain(dies.card.id);
  });

  it("walks heroes room by room", () => {
    for (const { before, update } of moments) {
      for (const step of plan({ before, events: update.events, after: update.view, cards })) {
        const [event] = step.events;
        const { card, room } = event ?? {};
        if (event?.kind !== "enters" || !card || !room) continue;
        const inside = step.view.players.flatMap((player) => player.inside);
        expect(inside.find((hero) => hero.card.id === card.id)?.room).toBe(room.id);
        expect(step.poses[card.id]).toBe("walk");
      }
    }
  });
});

describe("the animator", () => {
  it("starts with the current table", () => {
    const { animator, shown } = stage();
    animator.push(busiest.update.events, busiest.update.view, cards);
    expect(shown).toEqual([busiest.update.view]);
    expect(animator.busy).toBe(false);
  });

  it("ends with the table of the last update, whatever happened in between", () => {
    const { animator, shown, tick } = stage();
    animator.jump(busiest.before);
    animator.push(busiest.update.events, busiest.update.view, cards);
    animator.push(busiest.update.events, busiest.before, cards);
    expect(animator.busy).toBe(true);
    while (tick());
    expect(animator.busy).toBe(false);
    expect(shown.at(-1)).toBe(busiest.before);
  });

  it("is never longer than allowed at normal speed", () => {
    const { animator, times, tick } = stage();
    animator.jump(busiest.before);
    const long = [...busiest.update.events, ...busiest.update.events, ...busiest.update.events];
    expect(
      lasts(plan({ before: busiest.before, events: long, after: busiest.update.view, cards })),
    ).toBeGreaterThan(LONGEST);
    animator.push(long, busiest.update.view, cards);
    while (tick());
    expect(times.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(LONGEST + 1);
  });

  it("skips to the end at once", () => {
    const { animator, shown, tick } = stage();
    animator.jump(busiest.before);
    animator.push(busiest.update.events, busiest.update.view, cards);
    animator.skip();
    expect(shown.at(-1)).toBe(busiest.update.view);
    const count = shown.length;
    tick();
    expect(shown).toHaveLength(count);
  });

  it("shows no steps when it is instant", () => {
    const { animator, shown } = stage();
    animator.jump(busiest.before);
    animator.speed = "instant";
    animator.push(busiest.update.events, busiest.update.view, cards);
    expect(shown).toEqual([busiest.before, busiest.update.view]);
  });
});
