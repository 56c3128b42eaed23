/** The mixer's bookkeeping. What a mix comes to is the server's to say; here it is only laid out. */
import { RULESETS, type BoxInfo, type MixInfo, type MixStep, type MixTable } from "../../gen/wire";

export interface Tile {
  box: BoxInfo;
  chosen: boolean;
  /** It lends its heroes. */
  heroes: boolean;
  step: MixStep | undefined;
}

/** Base games and expansions, each with what a click would do. */
export function tilesOf(boxes: readonly BoxInfo[], mix: MixInfo): { bases: Tile[]; others: Tile[] } {
  const tiles = boxes.map((box) => ({
    box,
    chosen: mix.boxes.includes(box.code),
    heroes: mix.boxes[0] === box.code,
    step: mix.steps.find((step) => step.code === box.code),
  }));
  return { bases: tiles.filter(({ box }) => box.base), others: tiles.filter(({ box }) => !box.base) };
}

/** The mix with the heroes of another of its base games. */
export function withHeroes(mix: MixInfo, code: string): string {
  return [code, ...mix.boxes.filter((other) => other !== code)].join("+").toLowerCase();
}

export interface RulesRow {
  title: string;
  tables: MixTable[];
  /** Numbers of players that cannot play, and why. */
  refused: { players: string; why: string }[];
}

/** By ruleset: for how many, and why not for others. */
export function rulesOf(mix: MixInfo): RulesRow[] {
  return RULESETS.map(({ name, title }) => {
    const all = mix.tables.filter(({ ruleset }) => ruleset === name);
    const reasons = new Map<string, number[]>();
    for (const { players, why_not } of all)
      if (why_not !== undefined) reasons.set(why_not, [...(reasons.get(why_not) ?? []), players]);
    return {
      title,
      tables: all.filter(({ why_not }) => why_not === undefined),
      refused: [...reasons].map(([why, players]) => ({ players: players.join(", "), why })),
    };
  }).filter(({ tables, refused }) => tables.length + refused.length > 0);
}

export const same = (a: MixTable | undefined, b: MixTable) =>
  a?.ruleset === b.ruleset && a.players === b.players;

/** What was chosen, if the mix can be played so; otherwise the nearest that can. */
export function nearest(mix: MixInfo, wanted: { ruleset: string; players: number }): MixTable | undefined {
  const open = mix.tables.filter(({ why_not }) => why_not === undefined);
  const far = (table: MixTable) =>
    Math.abs(table.players - wanted.players) * 10 + Number(table.ruleset !== wanted.ruleset);
  return [...open].sort((a, b) => far(a) - far(b))[0];
}
