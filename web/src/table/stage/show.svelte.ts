/** What is on screen while events are played: the table, poses, effects, and what is read out. */
import { flushSync } from "svelte";
import { prefersReducedMotion } from "svelte/motion";
import type { Death } from "../../art/deaths";
import type { CardText, GameEvent, Table, Update } from "../../gen/wire";
import type { LogLine } from "../../net/state";
import { Animator, type Effect, type Pose, type Screen, type Step } from "./animate";
import type { Camera } from "./camera";
import type { Placed } from "./Effects.svelte";
import { move, pan, positions } from "./flip";
import { prefs } from "../around/prefs.svelte";
import { play } from "./sound";
import { beat, land, rectOf, shake } from "./weight";

const TOLD_KEPT = 12;
/** Effects that fill the middle of the screen instead of happening somewhere. */
const WIDE: ReadonlySet<Effect["kind"]> = new Set(["banner", "spell", "levelup", "cancel", "beaten"]);

/** What is shown of an update; a replay has no question. */
type Shown = Pick<Update, "fresh" | "events" | "view"> & Partial<Pick<Update, "ask" | "waiting">>;

export class Show implements Screen {
  view: Table | undefined = $state.raw();
  poses: Readonly<Record<number, Pose>> = $state.raw({});
  deaths: Readonly<Record<number, Death>> = $state.raw({});
  atBoss: number | undefined = $state();
  /** The dungeon that is shown large; none if it is the viewer's own. */
  camera: Camera = $state();
  effects: readonly Placed[] = $state.raw([]);
  busy = $state(false);
  /** What is being shown, and in words; the last if it is several events at once. */
  showing: GameEvent | undefined = $state.raw();
  narration = $state("");
  /** The last things that happened, for screen readers. */
  told: readonly { id: number; words: string }[] = $state.raw([]);
  root: HTMLElement | undefined;
  layer: HTMLElement | undefined;
  /** Whose dungeon is home: the viewer's, or the one that is watched. */
  home: number | undefined;
  /** The viewer has called the camera home: it stays there until this has been shown. */
  private called = false;
  private readonly animator = new Animator(this);
  private lastId = 0;

  /** Plays the events that led to a table. */
  update(update: Shown, cards: ReadonlyMap<number, CardText>): void {
    this.tell(update);
    this.animator.speed = prefersReducedMotion.current || document.hidden ? "instant" : prefs.speed;
    this.animator.home = prefs.follow ? (this.home ?? update.view.seat) : undefined;
    // In a window, what can be used is in the hand or lights up: then the board calls the camera home by itself.
    this.animator.asked = update.ask !== undefined && update.waiting?.window !== true;
    if (update.fresh) return this.animator.jump(update.view);
    if (this.animator.speed === "instant") this.fade(update.events.slice(-3).map(({ kind }) => kind));
    this.animator.push(update.events, update.view, cards);
  }

  /** A log without what is still to be shown. */
  upToNow(log: readonly LogLine[]): readonly LogLine[] {
    const at = this.showing ? log.findIndex(({ event }) => event === this.showing) : -1;
    return at < 0 ? log : log.slice(0, at + 1);
  }

  skip = (): void => {
    if (this.busy) this.effects = [];
    this.animator.skip();
  };

  /** The camera leaves what it follows; what happens is still shown. */
  comeHome = (): void => {
    this.called = true;
    this.turn(undefined);
  };

  show(step: Step, ms: number): void {
    this.busy = true;
    const told = step.events.find(({ words }) => words !== "");
    if (told) this.narration = told.words;
    this.showing = step.events.at(-1) ?? this.showing;
    const camera = this.called ? undefined : step.camera;
    if (camera !== this.camera) this.turn(camera, ms);
    const before = this.root && positions(this.root);
    this.set(step.view, step.poses, step.atBoss, step.deaths);
    flushSync();
    if (this.root) beat(this.root, ms);
    if (this.root && this.layer && before) move(this.root, this.layer, before, step.events, ms);
    for (const event of step.events) this.sound(event.kind);
    for (const effect of step.effects) this.pop(effect, ms);
  }

