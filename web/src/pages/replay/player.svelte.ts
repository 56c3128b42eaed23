/** Plays a finished game: which moment is shown, fetched in time, animated when it follows the one before. */
import { api } from "../../api/client";
import { problemOf } from "../../api/problem";
import type { Viewpoint } from "../../app/route";
import type { CardText, Replay, ReplayMoment, ReplayStep, ReviewPoint } from "../../gen/wire";
import { Show } from "../../table/stage/show.svelte";
import { cardsOf, Moments } from "./moments";
import { isQuiet, nextStep, nextTurn, within } from "./steps";

/** Milliseconds between two steps if nothing is animated. */
const REST = 700;
const LOOK = 60;
const AHEAD = 3;

export class Player {
  replay: Replay | undefined = $state.raw();
  moment: ReplayMoment | undefined = $state.raw();
  at = $state(0);
  viewpoint: Viewpoint = $state("all");
  playing = $state(false);
  complaint = $state("");
  /** The turning points for one player; none until they are worked out. */
  points: readonly ReviewPoint[] = $state.raw([]);
  readonly show = new Show();
  private readonly moments: Moments;
  private cards: ReadonlyMap<number, CardText> = cardsOf([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  private readonly reviews: (Promise<readonly ReviewPoint[]> | undefined)[] = [];
  private reviewed = 0;

  constructor(private readonly id: string) {
    this.moments = new Moments(id);
  }

  get steps(): readonly ReplayStep[] {
    return this.replay?.steps ?? [];
  }

  get known(): ReadonlyMap<number, CardText> {
    return this.cards;
  }

  get ended(): boolean {
    return this.at >= this.steps.length - 1;
  }

  /** Opens the game for this viewpoint, at a step. */
  async open(viewpoint: Viewpoint, step: number): Promise<void> {
    const replay = await api.replay(this.id, viewpoint);
    this.cards = cardsOf(replay.start.cards);
    this.replay = replay;
    this.viewpoint = viewpoint;
    this.at = within(replay.steps, step);
    await this.bring(true);
  }

  look(viewpoint: Viewpoint): void {
    this.pause();
    this.open(viewpoint, this.at).catch((error: unknown) => (this.complaint = problemOf(error).words));
  }

  /** Brings the turning points of this player. Without them the replay is as good. */
  async review(seat: number): Promise<void> {
    this.reviewed = seat;
    this.points = [];
    const known = this.reviews[seat];
    const points = known ?? api.review(this.id, seat).then((review) => review.points);
    this.reviews[seat] = points;
    try {
      const found = await points;
      if (this.reviewed === seat) this.points = found;
    } catch {
      this.reviews[seat] = undefined;
    }
  }

  go(step: number): void {
    const to = within(this.steps, step);
    if (to === this.at) return;
    const follows = this.steps.slice(this.at + 1, to).every(isQuiet) && to > this.at;
    this.at = to;
    void this.bring(!follows);
  }

  step = (by: 1 | -1): void => {
    this.pause();
    this.go(nextStep(this.steps, this.at, by));
  };
  turn = (by: 1 | -1): void => {
    this.pause();
    this.go(nextTurn(this.steps, this.at, by));
  };
  jump = (step: number): void => {
    this.pause();
    this.go(step);
  };

  toggle = (): void => {
    if (this.playing) return this.pause();
    if (this.ended) this.go(0);
    this.playing = true;
    this.soon(LOOK);
  };

  pause = (): void => {
    this.playing = false;
    clearTimeout(this.timer);
  };

  private soon(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.on(), ms);
  }

  /** Advances when the current step has been shown. */
  private on(): void {
    if (!this.playing) return;
    if (this.ended) return this.pause();
    if (this.show.busy || this.moment?.step !== this.at) return this.soon(LOOK);
    this.go(nextStep(this.steps, this.at, 1));
    this.soon(REST);
  }

  private async bring(fresh: boolean): Promise<void> {
    const asked = ++this.asked;
    try {
      const moment = await this.moments.at(this.at, this.viewpoint);
      if (asked !== this.asked) return;
      this.complaint = "";
      this.moment = moment;
      const { view, events } = moment;
      this.show.update({ fresh, view, events }, this.cards);
      let ahead = this.at;
      for (let i = 0; i < AHEAD; i++)
        void this.moments.at((ahead = nextStep(this.steps, ahead, 1)), this.viewpoint).catch(() => undefined);
    } catch (error) {
      this.pause();
      if (asked === this.asked) this.complaint = problemOf(error).words;
    }
  }
}
