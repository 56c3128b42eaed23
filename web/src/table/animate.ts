/**
 * Plays events in order. `plan` cuts what happened between two updates into steps, each a table and what is to be
 * seen while it stands; `Animator` shows them one after the other and can be hurried.
 *
 * Invariant: after the last step stands the table of the update, whatever was shown before.
 */
import type { CardText, Happening, Table } from "../gen/wire";
import { ownerOf, stage } from "./stage";

export type Pose = "walk" | "hit" | "fall";
export type Speed = "calm" | "normal" | "fast" | "instant";

export interface Effect {
  kind: "damage" | "soul" | "wound" | "flash" | "spell" | "banner" | "levelup" | "break" | "cancel" | "point";
  /** The card or player it happens at. */
  card?: number;
  seat?: number;
  face?: number;
  text?: string;
}

export interface Step {
  view: Table;
  ms: number;
  events: readonly Happening[];
  poses: Readonly<Record<number, Pose>>;
  /** A hero that stands before the boss. */
  atBoss?: number;
  effects: readonly Effect[];
}

export interface Happened {
  before: Table;
  events: readonly Happening[];
  after: Table;
  cards: ReadonlyMap<number, CardText>;
}

const FACTOR: Readonly<Record<Speed, number>> = { calm: 1.7, normal: 1, fast: 0.4, instant: 0 };

/** Nobody waits longer than this for what happened meanwhile, at normal speed. */
export const LONGEST = 4_000;

/** How long a kind of event is looked at. What is not here passes with the next. */
const TIMES: Readonly<Partial<Record<Happening["kind"], number>>> = {
  turn_begins: 500,
  phase_begins: 150,
  boss_chosen: 350,
  hand_dealt: 350,
  mulligan: 350,
  arrives: 240,
  draws: 170,
  places: 260,
  reveals: 520,
  builds: 450,
  levels_up: 800,
  uses: 600,
  chooses: 220,
  chooses_player: 220,
  triggers: 320,
  cancelled: 400,
  fizzles: 300,
  random: 250,
  discards: 200,
  takes: 220,
  shows: 400,
  destroyed: 380,
  deactivated: 250,
  swapped: 320,
  healed: 350,
  lured: 320,
  hero_goes: 250,
  enters: 250,
  damaged: 260,
  dies: 480,
  wounds: 520,
  eliminated: 700,
  game_over: 500,
};

/** Events of these kinds that follow each other are one sight. */
const TOGETHER: ReadonlySet<Happening["kind"]> = new Set(["reveals", "hand_dealt", "boss_chosen", "arrives"]);

export function plan({ before, events, after, cards }: Happened): Step[] {
  const steps: Step[] = [];
  const known = { cards, after };
  let view = before;
  for (let at = 0; at < events.length;) {
    const first = events[at];
    if (!first) break;
    const group = [first];
    while (TOGETHER.has(first.kind) && events[at + group.length]?.kind === first.kind) {
      group.push(...events.slice(at + group.length, at + group.length + 1));
    }
    at += group.length;
    const ms = TIMES[first.kind] ?? 0;
    const poses = group.reduce<Record<number, Pose>>((all, event) => ({ ...all, ...poseIn(event) }), {});
    const effects = group.flatMap((event) => effectsOf(event, view));
    const next = group.reduce((table, event) => stage(table, event, known), view);
    if (first.kind === "dies" || first.kind === "wounds") {
      // It falls where it stands, and only then is it gone.
      const atBoss = first.kind === "wounds" ? first.card.id : undefined;
      steps.push({ view, ms, events: group, poses, atBoss, effects });
      steps.push({ view: next, ms: 60, events: [], poses: {}, effects: [] });
    } else {
      steps.push({ view: next, ms, events: group, poses, effects });
    }
    view = next;
  }
  steps.push({ view: after, ms: 0, events: [], poses: {}, effects: [] });
  return steps;
}

function poseIn(event: Happening): Record<number, Pose> {
  switch (event.kind) {
    case "enters":
    case "lured":
    case "hero_goes":
    case "arrives":
    case "wounds":
      return { [event.card.id]: "walk" };
    case "damaged":
      return { [event.card.id]: "hit" };
    case "dies":
      return { [event.card.id]: "fall" };
    default:
      return {};
  }
}

