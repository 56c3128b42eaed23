/**
 * Plays events in order. `plan` cuts what happened between two updates into steps, each a table and what is seen while
 * it is shown; `Animator` shows them one after another and can be hurried.
 *
 * Invariant: the last step shows the table of the update, whatever came before.
 */
import type { Death } from "../../art/deaths";
import { LONGEST, TIMES, TOGETHER } from "../../gen/pace";
import type { CardText, GameEvent, Player, Table } from "../../gen/wire";
import { applyEvent } from "./apply";
import { lookAt, restAt, type Camera, type Follow } from "./camera";
import { deathIn } from "./deaths";

export type Pose = "walk" | "hit" | "fall";
export type Speed = "calm" | "normal" | "fast" | "instant";

export interface Effect {
  kind:
    | "damage"
    | "soul"
    | "wound"
    | "flash"
    | "spell"
    | "banner"
    | "levelup"
    | "beaten"
    | "break"
    | "cancel"
    | "die"
    | "coin"
    | "promoted"
    | "point";
  /** The card or player it happens at. */
  card?: number;
  /** The minion of this seat. */
  minion?: number;
  seat?: number;
  face?: number;
  text?: string;
  /** How hard it hits. */
  force?: number;
  /** Of a die: how many sides it has, and the one it lands on. */
  roll?: { sides: number; face: number };
  /** Where it flies: the counter that it counts in. */
  spot?: string;
  /** Where it flies, if that is a card. */
  goal?: number;
  /** Where it comes from, if that is a counter. */
  from?: string;
  /** How many times as long as its step it is seen. */
  longer?: number;
}

export interface Step {
  view: Table;
  ms: number;
  events: readonly GameEvent[];
  poses: Readonly<Record<number, Pose>>;
  /** How the heroes that fall in this step meet their end. */
  deaths?: Readonly<Record<number, Death>>;
  /** A hero that stands before the boss. */
  atBoss?: number;
  effects: readonly Effect[];
  camera?: Camera;
}

export interface Happened {
  before: Table;
  events: readonly GameEvent[];
  after: Table;
  cards: ReadonlyMap<number, CardText>;
  /** Absent: the camera stays at home. */
  follow?: Follow;
}

const FACTOR: Readonly<Record<Speed, number>> = { calm: 1.7, normal: 1, fast: 0.4, instant: 0 };

/** The share of its time for which a die is in the air. */
const TUMBLES = 0.66;

/** How long the camera takes from one dungeon to another. */
export const PAN = 260;

export function plan({ before, events, after, cards, follow }: Happened): Step[] {
  const steps: Step[] = [];
  let view = before;
  let camera = follow?.from;
  const turnTo = (next: Camera) => {
    if (next === camera) return;
    camera = next;
    steps.push({ view, ms: PAN, events: [], poses: {}, effects: [], camera });
  };
  for (let at = 0; at < events.length;) {
    const first = events[at];
    if (!first) break;
    const group = [first];
    while (TOGETHER.has(first.kind) && events[at + group.length]?.kind === first.kind) {
      group.push(...events.slice(at + group.length, at + group.length + 1));
    }
    at += group.length;
    const ms = TIMES[first.kind];
    if (follow) turnTo(lookAt(first, view, { ...follow, from: camera }));
    const poses = group.reduce<Record<number, Pose>>((all, event) => ({ ...all, ...poseIn(event) }), {});
    const table = view;
    const effects = group.flatMap((event) => effectsOf(event, table));
    const next = signed(
      group.reduce((table, event) => applyEvent(table, event, cards), view),
      after,
    );
    if (first.kind === "dies" || first.kind === "wounds") {
      // It falls where it stands, and only then is it gone.
      const atBoss = first.kind === "wounds" ? first.card?.id : undefined;
      const deaths =
        first.kind === "dies" && first.card ? { [first.card.id]: deathIn(view, first, cards) } : {};
      steps.push({ view, ms, events: group, poses, deaths, atBoss, effects, camera });
      steps.push({ view: next, ms: 60, events: [], poses: {}, effects: [], camera });
    } else if (first.kind === "rolls") {
      // What was rolled is told when the die lies.
      const rolling = effects.map((effect) => ({ ...effect, longer: 1 / TUMBLES }));
      steps.push({ view, ms: ms * TUMBLES, events: [], poses, effects: rolling, camera });
      steps.push({ view: next, ms: ms * (1 - TUMBLES), events: group, poses, effects: [], camera });
    } else {
      steps.push({ view: next, ms, events: group, poses, effects, camera });
    }
    view = next;
  }
  if (follow) turnTo(follow.asked ? undefined : restAt(after, follow.home));
  steps.push({ view: after, ms: 0, events: [], poses: {}, effects: [], camera });
  return steps;
}

/** Heroes in town carry the signs they will have: where they would go is not an event. */
function signed(view: Table, after: Table): Table {
  const town = view.town.map((hero) => after.town.find(({ card }) => card.id === hero.card.id) ?? hero);
  return { ...view, town };
}

const POSES: Readonly<Partial<Record<GameEvent["kind"], Pose>>> = {
  arrives: "walk",
  lured: "walk",
  pushed_out: "walk",
  goes: "walk",
  enters: "walk",
  wounds: "walk",
  damaged: "hit",
  dies: "fall",
};

function poseIn({ kind, card }: GameEvent): Record<number, Pose> {
  const pose = POSES[kind];
  return pose && card ? { [card.id]: pose } : {};
}

