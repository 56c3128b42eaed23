import { describe, expect, it } from "vitest";
import type { Phase, ServerMsg, TableInfo, Update, You } from "../src/gen/wire";
import { TableSocket, type Line, type Wire } from "../src/net/socket";
import { nothing, receive, type TableState } from "../src/net/state";
import { cards, classes, moments } from "./table-moments";

const you: You = {
  name: "Anna",
  seat: 1,
  host: true,
  stops: { windows: "concerning", answer_spells: true },
  away: false,
};
const table: TableInfo = {
  id: "t",
  settings: {
    deck: "bmr",
    ruleset: "classic",
    variants: [],
    players: 2,
    undo: "consent",
    spectators: "open",
    listed: false,
    window_ms: 3000,
  },
  own_deck: false,
  state: "playing",
  seats: [],
  spectators: 0,
  commitment: "",
  turn: 1,
};
const welcome: ServerMsg = {
  type: "welcome",
  protocol: 1,
  you,
  table,
  chat: [{ from: "Ben", seat: 2, text: "Hello!" }],
};
const update = (at: number, change: Partial<Update> = {}): ServerMsg => {
  const { update } = moments[at] ?? expect.unreachable();
  return { ...update, ...change, type: "update" };
};
const after = (...messages: ServerMsg[]): TableState =>
  messages.reduce((state, message) => receive(state, message, 7), nothing);

describe("what a client knows", () => {
  it("is what the server said last", () => {
    const state = after(welcome, update(0), update(1));
    expect(state.update?.seq).toBe(moments[1]?.update.seq);
    expect(state.update).not.toHaveProperty("type");
    expect(state.chat).toHaveLength(1);
    expect(state.came).toBe(7);
  });

  it("has the cards by face", () => {
    const phases: Phase[] = ["begin", "end"];
    const printed = [...cards.values()];
    const start = { seat: 1, players: 2, ruleset: "", variants: [], phases, classes, cards: printed };
    const state = after(welcome, { type: "cards", start });
    expect(state.cards.size).toBe(cards.size);
    expect(state.cards.get(start.cards[0]?.face ?? -1)).toBe(start.cards[0]);
  });

  it("keeps the log in order, and starts again from a complete one", () => {
    const events = (at: number) => moments[at]?.update.events ?? [];
    const state = after(welcome, update(0), update(1));
    expect(state.log.map((line) => line.event)).toEqual([...events(0), ...events(1)]);
    const story = [...events(0), ...events(1), ...events(2)];
    const again = after(welcome, update(0), update(2, { fresh: true, events: story }), update(3));
    expect(again.log.map((line) => line.event)).toEqual([...story, ...events(3)]);
    expect(new Set(again.log.map((line) => line.id)).size).toBe(again.log.length);
  });

  it("takes a preview and a hint only for the present question", () => {
    const seq = moments[0]?.update.seq ?? 0;
    const preview: ServerMsg = { type: "preview", seq, index: 0, words: "so" };
    const hint: ServerMsg = { type: "hint", seq, moves: [] };
    const state = after(welcome, update(0), preview, hint);
    expect(state.preview?.words).toBe("so");
    expect(state.hint?.moves).toEqual([]);
    expect(after(welcome, update(1), preview, hint).preview).toBeUndefined();
    expect(receive(state, update(1), 8).preview).toBeUndefined();
    expect(receive(state, update(1), 8).hint).toBeUndefined();
  });

  it("forgets an answer that was refused, and an undo request that was answered", () => {
    const answered = { ...after(welcome, update(0)), answered: moments[0]?.update.seq };
    expect(receive(answered, { type: "refused", code: "not_now", words: "no" }, 8).answered).toBeUndefined();
    const asked = after(welcome, { type: "undo_asked", request: 3, seat: 2, words: "please" });
    expect(asked.undoRequest?.request).toBe(3);
    expect(
      receive(asked, { type: "undo_answered", request: 3, granted: true, words: "" }, 8).undoRequest,
    ).toBeUndefined();
  });

  it("keeps the table on the screen after reconnecting", () => {
    const state = after(welcome, update(0), welcome);
    expect(state.update?.seq).toBe(moments[0]?.update.seq);
  });
});

describe("the connection", () => {
  function line() {
    const wires: (Wire & { sent: string[] })[] = [];
    const lines: Line[] = [];
    const heard: ServerMsg[] = [];
    let again: { then: () => void; ms: number } | undefined;
    const socket = new TableSocket({
      url: "ws://table",
      commitment: "0f".repeat(32),
      onmessage: (message) => heard.push(message),
      online: (state) => lines.push(state),
      open: () => {
        const wire = {
          onopen: null,
          onmessage: null,
          onclose: null,
          sent: [] as string[],
          send: (text: string) => wire.sent.push(text),
          close: () => undefined,
        } as Wire & { sent: string[] };
        wires.push(wire);
        return wire;
      },
      later: (then, ms) => {
        again = { then, ms };
        return () => (again = undefined);
      },
    });
    const say = (message: ServerMsg) => wires.at(-1)?.onmessage?.({ data: JSON.stringify(message) });
    return { socket, wires, lines, heard, say, wait: () => again };
  }

  it("says hello first, with the commitment of this browser", () => {
    const { wires, say, lines } = line();
    wires[0]?.onopen?.();
    const hello = JSON.parse(wires[0]?.sent[0] ?? "") as { type: string; commitment: string };
    expect(hello.type).toBe("hello");
    expect(hello.commitment).toBe("0f".repeat(32));
    say(welcome);
    expect(lines).toEqual(["open"]);
  });

  it("comes back when the server has been silent for too long", () => {
    const { wires, lines, heard, say, wait } = line();
    wires[0]?.onopen?.();
    say(welcome);
    say({ type: "beat" });
    expect(heard).toHaveLength(1);
    expect(wait()?.ms).toBe(12_000);
    wait()?.then();
    expect(lines).toEqual(["open", "lost"]);
    wait()?.then();
    expect(wires).toHaveLength(2);
  });

  it("reconnects by itself, more slowly each time, and at once on request", () => {
    const { socket, wires, lines, wait } = line();
    wires[0]?.onopen?.();
    wires[0]?.onclose?.();
    expect(lines).toEqual(["lost"]);
    expect(socket.send({ type: "undo" })).toBe(false);
    const first = wait()?.ms ?? 0;
    wait()?.then();
    wires[1]?.onclose?.();
    wait()?.then();
    wires[2]?.onclose?.();
    expect(wait()?.ms ?? 0).toBeGreaterThan(first);
    socket.retry();
    expect(wires).toHaveLength(4);
  });

  it("does not reconnect after a goodbye, unless the server is only restarting", () => {
    for (const [code, times] of [
      ["no_such_table", 1],
      ["stopping", 2],
    ] as const) {
      const { wires, say, wait } = line();
      wires[0]?.onopen?.();
      say({ type: "bye", code, words: "" });
      wires[0]?.onclose?.();
      wait()?.then();
      expect(wires).toHaveLength(times);
    }
  });
});
