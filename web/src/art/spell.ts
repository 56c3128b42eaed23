/** Spells: a sign in a circle of runes; the light behind it tells the phase. */
import { seedOf } from "../cards/card";
import type { CardText } from "../gen/wire";
import { Grid } from "./grid";
import type { Colour } from "./palette";
import { ROOM_HEIGHT, ROOM_WIDTH } from "./room";
import { Seed } from "./seed";
import { glyphs } from "./sheets";

const BY_WORD: readonly (readonly [RegExp, string])[] = [
  [/annihil|destroy|doom|ruin/, "flame"],
  [/assassin|murder|kill|dagger/, "dagger"],
  [/cave-in|collapse|quake|rock/, "rocks"],
  [/counter|cancel|negat|deny/, "cross"],
  [/exhaust|faint|weary|sleep/, "hero-fall"],
  [/fear|terror|dread|scare/, "skull"],
  [/freez|ice|frost|cold/, "snow"],
  [/giant|size|grow|strength/, "fist"],
  [/super|effective|critical/, "burst"],
  [/jeopard|hand\b|discard/, "hand"],
  [/kobold|goblin|strike/, "kobold"],
  [/motivat|inspir|rally/, "megaphone"],
  [/hiring|spree|buy|bribe/, "coins"],
  [/build|plan|blueprint/, "map"],
  [/princess|damsel|peril/, "princess"],
  [/soul|harvest/, "soul"],
  [/teleport|warp|shift/, "swirl"],
  [/trepid|wait|halt|door/, "door"],
  [/undead|minion|skelet/, "minion"],
  [/zombie|grave/, "zombie-hand"],
  [/base|steal|peek|spy/, "eye"],
  [/castle|fort/, "castle"],
  [/fairy|fountain|heal/, "fountain"],
  [/lightning|bolt|thunder|shock/, "bolt"],
  [/it's on|fight|duel|battle/, "swords"],
  [/meddl|kids|clue|detect/, "magnifier"],
  [/party|together|friend/, "party"],
  [/oh, yeah|swap|smash|wall/, "wall"],
  [/pause|stop|time/, "pause"],
  [/pity|mercy|love/, "heart"],
  [/stash|secret|treasure|gold/, "chest"],
  [/shortcut|skip|arrow|dash/, "arrow"],
  [/gift|surprise|present/, "gift"],
  [/monster|beast|wild/, "monster"],
  [/fire|flame|burn/, "flame"],
];

interface Mood {
  glow: readonly [Colour, Colour, Colour, Colour];
  ring: Colour;
  spark: Colour;
}

const MOODS: Readonly<Record<"build" | "adventure" | "both", Mood>> = {
  build: { glow: ["k", "b", "r", "o"], ring: "y", spark: "O" },
  adventure: { glow: ["k", "K", "u", "U"], ring: "c", spark: "w" },
  both: { glow: ["k", "K", "p", "P"], ring: "m", spark: "y" },
};

export function spellScene(card: CardText): Grid {
  const seed = new Seed(`${seedOf(card)} ${card.name}`);
  const name = card.name.toLowerCase();
  const phases = card.phases ?? [];
  const mood = MOODS[phases.length === 1 ? (phases[0] === "build" ? "build" : "adventure") : "both"];
  const grid = new Grid(ROOM_WIDTH, ROOM_HEIGHT);
  const [cx, cy] = [ROOM_WIDTH / 2 - 0.5, ROOM_HEIGHT / 2 - 0.5];
  const rays = 5 + seed.below(4);
  const turn = seed.next() * Math.PI;

  grid.each((x, y) => {
    const away = Math.hypot(x - cx, y - cy);
    const angle = Math.atan2(y - cy, x - cx);
    const ray = Math.cos((angle + turn) * rays) > 0.25 ? 0.8 : 0;
    const level = 2.9 - away / 9 + ray * (away > 13 ? 1 : 0);
    const base = Math.floor(level);
    const step = level - base > ((x + y) & 1 ? 0.35 : 0.75) ? 1 : 0;
    grid.set(x, y, mood.glow[Math.max(0, Math.min(away < 13 ? 2 : 3, base + step))] ?? "k");
  });
  circle(grid, cx, cy, 14.5, "k");
  circle(grid, cx, cy, 13.5, mood.ring);
  circle(grid, cx, cy, 12.5, "k");
  for (let i = 0; i < 8; i++) {
    const angle = turn + (i * Math.PI) / 4;
    const x = Math.round(cx + Math.cos(angle) * 13.5);
    const y = Math.round(cy + Math.sin(angle) * 13.5);
    grid.fill(x - 1, y - 1, 3, 3, "k").set(x, y, "w");
  }
  for (let i = 0; i < 7; i++) grid.set(seed.below(ROOM_WIDTH), seed.below(ROOM_HEIGHT), mood.spark);

  const found = BY_WORD.find(([words]) => words.test(name))?.[1];
  const glyph = (found ? glyphs.get(found) : rune(seed, mood.ring)).pad(1).outline("k");
  return grid.stamp(glyph, Math.round(cx + 0.5 - glyph.width / 2), Math.round(cy + 0.5 - glyph.height / 2));
}

/** Any other spell has a letter of a writing nobody reads: strokes from a seed, the same on both sides. */
function rune(seed: Seed, ink: Colour): Grid {
  const half = new Grid(6, 13);
  half.fill(5, 1, 1, 11, ink);
  for (let strokes = 0; strokes < 4; strokes++) {
    const y = 1 + seed.below(10);
    const tilt = seed.pick([-1, 0, 1]);
    const long = 2 + seed.below(4);
    for (let i = 0; i < long; i++) {
      const at = Math.max(0, Math.min(12, y + tilt * i));
      half.set(5 - i, at, "w");
      if (tilt !== 0) half.set(5 - i, Math.min(12, at + 1), ink);
    }
  }
  return half.mirrored();
}

function circle(grid: Grid, cx: number, cy: number, radius: number, ink: Colour): void {
  for (let i = 0; i < 160; i++) {
    const angle = (i * Math.PI) / 80;
    grid.set(Math.round(cx + Math.cos(angle) * radius), Math.round(cy + Math.sin(angle) * radius), ink);
  }
}
