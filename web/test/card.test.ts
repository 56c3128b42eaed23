import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { classesOf, damageIsCounted, isDark, shortName, type CardText } from "../src/cards/card";
import { sample } from "../src/gallery/sample";
import Card from "../src/ui/Card.svelte";
import Treasure from "../src/ui/Treasure.svelte";

function one(number: string): CardText {
  const card = sample.find((each) => each.number === number);
  if (!card) throw new Error(number);
  return card;
}

describe("what is read off a card", () => {
  it("finds classes in the order of the game", () => {
    expect(classesOf(one("TNL104"))).toEqual(["fighter", "mage"]);
  });

  it("knows dark heroes, counted damage and short names", () => {
    expect(isDark(one("TNL083"))).toBe(true);
    expect(isDark(one("TNL084"))).toBe(false);
    expect(damageIsCounted(one("BMR020"))).toBe(true);
    expect(damageIsCounted(one("BMR019"))).toBe(false);
    expect(shortName(one("BMR001"))).toBe("Draculord");
  });
});

describe("a card on the page", () => {
  it("says to a screen reader all that it shows", () => {
    const card = one("BMR015");
    render(Card, { card });
    const label = screen.getByRole("group").getAttribute("aria-label") ?? "";
    for (const part of [card.name, card.facts, ...card.text]) expect(label).toContain(part);
  });

  it("is a button only when it can be pressed", async () => {
    let pressed = 0;
    render(Card, { card: one("BMR046"), onclick: () => pressed++ });
    screen.getByRole("button").click();
    expect(pressed).toBe(1);
  });

  it("tells nothing but its kind when it lies face down", () => {
    render(Card, { back: "spell" });
    expect(screen.getByRole("group").getAttribute("aria-label")).toBe("Spell, face down");
  });

  it("shows rulings only at full size", () => {
    const card = one("BMR032");
    const { unmount } = render(Card, { card, size: "hand" });
    expect(screen.queryByText(card.rulings[0] ?? "")).toBeNull();
    unmount();
    render(Card, { card, size: "full" });
    expect(screen.getByText(card.rulings[0] ?? "")).toBeTruthy();
  });
});

describe("a treasure mark", () => {
  it("has its letter, its number and a name for it", () => {
    render(Treasure, { of: "thief", count: 3 });
    const mark = screen.getByRole("img", { name: "thief treasure 3" });
    expect(mark.textContent).toContain("T3");
  });
});
