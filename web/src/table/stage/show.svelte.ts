/** What is on screen while events are played: the table, poses, effects, and what is read out. */
import { flushSync } from "svelte";
import { prefersReducedMotion } from "svelte/motion";
import type { CardText, GameEvent, Table, Update } from "../../gen/wire";
import type { LogLine } from "../../net/state";
import { Animator, type Effect, type Pose, type Screen, type Step } from "./animate";
import type { Placed } from "./Effects.svelte";
import { move, positions } from "./flip";
import { prefs } from "../around/prefs.svelte";
import { play } from "./sound";

const TOLD_KEPT = 12;

export class Show implements Screen {
  view: Table | undefined = $state.raw();
  poses: Readonly<Record<number, Pose>> = $state.raw({});
  atBoss: number | undefined = $state();
  effects: readonly Placed[] = $state.raw([]);
  busy = $state(false);
  /** What is being shown, and in words; the last if it is several events at once. */
  showing: GameEvent | undefined = $state.raw();
  narration = $state("");
  /** The last things that happened, for screen readers. */
  told: readonly { id: number; words: string }[] = $state.raw([]);
  root: HTMLElement | undefined;
  layer: HTMLElement | undefined;
  private readonly animator = new Animator(this);
  private lastId = 0;

  /** Plays the events that led to a table. */
  update(update: Pick<Update, "fresh" | "events" | "view">, cards: ReadonlyMap<number, CardText>): void {
    this.tell(update);
    this.animator.speed = prefersReducedMotion.current || document.hidden ? "instant" : prefs.speed;
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

  show(step: Step, ms: number): void {
    this.busy = true;
    const told = step.events.find(({ words }) => words !== "");
    if (told) this.narration = told.words;
    this.showing = step.events.at(-1) ?? this.showing;
    const before = this.root && positions(this.root);
    this.set(step.view, step.poses, step.atBoss);
    flushSync();
    if (this.root && this.layer && before) move(this.root, this.layer, before, step.events, ms);
    for (const event of step.events) this.sound(event.kind);
    for (const effect of step.effects) this.pop(effect, ms);
  }

  settle(view: Table): void {
    this.busy = false;
    this.showing = undefined;
    this.set(view, {}, undefined);
  }

  sound(what: Parameters<typeof play>[0]): void {
    if (prefs.sound) play(what, prefs.volume);
  }

  /** Without animation, a short fade shows that something changed. */
  private fade(what: readonly Parameters<typeof play>[0][]): void {
    what.forEach((kind) => this.sound(kind));
    if (what.length > 0) this.root?.animate([{ opacity: 0.7 }, { opacity: 1 }], { duration: 150 });
  }

  private set(view: Table, poses: Readonly<Record<number, Pose>>, atBoss: number | undefined): void {
    this.view = view;
    this.poses = poses;
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
    const placed = { ...effect, id, ms: ms * 1.2, x, y, wide: rect.width, high: rect.height };
    this.effects = [...this.effects, placed];
    setTimeout(
      () => (this.effects = this.effects.filter((other) => other.id !== id)),
      Math.max(placed.ms, 250),
    );
  }

  private place(effect: Effect): DOMRect | undefined {
    const wide =
      effect.kind === "banner" ||
      effect.kind === "spell" ||
      effect.kind === "levelup" ||
      effect.kind === "cancel";
    if (wide || !this.root) return new DOMRect(window.innerWidth / 2, window.innerHeight * 0.42, 0, 0);
    const seat = effect.seat === undefined ? undefined : `[data-key="player:${effect.seat}"]`;
    const inner = effect.kind === "flash" || effect.kind === "break" ? " .scene" : "";
    const card = effect.card === undefined ? undefined : `[data-card="${effect.card}"]${inner}`;
    const found = [card, seat]
      .map((selector) => selector && this.root?.querySelector(selector))
      .find((node) => node);
    return found ? found.getBoundingClientRect() : undefined;
  }
}
