/**
 * Which parts a boss is made of. A boss found in `BY_NUMBER` was dressed by hand; every other one gets what its
 * name suggests (`BY_WORD`), and the rest by seed.
 */
import type { Coat } from "./coats";
import type { Colour } from "./palette";

export interface BossLook {
  head: string;
  body: string;
  back?: string;
  hat?: string;
  arm?: string;
  skin: Coat;
  cloth: Coat;
  trim: Coat;
  eyes: Colour;
}

export const BY_NUMBER: Readonly<Record<string, Partial<BossLook>>> = {
  BMR001: { head: "vampire", body: "coat", back: "cape", arm: "", hat: "", skin: "pale", cloth: "night", trim: "red", eyes: "R" },
  BMR002: { head: "skull", body: "robe", back: "", hat: "crown", arm: "staff", skin: "bone", cloth: "purple", trim: "gold", eyes: "c" },
  BMR003: { head: "frog", body: "fat", back: "cape", hat: "crown", arm: "sceptre", skin: "green", cloth: "gold", trim: "red", eyes: "y" },
  BMR004: { head: "robot", body: "golem", back: "", hat: "", arm: "", skin: "steel", cloth: "grey", trim: "fire", eyes: "R" },
  BMR005: { head: "brain", body: "robe", back: "tentacles", hat: "", arm: "", skin: "pink", cloth: "blue", trim: "gold", eyes: "l" },
  BMR006: { head: "lady", body: "dress", back: "", hat: "tiara", arm: "staff", skin: "skin", cloth: "purple", trim: "gold", eyes: "N" },
  BMR007: { head: "mummy", body: "robe", back: "", hat: "nemes", arm: "sceptre", skin: "pale", cloth: "bone", trim: "gold", eyes: "c" },
  BMR008: { head: "lady", body: "dress", back: "", hat: "snakes", arm: "trident", skin: "green", cloth: "gold", trim: "gold", eyes: "y" },
  TNL001: { head: "scarecrow", body: "coat", back: "", hat: "straw", arm: "scythe", skin: "gold", cloth: "brown", trim: "red", eyes: "O" },
  TNL002: { head: "lady", body: "dress", back: "batwings", hat: "", arm: "", skin: "pale", cloth: "red", trim: "steel", eyes: "R" },
  TNL003: { head: "hood", body: "robe", back: "tentacles", hat: "ram", arm: "staff", skin: "green", cloth: "night", trim: "green", eyes: "l" },
  TNL004: { head: "ape", body: "brute", back: "", hat: "", arm: "", skin: "brown", cloth: "red", trim: "gold", eyes: "R" },
  TNL005: { head: "kappa", body: "fat", back: "shell", hat: "", arm: "trident", skin: "green", cloth: "brown", trim: "gold", eyes: "y" },
  TNL006: { head: "dragon", body: "beast", back: "batwings", hat: "", arm: "", skin: "red", cloth: "gold", trim: "bone", eyes: "y" },
  TNL007: { head: "lady", body: "genie", back: "", hat: "turban", arm: "", skin: "blue", cloth: "purple", trim: "gold", eyes: "y" },
  TNL008: { head: "goggles", body: "coat", back: "", hat: "", arm: "flask", skin: "skin", cloth: "steel", trim: "gold", eyes: "c" },
  TNL009: { head: "dragon", body: "beast", back: "batwings", hat: "flame", arm: "staff", skin: "purple", cloth: "ghost", trim: "gold", eyes: "c" },
  TNL010: { head: "pig", body: "fat", back: "cape", hat: "crown", arm: "sword", skin: "pink", cloth: "green", trim: "gold", eyes: "y" },
  TNL011: { head: "angel", body: "coat", back: "one-wing", hat: "", arm: "sword", skin: "pale", cloth: "night", trim: "steel", eyes: "R" },
  TNL012: { head: "skull", body: "brute", back: "flames", hat: "horns", arm: "", skin: "grey", cloth: "night", trim: "fire", eyes: "y" },
};

/** The first line whose words are in the name counts. */
export const BY_WORD: readonly (readonly [RegExp, Partial<BossLook>])[] = [
  [/vampir|dracul|blood|nosfer/, { head: "vampire", body: "coat", back: "cape", skin: "pale", cloth: "night", eyes: "R" }],
  [/lich|skull|bone|necro|death|undead/, { head: "skull", body: "robe", skin: "bone", eyes: "c" }],
  [/frog|toad|croak|newt/, { head: "frog", body: "fat", skin: "green", eyes: "y" }],
  [/golem|robo|machine|mecha|clank|iron/, { head: "robot", body: "golem", skin: "steel", eyes: "R" }],
  [/brain|mind|psych/, { head: "brain", body: "robe", back: "tentacles", skin: "pink", eyes: "l" }],
  [/mumm|pharao|sphinx|tomb/, { head: "mummy", body: "robe", hat: "nemes", skin: "pale", cloth: "bone" }],
  [/gorgon|medus|snake|serpent/, { head: "lady", body: "dress", hat: "snakes", skin: "green", eyes: "y" }],
  [/scarecrow|harvest|crow\b/, { head: "scarecrow", body: "coat", hat: "straw", skin: "gold", arm: "scythe" }],
  [/ape\b|gorilla|monkey|kong/, { head: "ape", body: "brute", skin: "brown" }],
  [/kappa|turtle|tortoise|shell/, { head: "kappa", body: "fat", back: "shell", skin: "green" }],
  [/dragon|wyrm|drake|wyvern/, { head: "dragon", body: "beast", back: "batwings", hat: "", skin: "red" }],
  [/genie|djinn|efreet/, { head: "lady", body: "genie", hat: "turban", skin: "blue" }],
  [/doctor|dr\.|professor|alchem|mad\b|inventor/, { head: "goggles", body: "coat", arm: "flask", skin: "skin" }],
  [/pig|boar|pork|swine/, { head: "pig", body: "fat", skin: "pink" }],
  [/squid|kraken|octo|deep|cthul|eldritch/, { head: "squid", body: "robe", back: "tentacles", skin: "green" }],
  [/demon|devil|fiend|hell/, { head: "demon", body: "brute", hat: "horns", back: "batwings", skin: "red", eyes: "y" }],
  [/queen|princess|baroness|sorceress|mother|lady|witch|empress/, { head: "lady", body: "dress", skin: "skin" }],
  [/cult|priest|shadow|hood|beckon|wraith|ghost/, { head: "hood", body: "robe", cloth: "night", eyes: "l" }],
];

export const HATS_BY_WORD: readonly (readonly [RegExp, string])[] = [
  [/king|emperor|sultan|lord|queen|tsar/, "crown"],
  [/princess|duchess|countess|baroness/, "tiara"],
  [/flame|fire|burn|char|ember/, "flame"],
];