function effectsOf(event: GameEvent, view: Table): Effect[] {
  const [card, face, text] = [event.card?.id, event.card?.face, event.words];
  switch (event.kind) {
    case "turn_begins":
      return [{ kind: "banner", text }];
    case "rolls":
      return [
        {
          kind: "die",
          card: event.cause?.id,
          seat: event.actor,
          text,
          roll: { sides: event.sides, face: event.face },
        },
      ];
    case "coins":
      return [coinsFly(event.by, event.actor, event.cause?.id)];
    case "coins_on":
      return [coinsFly(-event.by, event.to?.seat ?? event.actor, card)];
    case "level":
      return event.up ? [{ kind: "promoted", card, text: `▲ ${event.level}` }] : [{ kind: "point", card }];
    case "joins_room":
    case "unpaid":
      return [{ kind: event.kind === "unpaid" ? "cancel" : "spell", card, seat: event.actor, face, text }];
    case "carries":
    case "claims":
    case "turns_item":
      return [{ kind: "point", card }];
    case "eliminated":
      return [{ kind: "beaten", seat: event.player, face: playerIn(view, event.player)?.boss?.face, text }];
    case "levels_up":
      return [{ kind: "levelup", card, seat: event.actor, face, text }];
    case "uses":
    case "casts":
    case "shows":
    case "lays_down":
    case "copies":
      return [{ kind: "spell", card, seat: event.actor, face, text }];
    case "triggers":
    case "stack_shuffled":
    case "minion_idles":
    case "gets_token":
    case "comes_up":
    case "counters":
    case "deactivated":
    case "random":
    case "chooses":
      return [{ kind: "point", card }];
    case "minion_acts":
    case "gains_treasure":
    case "last_room_gains":
      return [{ kind: "point", minion: event.actor }];
    case "chooses_player":
      return [{ kind: "point", seat: event.player }];
    case "cancelled":
    case "fizzles":
      return [{ kind: "cancel", card, face, text }];
    case "destroyed":
      return [{ kind: "break", card, force: 3 }];
    case "damaged": {
      const flash: Effect[] = event.room ? [{ kind: "flash", card: event.room.id }] : [];
      return [...flash, { kind: "damage", card, text: `-${event.amount}`, force: event.amount }];
    }
    case "dies":
      return [{ kind: "soul", card, seat: event.to?.seat, spot: spotOf("souls", event) }];
    case "wounds":
      return [
        {
          kind: "wound",
          card: playerIn(view, event.to?.seat)?.boss?.id ?? card,
          seat: event.to?.seat,
          force: 5,
          spot: spotOf("wounds", event),
        },
      ];
    default:
      return [];
  }
}

/** Coins to a hoard from a card, or out of it onto one. */
function coinsFly(by: number, seat: number | undefined, card: number | undefined): Effect {
  const hoard = seat === undefined ? undefined : `coins:${seat}`;
  const text = by > 0 ? `+${by}` : `−${-by}`;
  return by > 0
    ? { kind: "coin", card, seat, spot: hoard, text }
    : { kind: "coin", seat, from: hoard, goal: card, text };
}

function playerIn(view: Table, seat: number | undefined): Player | undefined {
  return view.players.find((player) => player.seat === seat);
}

function spotOf(what: "souls" | "wounds", { to }: GameEvent): string | undefined {
  return to?.seat === undefined ? undefined : `${what}:${to.seat}`;
}

/** How long the steps take in all. */
export function lasts(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + step.ms, 0);
}

/** Where the animator shows its steps. */
export interface Screen {
  show(step: Step, ms: number): void;
  /** Everything has been shown: this is the table now. */
  settle(view: Table, camera: Camera): void;
}

export interface Clock {
  /** Calls back after that many milliseconds; returns how to hurry it. */
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
  /** Whose dungeon the camera comes home to; absent if it stays there. */
  home?: number;
  /** The viewer is asked something that is not about what is going on elsewhere: the camera ends at home. */
  asked = false;
  private camera: Camera;
  private queue: Step[] = [];
  private hurry?: () => void;
  private last?: Table;
  /** Below 1 when there is a lot to show. */
  private pace = 1;

  constructor(
    private readonly screen: Screen,
    private readonly clock: Clock = realClock,
  ) {}

  get busy(): boolean {
    return this.hurry !== undefined;
  }

  /** Shows an update after everything that came before it. */
  push(events: readonly GameEvent[], after: Table, cards: ReadonlyMap<number, CardText>): void {
    const before = this.last;
    this.last = after;
    if (!before || this.speed === "instant" || (events.length === 0 && !this.busy)) return this.jump(after);
    const follow =
      this.home === undefined ? undefined : { home: this.home, from: this.camera, asked: this.asked };
    const steps = plan({ before, events, after, cards, follow });
    this.camera = steps.at(-1)?.camera;
    this.queue.push(...steps);
    this.pace = Math.min(1, LONGEST / lasts(this.queue));
    if (!this.busy) this.next();
  }

  /** Shows a table immediately, skipping anything in progress. */
  jump(view: Table): void {
    this.queue = [];
    this.last = view;
    const hurry = this.hurry;
    this.hurry = undefined;
    hurry?.();
    const home = this.asked || this.speed === "instant" ? undefined : this.home;
    this.camera = home === undefined ? undefined : restAt(view, home);
    this.screen.settle(view, this.camera);
  }

  /** To the end of what is known. */
  skip(): void {
    if (this.busy && this.last) this.jump(this.last);
  }

  private next(): void {
    const step = this.queue.shift();
    if (!step) {
      this.hurry = undefined;
      if (this.last) this.screen.settle(this.last, this.camera);
      return;
    }
    const ms = step.ms * FACTOR[this.speed] * this.pace;
    this.screen.show(step, ms);
    if (ms === 0) return this.next();
    let done = false;
    const go = () => {
      if (done) return;
      done = true;
      // A jump has cancelled this.
      if (this.hurry === hurry) this.next();
    };
    const hurry = this.clock.wait(ms, go);
    this.hurry = hurry;
  }
}
