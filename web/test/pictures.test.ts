import { describe, expect, it } from "vitest";
import { cardBack } from "../src/art/back";
import { bossFigure, bossLook } from "../src/art/boss";
import { BY_NUMBER, BY_WORD } from "../src/art/boss-looks";
import type { Grid } from "../src/art/grid";
import { HERO_FRAMES, heroFrame, type HeroLook } from "../src/art/hero";
import { CLASS_LOOKS, CLASSES } from "../src/art/classes";
import { COLOURS, PALETTE } from "../src/art/palette";
import { dieFace, dieStrip } from "../src/art/die";
import { itemFigure, itemName, itemScene } from "../src/art/item";
import { minibossFigure, minibossScene } from "../src/art/miniboss";
import { scene } from "../src/art/picture";
import { entrance, heroPortrait, rockTile, stars, town } from "../src/art/places";
import { boardedRoom, FLOOR, roomParts, roomScene, solidRock } from "../src/art/room";
import { ROOMS_BY_WORD } from "../src/art/room-parts";
import { bosses, icons, items, minibosses, monsters, props, traps } from "../src/art/sheets";
import { inventCard, KINDS } from "../src/cards/card";
import { KIND_WORDS, type CardText, type Kind } from "../src/gen/wire";
import { sample, strangers } from "../src/gallery/sample";

const LOOKS: HeroLook[] = ["ordinary", "dark", "epic"];
const everyCard = [...sample, ...strangers];
const of = (kind: Kind) => everyCard.filter((card) => card.kind === kind);
const text = (grid: Grid) => grid.rows().join("\n");

/** Roles are for composition: in a finished picture none is left. */
function isFinished(grid: Grid): boolean {
  const known = new Set<string>([...COLOURS, "."]);
  return grid.rows().every((row) => [...row].every((cell) => known.has(cell)));
}

function room(facts: Partial<CardText>): CardText {
  return inventCard("room", "Nameless", {
    number: "T001",
    subtype: "monster",
    treasure: { mage: 1 },
    ...facts,
  });
}

describe("the palette", () => {
  it("is small and has no colour twice", () => {
    expect(COLOURS.length).toBeLessThanOrEqual(24);
    expect(new Set(COLOURS.map((letter) => PALETTE[letter].hex)).size).toBe(COLOURS.length);
  });
});

describe("pictures of cards", () => {
  it("are complete for every card, with artwork of its own or not", () => {
    const unfinished = everyCard.filter((card) => !isFinished(scene(card)));
    expect(unfinished.map((card) => card.name)).toEqual([]);
  });

  it("are the same every time", () => {
    for (const card of everyCard) expect(text(scene(card)), card.name).toBe(text(scene(card)));
  });

  it("differ from card to card", () => {
    for (const kind of ["boss", "room", "spell"] as const) {
      const cards = of(kind);
      const pictures = new Map(cards.map((card) => [text(scene(card)), card.name]));
      expect(pictures.size, kind).toBe(cards.length);
    }
  });

  it("follow the collector number where the name suggests nothing", () => {
    const numbers = Array.from({ length: 20 }, (_, i) => `T${i}`);
    expect(new Set(numbers.map((number) => text(roomScene(room({ number }))))).size).toBeGreaterThan(15);
  });

  it("have no unpainted hole in scenes", () => {
    const holed = everyCard.filter((card) =>
      scene(card)
        .rows()
        .some((row) => row.includes(".")),
    );
    expect(holed.map((card) => card.name)).toEqual([]);
  });
});

describe("rooms", () => {
  it("have an inhabitant if they are monster rooms, and something that hurts if they are traps", () => {
    for (const card of of("room")) {
      const { who, what } = roomParts(card);
      expect(who.length + what.length, card.name).toBeGreaterThan(0);
      if (card.subtype === "monster") expect(who.length, card.name).toBeGreaterThan(0);
    }
  });

  it("join: floors meet at the same height and the way through is open on both sides", () => {
    for (const card of of("room")) {
      const grid = roomScene(card);
      for (const x of [0, grid.width - 1]) {
        expect(["g", "O"], card.name).toContain(grid.at(x, FLOOR));
      }
    }
  });

  it("show that they are advanced", () => {
    const gold = (card: CardText) => roomScene(card).rows()[1]?.includes("y");
    expect(gold(room({ advanced: true }))).toBe(true);
    expect(gold(room({ advanced: false }))).toBe(false);
  });

  it("use only parts that exist", () => {
    const hints = ROOMS_BY_WORD.map(([, parts]) => parts);
    const looks = Object.values(CLASS_LOOKS);
    const who = [...hints.flatMap((parts) => parts.who ?? []), ...looks.flatMap((look) => look.who)];
    const what = [...hints.flatMap((parts) => parts.what ?? []), ...looks.flatMap((look) => look.what)];
    const around = [...hints.flatMap((parts) => parts.around ?? []), ...looks.flatMap((look) => look.around)];
    expect(who.filter((name) => !monsters.has(name))).toEqual([]);
    expect(what.filter((name) => !traps.has(name))).toEqual([]);
    expect(around.filter((name) => !props.has(name))).toEqual([]);
  });
});

