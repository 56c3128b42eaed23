import { describe, expect, it } from "vitest";
import { isPage, readRoute, to } from "../src/app/route";

describe("addresses", () => {
  it("name the pages", () => {
    expect(readRoute("/")).toEqual({ page: "home" });
    expect(readRoute("/t/abc")).toEqual({ page: "table", id: "abc" });
    expect(readRoute("/cards")).toEqual({ page: "cards" });
    expect(readRoute("/rules/")).toEqual({ page: "rules" });
  });

  it("of cards may contain any character", () => {
    const name = "It's On! 100%/half";
    expect(readRoute(to.card(name))).toEqual({ page: "cards", card: name });
    expect(readRoute("/cards/%")).toEqual({ page: "cards", card: "%" });
  });

  it("of replays hold the moment and the point of view", () => {
    for (const [step, viewpoint] of [
      [0, "all"],
      [17, 2],
      [3, "all"],
    ] as const) {
      const url = new URL(to.replay("abc", step, viewpoint), "http://here");
      expect(readRoute(url.pathname, url.search)).toEqual({ page: "replay", id: "abc", step, viewpoint });
    }
    expect(to.replay("abc")).toBe("/replay/abc");
    expect(readRoute("/replay/abc", "?step=-4&seat=9")).toEqual({
      page: "replay",
      id: "abc",
      step: 0,
      viewpoint: "all",
    });
    expect(readRoute("/replay/abc", "?step=x&seat=1.5")).toEqual({
      page: "replay",
      id: "abc",
      step: 0,
      viewpoint: "all",
    });
  });

  it("that do not exist are not found", () => {
    for (const path of ["/t", "/replay", "/nothing", "/rules/4", "/cards/a/b"])
      expect(readRoute(path).page).toBe("not_found");
  });

  it("of the server are left to the browser", () => {
    for (const path of ["/api/cards", "/record/abc", "/licenses/jersey-10.txt", "/assets/x.js"])
      expect(isPage(path)).toBe(false);
    for (const path of ["/", "/t/abc", "/cards/BMR001", "/records"]) expect(isPage(path)).toBe(true);
  });
});
