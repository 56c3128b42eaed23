import { fireEvent, render } from "@testing-library/svelte";
import { tick } from "svelte";
import { describe, expect, it, vi } from "vitest";
import type { MayReplace, TableInfo } from "../src/gen/wire";
import ReplaceOffer from "../src/table/around/ReplaceOffer.svelte";
import Proposal from "../src/table/end/Proposal.svelte";

const person = (seat: number, name: string) => ({
  seat,
  who: { kind: "person" as const, name, connected: true, host: seat === 1, away: false, resigned: false },
});
const names = ["Anna", "Ben", "Cleo"];
const table = { seats: names.map((name, at) => person(at + 1, name)) } as unknown as TableInfo;

describe("a player who has left or does not answer", () => {
  function offer(change: Partial<MayReplace>, late = false) {
    const replaced: number[] = [];
    const props = {
      offer: { seat: 2, left_ms: 0, agreed: [], needed: 1, ...change },
      table,
      came: performance.now(),
      late,
      onreplace: (seat: number) => replaced.push(seat),
    };
    return { ...render(ReplaceOffer, { props }), replaced };
  }

  it("can be replaced once the time is up", async () => {
    vi.useFakeTimers();
    const { queryByTestId, getByTestId, replaced } = offer({ left_ms: 60_000 });
    expect(getByTestId("replace-later").textContent).toContain("Ben has left");
    expect(queryByTestId("replace")).toBeNull();
    vi.advanceTimersByTime(60_100);
    await tick();
    await fireEvent.click(getByTestId("replace"));
    expect(replaced).toEqual([2]);
    vi.useRealTimers();
  });

  it("is not mentioned before that outside the menu", () => {
    const { queryByTestId } = offer({ left_ms: 60_000 }, true);
    expect(queryByTestId("replace-later")).toBeNull();
  });

  it("is a matter for everyone else if still there", () => {
    const { container } = offer({ agreed: [3], needed: 2 });
    expect(container.textContent).toContain("1 of 2");
  });
});

describe("a rematch", () => {
  function proposal(me: number, agreed: number[], declined: number[] = []) {
    const answers: boolean[] = [];
    const props = {
      proposal: { by: 2, agreed, declined },
      table,
      names,
      me,
      onanswer: (yes: boolean) => answers.push(yes),
    };
    return { ...render(Proposal, { props }), answers };
  }

  it("can be agreed to or declined", async () => {
    const { getByTestId, answers } = proposal(1, [2]);
    expect(getByTestId("proposal").textContent).toContain("Ben would like a rematch.");
    await fireEvent.click(getByTestId("decline"));
    await fireEvent.click(getByTestId("agree"));
    expect(answers).toEqual([false, true]);
  });

  it("says who has yet to answer, and can be withdrawn", async () => {
    const { getByTestId, queryByTestId, answers } = proposal(2, [2], [3]);
    expect(getByTestId("proposal").textContent).toContain("Waiting for Anna.");
    expect(queryByTestId("agree")).toBeNull();
    await fireEvent.click(getByTestId("withdraw"));
    expect(answers).toEqual([false]);
  });

  it("leaves a way back to those who declined", () => {
    const { getByTestId, queryByTestId } = proposal(3, [2], [3]);
    expect(getByTestId("agree")).toBeTruthy();
    expect(queryByTestId("decline")).toBeNull();
  });
});
