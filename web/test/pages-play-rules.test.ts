import { describe, expect, it } from "vitest";
import { fitting, USUAL } from "../src/pages/play/table";

describe("settings of a new table", () => {
  it("have Unlimited Lives for five in Classic, and not by the rules of Crash Landing", () => {
    expect(fitting({ ...USUAL, players: 4 }).variants).toEqual([]);
    expect(fitting({ ...USUAL, players: 5 }).variants).toEqual(["unlimited-lives"]);
    expect(fitting({ ...USUAL, players: 5, ruleset: "crash" }).variants).toEqual([]);
  });
});
