import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Inspector } from "../src/table/stage/inspect.svelte";

const card = document.createElement("div");
card.dataset["face"] = "7";
const at = (x: number, y: number, pointerType = "mouse") =>
  ({ clientX: x, clientY: y, pointerType, target: card }) as unknown as PointerEvent;

describe("looking closely", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const face = (inspector: Inspector) => {
    vi.advanceTimersByTime(1_000);
    return inspector.card?.face;
  };

  it("shows what the pointer rests on", () => {
    const inspector = new Inspector();
    inspector.move(at(10, 10));
    inspector.over(at(100, 100));
    inspector.move(at(100, 100));
    expect(face(inspector)).toBe(7);
  });

  it("shows nothing that appears under the pointer after a click until the pointer moves", () => {
    const inspector = new Inspector();
    inspector.move(at(100, 100));
    inspector.down(at(100, 100));
    inspector.over(at(103, 100));
    inspector.move(at(103, 100));
    expect(face(inspector)).toBeUndefined();
    inspector.move(at(130, 100));
    expect(face(inspector)).toBe(7);
  });

  it("shows nothing that slides under a resting pointer, nor what was there before", () => {
    const inspector = new Inspector();
    inspector.over(at(100, 100));
    inspector.move(at(100, 100));
    expect(face(inspector)).toBe(7);
    inspector.over(at(100, 100));
    expect(face(inspector)).toBeUndefined();
  });

  it("keeps what is held by touch when the table changes", () => {
    const inspector = new Inspector();
    inspector.down(at(100, 100, "touch"));
    expect(face(inspector)).toBe(7);
    inspector.dismiss();
    expect(face(inspector)).toBe(7);
  });
});
