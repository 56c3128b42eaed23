/** Minibosses: half as tall as a boss, in a corner of somebody else's dungeon. */
import { classesOf, seedOf } from "../cards/card";
import type { CardText } from "../gen/wire";
import { CLASS_LOOKS } from "./classes";
import { main, type Coat } from "./coats";
import { Grid } from "./grid";
import { flatten, layers, type Layers } from "./layers";
import { floor, frame, PLAIN, stone, wall } from "./masonry";
import { FLOOR, ROOM_HEIGHT, ROOM_WIDTH } from "./room";
import { COATS_OF_MONSTERS, ROOMS_BY_WORD } from "./room-parts";
import { Seed } from "./seed";
import { bosses, minibosses, monsters, props } from "./sheets";

export const MINIBOSS_WIDTH = 30;
export const MINIBOSS_HEIGHT = 24;

interface MinibossLook {
  figure: string;
  held?: string;
}

/** Those with a number of their own. */
const BY_NUMBER: Readonly<Record<string, MinibossLook>> = {
  RMB055: { figure: "hedgehog" },
  RMB056: { figure: "young-frog" },
  RMB057: { figure: "young-vampire", held: "lolly" },
  RMB058: { figure: "boxing-rock" },
  RMB059: { figure: "young-brain", held: "bow" },
  RMB060: { figure: "leprechaun", held: "cudgel" },
  RMB061: { figure: "ice-man" },
  RMB062: { figure: "hunter", held: "crossbow" },
  RMB063: { figure: "bruiser" },
  RMB064: { figure: "cat", held: "tail" },
  VOV029: { figure: "miser" },
  VOV030: { figure: "captain", held: "cutlass" },
  VOV031: { figure: "tub" },
};

/** The first line whose words are in the name counts. */
const BY_WORD: readonly (readonly [RegExp, MinibossLook])[] = [
  [/spike|thorn|needle|hedgehog/, { figure: "hedgehog" }],
  [/frog|toad|croak/, { figure: "young-frog" }],
  [/dracul|vampir|blood/, { figure: "young-vampire", held: "lolly" }],
  [/rock|stone|boulder|golem/, { figure: "boxing-rock" }],
  [/brain|mind|cereb/, { figure: "young-brain", held: "bow" }],
  [/leprechaun|luck|clover/, { figure: "leprechaun", held: "cudgel" }],
  [/ice|icic|frost|snow|cold/, { figure: "ice-man" }],
  [/hunter|seeker|assassin|hood/, { figure: "hunter", held: "crossbow" }],
  [/knuckle|fist|boxer|bruiser|punch/, { figure: "bruiser" }],
  [/cat\b|jinx|witch|hex/, { figure: "cat", held: "tail" }],
  [/penny|miser|banker|coin|pinch/, { figure: "miser" }],
  [/captain|pirate|corsair|admiral/, { figure: "captain", held: "cutlass" }],
  [/tub\b|blub|whale|walrus|seal/, { figure: "tub" }],
];

/** On an empty ground, its feet on the lowest row but one. */
export function minibossFigure(card: CardText): Grid {
  const name = card.name.toLowerCase();
  const look = BY_NUMBER[card.number ?? ""] ?? BY_WORD.find(([words]) => words.test(name))?.[1];
  const canvas = new Grid(MINIBOSS_WIDTH, MINIBOSS_HEIGHT);
  const low = MINIBOSS_HEIGHT - 1;
  const put = (grid: Grid, x: number, y: number) => {
    const whole = new Grid(MINIBOSS_WIDTH, MINIBOSS_HEIGHT).stamp(grid, Math.floor(x), y);
    canvas.stamp(whole.outline("k"), 0, 0);
  };
  if (!look) {
    const figure = monster(card);
    put(figure, (MINIBOSS_WIDTH - figure.width) / 2, low - figure.height);
    const crown = bosses.get("hat-crown");
    put(crown, (MINIBOSS_WIDTH - crown.width) / 2, Math.max(1, low - figure.height - 2));
    return canvas;
  }
  const figure = minibosses.get(look.figure);
  const left = (MINIBOSS_WIDTH - figure.width) / 2;
  put(figure, left, low - figure.height);
  if (look.held) {
    const held = minibosses.get(`held-${look.held}`);
    const [x, y] = look.held === "bow" ? [left + 14, 2] : [left + figure.width - 4, low - held.height - 2];
    put(held, x, y);
  }
  return canvas;
}

/** Before it shows itself: a crate with holes, and eyes in one of them. */
export function hiddenMiniboss(): Grid {
  const canvas = new Grid(MINIBOSS_WIDTH, MINIBOSS_HEIGHT);
  const [left, top, wide, tall] = [6, 6, 18, 16];
  canvas.fill(left, top, wide, tall, "o");
  for (let y = top + 3; y < top + tall; y += 4) canvas.fill(left, y, wide, 1, "b");
  canvas.fill(left, top, 2, tall, "O").fill(left + wide - 2, top, 2, tall, "b");
  canvas.fill(left + 5, top + 5, 8, 5, "k");
  canvas.fill(left + 6, top + 6, 2, 2, "y").fill(left + 10, top + 6, 2, 2, "y");
  return canvas.outline("k");
}

/** Any other is the chief of the monsters that its name suggests. */
function monster(card: CardText): Grid {
  const seed = new Seed(`${seedOf(card)} ${card.name}`);
  const name = card.name.toLowerCase();
  const hint = ROOMS_BY_WORD.find(([words, parts]) => parts.who?.length && words.test(name))?.[1];
  const kind = hint?.who?.[0] ?? seed.pick(["goblin", "ogre", "imp", "golem", "knight", "mushroom", "slime"]);
  const coat: Coat = hint?.coat ?? seed.pick(COATS_OF_MONSTERS);
  return monsters
    .get(kind)
    .recolour({ ...main(coat), "4": "b", "5": "o", "6": "O", "7": "y", "8": "Y", "9": "y" });
}

export const minibossScene = (card: CardText): Grid => flatten(minibossLayers(card));

export function minibossLayers(card: CardText): Layers {
  const seed = new Seed(`${seedOf(card)} den`);
  const home = classesOf(card)[0];
  const grid = new Grid(ROOM_WIDTH, ROOM_HEIGHT, "k");
  const light = [
    { x: 24, y: 16, reach: 19 },
    { x: 6, y: 12, reach: 8 },
  ];
  wall(grid, seed.pick(["cave", "block", "plank"]), stone(home ?? "plain"), light, FLOOR);
  const banner = props
    .get("banner")
    .recolour({ ...main(home ? CLASS_LOOKS[home].cloth : "red"), "9": "y" })
    .pad(1)
    .outline("k");
  grid.stamp(banner, ROOM_WIDTH - 13, 4);
  floor(grid, FLOOR, PLAIN);
  grid.fill(11, FLOOR, 26, 2, "r").fill(12, FLOOR, 24, 1, "R");
  const torches = [{ x: 4, y: 9 }];
  for (const { x, y } of torches) grid.stamp(props.get("torch-a").pad(1).outline("k"), x - 1, y - 1);
  frame(grid, 11, true);
  const front = new Grid(ROOM_WIDTH, ROOM_HEIGHT).stamp(
    minibossFigure(card),
    (ROOM_WIDTH - MINIBOSS_WIDTH) / 2,
    FLOOR + 1 - MINIBOSS_HEIGHT + 1,
  );
  return layers(grid, front, torches);
}
