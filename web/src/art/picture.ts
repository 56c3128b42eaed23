/** The pictures the client asks for, painted and kept. Everything on screen that is a picture comes from here. */
import { seedOf } from "../cards/card";
import type { CardText, Class, Kind } from "../gen/wire";
import { cardBack } from "./back";
import { bossFigure, bossLook, fallenBoss } from "./boss";
import { dieStrip } from "./die";
import { Grid } from "./grid";
import { heroFacts, heroStrip, type HeroFacts } from "./hero";
import { image } from "./image";
import { itemFigure, itemScene } from "./item";
import { hiddenMiniboss, minibossFigure, minibossLayers, minibossScene } from "./miniboss";
import {
  bossChamber,
  chamberLayers,
  descent,
  earth,
  entrance,
  ground,
  heroPortrait,
  heroScene,
  rockTile,
  stars,
  town,
} from "./places";
import type { Layers, Torch } from "./layers";
import { boardedRoom, roomLayers, roomScene, solidRock } from "./room";
import { deaths, icons, props } from "./sheets";
import { spellScene } from "./spell";

export interface Picture {
  url: string;
  width: number;
  height: number;
}

const sizes = new Map<string, { width: number; height: number }>();

export function picture(key: string, draw: () => Grid): Picture {
  const url = image(key, () => {
    const grid = draw();
    sizes.set(key, { width: grid.width, height: grid.height });
    return grid;
  });
  const { width, height } = sizes.get(key) ?? { width: 0, height: 0 };
  return { url, width, height };
}

const SCENES: Readonly<Record<Kind, (card: CardText) => Grid>> = {
  room: roomScene,
  spell: spellScene,
  hero: heroScene,
  epic: heroScene,
  boss: bossChamber,
  miniboss: minibossScene,
  item: itemScene,
};

export function scene(card: CardText): Grid {
  return SCENES[card.kind](card);
}

/** Card numbers are unique within a set; two homebrew sets may still use the same. */
function keyOf(card: CardText): string {
  return `${card.kind} ${seedOf(card)} ${card.name}`;
}

export const scenePicture = (card: CardText) => picture(`scene ${keyOf(card)}`, () => scene(card));
export interface LivingScene {
  back: Picture;
  front: Picture;
  torches: readonly Torch[];
}

const LIVING: Readonly<Partial<Record<Kind, (card: CardText) => Layers>>> = {
  boss: chamberLayers,
  miniboss: minibossLayers,
};
const torchesOf = new Map<string, readonly Torch[]>();

/** A room or a boss's chamber in layers that can move. */
export function livingScene(card: CardText): LivingScene {
  const key = keyOf(card);
  let drawn: Layers | undefined;
  const layer = (name: "back" | "front") => {
    drawn ??= (LIVING[card.kind] ?? roomLayers)(card);
    torchesOf.set(key, drawn.torches);
    return drawn[name];
  };
  const back = picture(`back of ${key}`, () => layer("back"));
  const front = picture(`front of ${key}`, () => layer("front"));
  return { back, front, torches: torchesOf.get(key) ?? [] };
}

export const portraitPicture = (card: CardText) =>
  picture(`portrait ${keyOf(card)}`, () => heroPortrait(card));
export const bossPicture = (card: CardText) =>
  picture(`boss ${keyOf(card)}`, () => bossFigure(bossLook(card)));
export const fallenBossPicture = (card: CardText) =>
  picture(`fallen boss ${keyOf(card)}`, () => fallenBoss(bossLook(card)));
export const heroPicture = (facts: HeroFacts) =>
  picture(
    `hero ${facts.look} ${facts.classes.join("+")} ${facts.figure ?? ""} ${facts.seed}${facts.star ? " star" : ""}`,
    () => heroStrip(facts),
  );
export const heroOf = (card: CardText) => heroPicture(heroFacts(card));
export const minibossPicture = (card: CardText) =>
  picture(`miniboss ${keyOf(card)}`, () => minibossFigure(card));
export const itemPicture = (card: CardText) => picture(`item ${keyOf(card)}`, () => itemFigure(card));
/** What a miniboss is in before it shows itself. */
export const cratePicture = () => picture("crate", hiddenMiniboss);
export const diePicture = (sides: number, face: number) =>
  picture(`die ${sides} ${face}`, () => dieStrip(sides, face));
export const backPicture = (kind: Kind) => picture(`back ${kind}`, () => cardBack(kind));
export const boardedPicture = () => picture("boarded", boardedRoom);
export const rockPicture = () => picture("rock", solidRock);
export const townPicture = () => picture("town", town);
export const entrancePicture = () => picture("entrance", () => entrance());
export const moundPicture = () => picture("mound", () => entrance(false));
export const descentPicture = () => picture("descent", descent);
export const groundPicture = () => picture("ground", ground);
export const earthPicture = () => picture("earth", earth);
export const starsPicture = () => picture("stars", stars);
export const tilePicture = () => picture("tile", rockTile);

export type IconName =
  | Class
  | "soul"
  | "wound"
  | "heart"
  | "coin"
  | "xp"
  | "skull"
  | "monster"
  | "miniboss"
  | "item"
  | "trap"
  | "spell"
  | "lock"
  | "ghost"
  | "star"
  | "star-hero"
  | "crown"
  | "portable"
  | "hourglass";

export const iconPicture = (name: IconName) =>
  picture(`icon ${name}`, () => icons.get(name).pad(1).outline("k"));

export type DeathProp =
  | "flame"
  | "ash"
  | "goo"
  | "jaw-above"
  | "jaw-below"
  | "bones"
  | "blast"
  | "puff"
  | "fumes"
  | "twinkle"
  | "points";

export const deathPicture = (name: DeathProp) =>
  picture(`death ${name}`, () => deaths.get(name).pad(1).outline("k"));

/** Both frames of a torch, side by side. */
export const torchPicture = () =>
  picture("torch", () =>
    new Grid(14, 12)
      .stamp(props.get("torch-a").pad(1).outline("k"), 0, 0)
      .stamp(props.get("torch-b").pad(1).outline("k"), 7, 0),
  );
