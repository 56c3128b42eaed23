import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Peek } from "../src/table/peek.svelte";

const card = document.createElement("div");
card.dataset["face"] = "7";
const at = (x: number, y: number, pointerType = "mouse") =>
  ({ clientX: x, clientY: y, pointerType, target: card }) as unknown as PointerEvent;

describe("looking closely", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const face = (peek: Peek) => {
    vi.advanceTimersByTime(1_000);
    return peek.card?.face;
  };

  it("shows what the pointer comes to rest on", () => {
    const peek = new Peek();
    peek.move(at(10, 10));
    peek.over(at(100, 100));
    peek.move(at(100, 100));
    expect(face(peek)).toBe(7);
  });

  it("shows nothing that comes under the pointer after a click, until that moves", () => {
    const peek = new Peek();
    peek.move(at(100, 100));
    peek.down(at(100, 100));
    peek.over(at(103, 100));
    peek.move(at(103, 100));
    expect(face(peek)).toBeUndefined();
    peek.move(at(130, 100));
    expect(face(peek)).toBe(7);
  });

  it("shows nothing that slides under a pointer at rest, and not what lay there before", () => {
    const peek = new Peek();
    peek.over(at(100, 100));
    peek.move(at(100, 100));
    expect(face(peek)).toBe(7);
    peek.over(at(100, 100));
    expect(face(peek)).toBeUndefined();
  });

  it("keeps what a finger holds when the table goes on", () => {
    const peek = new Peek();
    peek.down(at(100, 100, "touch"));
    expect(face(peek)).toBe(7);
    peek.dismiss();
    expect(face(peek)).toBe(7);
  });
});