  settle(view: Table, camera: Camera): void {
    this.busy = false;
    this.called = false;
    this.showing = undefined;
    if (camera !== this.camera) this.turn(camera);
    this.set(view, {}, undefined);
  }

  sound(what: Parameters<typeof play>[0]): void {
    if (prefs.sound) play(what, prefs.volume);
  }

  /** To another dungeon. Without a time it is a cut. */
  private turn(camera: Camera, ms = 0): void {
    const out = this.root && ms > 0 ? pan(this.root, camera === undefined ? -1 : 1, ms) : undefined;
    this.camera = camera;
    if (!out) return;
    flushSync();
    out();
  }

  /** Without animation, a short fade shows that something changed. */
  private fade(what: readonly Parameters<typeof play>[0][]): void {
    what.forEach((kind) => this.sound(kind));
    if (what.length > 0) this.root?.animate([{ opacity: 0.7 }, { opacity: 1 }], { duration: 150 });
  }

  private set(
    view: Table,
    poses: Readonly<Record<number, Pose>>,
    atBoss: number | undefined,
    deaths: Readonly<Record<number, Death>> = {},
  ): void {
    this.view = view;
    this.poses = poses;
    this.deaths = deaths;
    this.atBoss = atBoss;
  }

  private tell(update: Pick<Update, "events">): void {
    const news = update.events
      .filter(({ words }) => words !== "")
      .map(({ words }) => ({ id: ++this.lastId, words }));
    this.told = [...this.told, ...news].slice(-TOLD_KEPT);
  }

  private pop(effect: Effect, ms: number): void {
    const rect = this.place(effect);
    if (!rect) return;
    const id = ++this.lastId;
    const [x, y] = [rect.left + rect.width / 2, rect.top + rect.height / 2];
    const goal = this.root && this.goalOf(effect, this.root);
    const to = goal ? { x: goal.left + goal.width / 2 - x, y: goal.top + goal.height / 2 - y } : undefined;
    const placed = {
      ...effect,
      id,
      ms: ms * 1.2 * (effect.longer ?? 1),
      x,
      y,
      wide: rect.width,
      high: rect.height,
      to,
    };
    this.effects = [...this.effects, placed];
    if (this.root && effect.force) shake(this.root, effect.card, effect.force, ms);
    if (this.root && effect.spot) land(this.root, effect.spot, Math.max(placed.ms, 250));
    setTimeout(
      () => (this.effects = this.effects.filter((other) => other.id !== id)),
      Math.max(placed.ms, 250),
    );
  }

  private goalOf({ spot, goal }: Effect, root: HTMLElement): DOMRect | undefined {
    if (spot) return rectOf(root, `[data-spot="${spot}"]`);
    return goal === undefined ? undefined : rectOf(root, `[data-card="${goal}"]`);
  }

  private place(effect: Effect): DOMRect | undefined {
    if (WIDE.has(effect.kind) || !this.root)
      return new DOMRect(window.innerWidth / 2, window.innerHeight * 0.42, 0, 0);
    const from = effect.from && rectOf(this.root, `[data-spot="${effect.from}"]`);
    if (from) return from;
    const inner = effect.kind === "flash" || effect.kind === "break" ? " .scene" : "";
    // Near enough to the middle to be read whole.
    if (effect.kind === "die") return new DOMRect(window.innerWidth / 2, window.innerHeight * 0.42, 0, 0);
    if (effect.minion !== undefined) return rectOf(this.root, `[data-card="minion-${effect.minion}"]`);
    return (
      (effect.card === undefined ? undefined : rectOf(this.root, `[data-card="${effect.card}"]${inner}`)) ??
      (effect.seat === undefined ? undefined : rectOf(this.root, `[data-key="player:${effect.seat}"]`))
    );
  }
}
