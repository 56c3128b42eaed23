/** A game as one person plays it: what the server said, what is being shown of it, and the answer in the making. */
import { untrack } from "svelte";
import type { CardText } from "../cards/card";
import type { HintMove, Table, Update } from "../gen/wire";
import type { TableSession } from "../net/session.svelte";
import type { LogLine } from "../net/state";
import { words } from "../words/table";
import { Answering } from "./answering.svelte";
import { printedAll } from "./board";
import { cardKey, nothing, type Key } from "./choices";
import { namesOf, notesOf } from "./seats";
import type { Show } from "./show.svelte";

export class Play {
  readonly answering: Answering;
  hinted: Key | undefined = $state();
  /** A hint is on its way. */
  thinking = $state(false);

  readonly update: Update | undefined = $derived.by(() => this.session.state.update);
  /** Not told anew with every message. */
  private readonly best: HintMove | undefined = $derived.by(() => this.session.state.hint?.moves[0]);
  readonly me: number | undefined = $derived.by(() => this.session.state.you?.seat);
  readonly names: readonly string[] = $derived.by(() => namesOf(this.session.state.table));
  readonly notes: readonly string[] = $derived.by(() => notesOf(this.session.state.table));
  readonly answered: boolean = $derived.by(
    () => this.update !== undefined && this.session.state.answered === this.update.seq,
  );
  readonly texts: ReadonlyMap<number, CardText> = $derived.by(() => printedAll(this.session.state.cards));
  readonly view: Table | undefined = $derived.by(() => this.show.view ?? this.update?.view);
  /** The log keeps pace with what is shown. */
  readonly log: readonly LogLine[] = $derived.by(() => this.show.upToNow(this.session.state.log));
  /** What glows waits until the table has come to rest. */
  readonly lit: ReadonlySet<Key> = $derived.by(() => (this.show.busy ? nothing : this.answering.lit));
  readonly chosen: Key | undefined = $derived.by(() => {
    const { touched, building } = this.answering;
    return touched ?? (building === undefined ? undefined : cardKey(building));
  });
  readonly ghost: { view: Table; card: number } | undefined = $derived.by(() => {
    const { preview } = this.session.state;
    const build = this.answering.places.find(({ index }) => index === this.answering.aimed);
    if (!preview?.view || !build || preview.index !== build.index || this.show.busy) return undefined;
    return { view: preview.view, card: build.card.id };
  });
  /** Name of whoever is waited for. */
  readonly waitsFor: string = $derived.by(() => {
    const waiting = this.update?.waiting;
    return (waiting && this.names[waiting.seat - 1]) ?? "";
  });
  readonly waiting: string = $derived.by(() => {
    if (this.update?.over) return words.waiting.over;
    if (this.show.busy) return "";
    if (this.update?.ask && !this.answered) return words.waiting.you;
    if (!this.update?.waiting) return words.waiting.nobody;
    return this.update.waiting.window
      ? words.waiting.window(this.waitsFor)
      : words.waiting.for(this.waitsFor);
  });

  /** For a component's beginning: it listens to the table from then on. */
  constructor(
    readonly session: TableSession,
    readonly show: Show,
  ) {
    this.answering = new Answering({
      act: (index) => session.act(index),
      preview: (index) => session.preview(index),
    });
    $effect(() => {
      this.answering.ask(this.answered ? undefined : this.update?.ask, this.update?.view);
      this.hinted = undefined;
      this.thinking = false;
    });
    $effect(() => {
      const best = this.best;
      if (!best) return;
      untrack(() => {
        this.thinking = false;
        this.answering.advised = true;
        this.suggest(best.index);
      });
    });
    let wasMine = false;
    $effect(() => {
      const mine = this.update?.ask !== undefined;
      if (mine && !wasMine) show.sound("your_turn");
      wasMine = mine;
      document.title = `${mine ? "● " : ""}Lair`;
    });
  }

  pick(key: Key, finger: boolean): void {
    this.hinted = undefined;
    this.show.skip();
    this.answering.pick(key, finger);
  }

  suggest = (index: number): void => {
    this.hinted = this.answering.suggest(index);
  };

  /** Opens the hints, or closes them again. */
  hint = (): void => {
    if (!this.update?.ask || this.answered) return;
    const best = this.best;
    if (!best) {
      this.thinking = true;
      this.session.hint();
    } else if (this.answering.advised) {
      this.hinted = undefined;
      this.answering.advised = false;
      this.answering.clear();
    } else {
      this.answering.advised = true;
      this.suggest(best.index);
    }
  };

  undo = (): void => {
    if (this.update?.undo.allowed === "no") this.session.toast(this.update.undo.words);
    else this.session.undo();
  };

  /** Nobody answers by key what they have not seen yet: the first key only hurries. */
  ready(): boolean {
    const ready = !this.show.busy || this.update?.waiting?.left_ms !== undefined;
    if (!ready) this.show.skip();
    return ready;
  }
}