function effectsOf(event: Happening, view: Table): Effect[] {
  switch (event.kind) {
    case "turn_begins":
      return [{ kind: "banner", text: event.words }];
    case "levels_up":
      return [
        { kind: "levelup", card: event.card.id, seat: event.seat, face: event.card.face, text: event.words },
      ];
    case "uses":
    case "shows":
      return [
        { kind: "spell", card: event.card.id, seat: event.seat, face: event.card.face, text: event.words },
      ];
    case "triggers":
    case "deactivated":
    case "random":
    case "chooses":
      return [{ kind: "point", card: event.card.id }];
    case "chooses_player":
      return [{ kind: "point", seat: event.player }];
    case "cancelled":
    case "fizzles":
      return [{ kind: "cancel", card: event.card.id, face: event.card.face, text: event.words }];
    case "destroyed":
      return [{ kind: "break", card: event.card.id }];
    case "damaged": {
      const room = roomOf(view, event.card.id);
      const flash: Effect[] = room === undefined ? [] : [{ kind: "flash", card: room }];
      return [...flash, { kind: "damage", card: event.card.id, text: `-${event.amount}` }];
    }
    case "dies":
      return [{ kind: "soul", card: event.card.id, seat: event.seat }];
    case "wounds":
      return [{ kind: "wound", card: event.card.id, seat: event.seat }];
    case "eliminated":
      return [{ kind: "banner", seat: event.seat, text: event.words }];
    default:
      return [];
  }
}

function roomOf(view: Table, hero: number): number | undefined {
  const inside = view.players.flatMap((player) => player.inside);
  const room = inside.find((each) => each.card.id === hero)?.room;
  return room !== undefined && ownerOf(view, room) !== undefined ? room : undefined;
}

/** How long the steps take in all. */
export function lasts(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + step.ms, 0);
}

/** What the animator shows on; the page brings the real one. */
export interface Screen {
  show(step: Step, ms: number): void;
  /** Everything has been shown: this is the table now. */
  settle(view: Table): void;
}

export interface Clock {
  /** Calls back after so many milliseconds; answers with how to hurry it. */
  wait(ms: number, then: () => void): () => void;
}

const realClock: Clock = {
  wait(ms, then) {
    const timer = setTimeout(then, ms);
    return () => {
      clearTimeout(timer);
      then();
    };
  },
};

export class Animator {
  speed: Speed = "normal";
  private queue: Step[] = [];
  private hurry?: () => void;
  private last?: Table;
  /** Below 1 when there is much to show. */
  private pace = 1;

  constructor(
    private readonly screen: Screen,
    private readonly clock: Clock = realClock,
  ) {}

  get busy(): boolean {
    return this.hurry !== undefined;
  }

  /** Shows an update after everything that came before it. */
  push(events: readonly Happening[], after: Table, cards: ReadonlyMap<number, CardText>): void {
    const before = this.last;
    this.last = after;
    if (!before || this.speed === "instant" || (events.length === 0 && !this.busy)) return this.jump(after);
    this.queue.push(...plan({ before, events, after, cards }));
    this.pace = Math.min(1, LONGEST / lasts(this.queue));
    if (!this.busy) this.next();
  }

  /** Shows a table at once; whatever was under way is left out. */
  jump(view: Table): void {
    this.queue = [];
    this.last = view;
    const hurry = this.hurry;
    this.hurry = undefined;
    hurry?.();
    this.screen.settle(view);
  }

  /** To the end of what is known. */
  skip(): void {
    if (this.busy && this.last) this.jump(this.last);
  }

  private next(): void {
    const step = this.queue.shift();
    if (!step) {
      this.hurry = undefined;
      if (this.last) this.screen.settle(this.last);
      return;
    }
    const ms = step.ms * FACTOR[this.speed] * this.pace;
    this.screen.show(step, ms);
    if (ms === 0) return this.next();
    let done = false;
    const go = () => {
      if (done) return;
      done = true;
      // After a jump nothing of this is wanted any more.
      if (this.hurry === hurry) this.next();
    };
    const hurry = this.clock.wait(ms, go);
    this.hurry = hurry;
  }
}