describe("bosses", () => {
  it("use only parts that exist", () => {
    const looks = [...Object.values(BY_NUMBER), ...BY_WORD.map(([, look]) => look)];
    const missing = looks.flatMap((look) =>
      (["head", "body", "back", "hat", "arm"] as const)
        .filter((part) => look[part])
        .map((part) => `${part}-${look[part]}`)
        .filter((name) => !bosses.has(name)),
    );
    expect(missing).toEqual([]);
  });

  it("all look different, even those without artwork of their own", () => {
    const names = Array.from({ length: 40 }, (_, i) => `Somebody ${i}`);
    const unknown = names.map((name, i) => room({ kind: "boss", number: `T${i}`, name, xp: 100 }));
    const figures = [...of("boss"), ...unknown].map((card) => bossFigure(bossLook(card)));
    expect(new Set(figures.map(text)).size).toBe(figures.length);
    expect(figures.every(isFinished)).toBe(true);
  });
});

describe("minibosses and items", () => {
  const numbered = (number: string, name: string) => room({ number, name });

  it("of the published boxes all look different and are drawn in full", () => {
    const known = Array.from({ length: 10 }, (_, i) => numbered(`RMB0${String(55 + i)}`, `Number ${i}`));
    const figures = known.map(minibossFigure);
    expect(new Set(figures.map(text)).size).toBe(10);
    expect([...figures, ...known.map(minibossScene)].every(isFinished)).toBe(true);
  });

  it("that nobody has drawn look like what their names say", () => {
    const [goblin, other] = [numbered("T1", "Goblin Foreman"), numbered("T2", "Frosty")].map(minibossFigure);
    expect(goblin && other && text(goblin) !== text(other)).toBe(true);
    expect(
      ["Goblin Foreman", "Grub", "Frosty"].every((name, i) =>
        isFinished(minibossScene(numbered(`T${i}`, name))),
      ),
    ).toBe(true);
    expect(itemName(numbered("T3", "Leaky Umbrella"))).toBe("umbrella");
  });

  it("have every drawing used, and every used one drawn", () => {
    for (const name of items.names()) expect(isFinished(items.get(name)), name).toBe(true);
    for (const name of minibosses.names()) expect(isFinished(minibosses.get(name)), name).toBe(true);
    const card = numbered("T4", "Something Nobody Knows");
    expect(items.has(itemName(card))).toBe(true);
    expect(isFinished(itemScene(card)) && isFinished(itemFigure(card))).toBe(true);
  });
});

describe("dice", () => {
  it("have a face for every number, and end on the one that was rolled", () => {
    const faces = [1, 2, 3, 4, 5, 6].map((face) => text(dieFace(6, face)));
    expect(new Set(faces).size).toBe(6);
    const strip = dieStrip(6, 4);
    const last = strip.rows().map((row) => row.slice(-20));
    expect(last.join("\n")).toBe(faces[3]);
    expect(isFinished(dieStrip(20, 17))).toBe(true);
  });
});

describe("heroes", () => {
  it("have every frame in every class and look, all different", () => {
    const frames = LOOKS.flatMap((look) =>
      CLASSES.flatMap((name) =>
        HERO_FRAMES.map((frame) => heroFrame({ seed: "x", classes: [name], look }, frame)),
      ),
    );
    expect(frames.every(isFinished)).toBe(true);
    expect(new Set(frames.map(text)).size).toBe(LOOKS.length * CLASSES.length * HERO_FRAMES.length);
  });

  it("that seek two kinds of treasure look like neither of them alone", () => {
    const frame = (...classes: ("cleric" | "fighter")[]) =>
      text(heroFrame({ seed: "x", classes, look: "epic" }, "walk-a"));
    expect(new Set([frame("cleric"), frame("fighter"), frame("cleric", "fighter")]).size).toBe(3);
  });

  it("without a class have a figure too", () => {
    for (const look of LOOKS)
      expect(isFinished(heroFrame({ seed: "x", classes: [], look }, "walk-a"))).toBe(true);
  });

  it("have a portrait", () => {
    for (const card of [...of("hero"), ...of("epic")])
      expect(isFinished(heroPortrait(card)), card.name).toBe(true);
  });
});

describe("everything else", () => {
  it("has a mark for every class and a back for every kind", () => {
    expect(CLASSES.filter((name) => !icons.has(name))).toEqual([]);
    const backs = KINDS.map((kind) => cardBack(kind));
    expect(backs.every(isFinished)).toBe(true);
    // What comes from one deck has one back.
    const decks = new Set(KINDS.map((kind) => KIND_WORDS[kind].home));
    expect(new Set(backs.map(text)).size).toBe(decks.size);
  });

  it("has places without holes", () => {
    for (const place of [town(), entrance(), rockTile(), stars(), boardedRoom(), solidRock()]) {
      expect(isFinished(place)).toBe(true);
      expect(place.rows().some((row) => row.includes("."))).toBe(false);
    }
  });
});
