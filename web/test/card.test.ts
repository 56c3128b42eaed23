import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { classesIn, classesOf } from "../src/cards/card";
import type { CardPage } from "../src/gen/wire";
import { sample } from "../src/gallery/sample";
import Card from "../src/ui/Card.svelte";
import Treasure from "../src/ui/Treasure.svelte";

function one(number: string): CardPage {
  const card = sample.find((each) => each.number === number);
  if (!card) throw new Error(number);
  return card;
}

describe("what is read off a card", () => {
  it("finds classes in the order of the game", () => {
    expect(classesOf(one("TNL104"))).toEqual(["fighter", "mage"]);
  });

  it("finds the classes that occur among cards", () => {
    expect(classesIn([one("TNL104"), one("BMR001")])).toEqual(["cleric", "fighter", "mage"]);
  });
});

describe("a card on the page", () => {
  it("tells a screen reader everything it shows", () => {
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

  it("reveals only its kind when it is face down", () => {
    render(Card, { back: "spell" });
    expect(screen.getByRole("group").getAttribute("aria-label")).toBe("Spell, face down");
  });

  it("shows rulings only at full size", () => {
    const card = one("BMR032");
    const { rulings } = card;
    const { unmount } = render(Card, { card, rulings, size: "hand" });
    expect(screen.queryByText(rulings[0] ?? "")).toBeNull();
    unmount();
    render(Card, { card, rulings, size: "full" });
    expect(screen.getByText(rulings[0] ?? "")).toBeTruthy();
  });

  it("shows a dark hero, damage that varies and a short name as such", () => {
    const shown = (number: string, size?: "mini") => render(Card, { card: one(number), size }).container;
    const has = (number: string, selector: string) => shown(number).querySelector(selector) !== null;
    expect(has("TNL083", ".card.dark")).toBe(true);
    expect(has("TNL084", ".card.dark")).toBe(false);
    const damage = (number: string) => shown(number).querySelector(".strength [aria-label]");
    expect(damage("BMR020")?.getAttribute("aria-label")).toBe("damage *");
    expect(damage("BMR019")?.getAttribute("aria-label")).toBe("damage 4");
    expect(shown("BMR001", "mini").querySelector(".name")?.textContent).toBe("Draculord");
  });
});

describe("a treasure mark", () => {
  it("has its letter, its number and an accessible name", () => {
    render(Treasure, { of: "thief", count: 3 });
    const mark = screen.getByRole("img", { name: "thief treasure 3" });
    expect(mark.textContent).toContain("T3");
  });
});
