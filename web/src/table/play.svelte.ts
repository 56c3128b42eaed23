/** A game as one person plays it: what the server said, what is shown of it, and the answer in progress. */
import { untrack } from "svelte";
import type { Card, Class, HintMove, Phase, Table, Update, YourQuestion } from "../gen/wire";
import type { TableSession } from "../net/session.svelte";
import type { LogLine } from "../net/state";
import { words } from "../words/table";
import { armableIn, armedIn } from "./arm/wishes";
import { Answering } from "./prompt/answering.svelte";
import { piecesOf } from "./board/pieces";
import { cardKey, nothing, type Key } from "./prompt/choices";
import { namesOf, notesOf } from "./seats";
import type { Show } from "./stage/show.svelte";

/** How long a pointer rests on a card before it is explained. */
const REST_MS = 200;

export class Play {
  readonly answering: Answering;
  hinted: Key | undefined = $state();
  /** A hint is on its way. */
  thinking = $state(false);

  readonly update: Update | undefined = $derived.by(() => this.session.state.update);
  /** Changes only with a new hint. */
  private readonly best: HintMove | undefined = $derived.by(() => this.session.state.hint?.moves[0]);
  readonly me: number | undefined = $derived.by(() => this.session.state.you?.seat);
  readonly names: readonly string[] = $derived.by(() => namesOf(this.session.state.table));
  readonly notes: readonly string[] = $derived.by(() => notesOf(this.session.state.table));
  readonly answered: boolean = $derived.by(
    () => this.update !== undefined && this.session.state.answered === this.update.seq,
  );
  /** You can only pass, and are asked so that nobody can tell: that needs no answer. */
  readonly cover: boolean = $derived.by(() => {
    const { ask, waiting } = this.update ?? {};
    return ask?.legal.length === 1 && waiting?.window === true && waiting.left_ms !== undefined;
  });
  /** What you have to decide. */
  readonly ask: YourQuestion | undefined = $derived.by(() => (this.cover ? undefined : this.update?.ask));
  readonly armable: ReadonlySet<number> = $derived.by(() => armableIn(this.update));
  /** The card to begin with when something is armed: the one that was just pointed at in vain. */
  get toArm(): number | undefined {
    const id = this.wondered;
    return id !== undefined && this.armable.has(id) ? id : undefined;
  }
  /** What is armed, in words, by card. */
  readonly armed: ReadonlyMap<number, string> = $derived.by(() =>
    armedIn(this.session.state, this.update?.view),
  );
  /** The parts of a turn, in order. */
  readonly phases: readonly Phase[] = $derived.by(() => this.session.state.start?.phases ?? []);
  readonly classes: readonly Class[] = $derived.by(() => this.session.state.start?.classes ?? []);
  readonly view: Table | undefined = $derived.by(() => this.show.view);
  /** The log keeps pace with the animation. */
  readonly log: readonly LogLine[] = $derived.by(() => this.show.upToNow(this.session.state.log));
  /** Nothing glows until the animation has ended. */
  readonly lit: ReadonlySet<Key> = $derived.by(() => (this.show.busy ? nothing : this.answering.lit));
  readonly chosen: Key | undefined = $derived.by(() => {
    const { touched, building } = this.answering;
    return touched ?? (building === undefined ? undefined : cardKey(building));
  });
  /** The table as it would be: with a room at its place, or after what is armed. */
  readonly ghost: { view: Table; card?: number } | undefined = $derived.by(() => {
    const { preview } = this.session.state;
    const { aimed, places, touched } = this.answering;
    const build = places.find(({ index }) => index === aimed);
    if (!preview?.view || preview.index !== aimed || this.show.busy) return undefined;
    return build || touched ? { view: preview.view, card: build?.card.id } : undefined;
  });
  /** The card of this player that somebody wonders about, because it cannot be used. */
  private wondered: number | undefined = $state();
  private soon?: ReturnType<typeof setTimeout>;
  readonly why: string = $derived.by(() => {
    const { why, update, cards } = this.session.state;
    if (!why?.words || why.seq !== update?.seq || why.card !== this.wondered) return "";
    const name = cards.get(this.ownCard(why.card)?.face ?? -1)?.name ?? "";
    return words.prompt.why(name, why.words);
  });
  /** The name of the player the game waits for. */
  readonly waitsFor: string = $derived.by(() => {
    const waiting = this.update?.waiting;
    return (waiting && this.names[waiting.seat - 1]) ?? "";
  });
  readonly waiting: string = $derived.by(() => {
    if (this.update?.over) return words.waiting.over;
    if (this.show.busy) return "";
    if (this.ask && !this.answered) return words.waiting.you;
    if (this.cover) return words.waiting.cover;
    if (!this.update?.waiting) return words.waiting.nobody;
    return this.update.waiting.window
      ? words.waiting.window(this.waitsFor)
      : words.waiting.for(this.waitsFor);
  });

  /** To be called while a component is set up. */
  constructor(
    readonly session: TableSession,
    readonly show: Show,
    title = "Lair",
  ) {
    this.answering = new Answering({
      act: (index) => session.act(index),
      preview: (index) => session.preview(index),
      hurts: (index) => {
        const { preview } = session.state;
        return preview?.index === index && preview.warning !== undefined;
      },
    });
    let before = "";
    $effect(() => {
      const ask = this.answered ? undefined : this.ask;
      const now = JSON.stringify(ask);
      // The window is held now: what was begun goes on.
      if (ask && now === before && this.update?.waiting?.held) return untrack(() => this.goOn());
      before = now;
      this.answering.ask(ask, this.update?.view);
      this.hinted = undefined;
      this.thinking = false;
      this.wondered = undefined;
      // The moment of an armed card has come: it is picked out.
      const armed = ask?.armed;
      if (armed !== undefined) untrack(() => this.suggest(armed));
    });
    $effect(() => {
      // It may say no more than that it knows.
      if (this.session.state.hint) this.thinking = false;
    });
    $effect(() => {
      const best = this.best;
      if (!best) return;
      untrack(() => {
        this.answering.advised = true;
        this.suggest(best.index);
      });
    });
    let wasMine = false;
    $effect(() => {
      const mine = this.ask !== undefined;
      if (mine && !wasMine) show.sound("your_turn");
      wasMine = mine;
      document.title = `${mine ? "● " : ""}${title}`;
    });
  }

  /** The same question under another number: what was asked about it is asked again. */
  private goOn(): void {
    this.answering.again();
    if (this.thinking) this.session.hint();
  }

  /** Whoever reaches for something needs time: a window that would close by itself stays open. */
  stay(): void {
    const { waiting } = this.update ?? {};
    const closing = waiting?.window && waiting.left_ms !== undefined && !waiting.held;
    if (this.ask && !this.answered && closing) this.session.hold();
  }

  pick(key: Key, finger: boolean): void {
    this.hinted = undefined;
    this.show.skip();
    if (this.answering.lit.has(key)) this.stay();
    this.answering.pick(key, finger);
  }

  /** Asks why a card of this player cannot be used: at once, or if the pointer rests on it. */
  wonder(key: Key | undefined, atOnce: boolean): void {
    clearTimeout(this.soon);
    const id = key?.startsWith("card:") ? Number(key.slice(5)) : undefined;
    if (id === undefined || !this.ownCard(id) || this.lit.has(cardKey(id)) || this.show.busy) {
      this.wondered = undefined;
      return;
    }
    const ask = () => {
      this.wondered = id;
      this.session.why(id);
    };
    if (atOnce) ask();
    else this.soon = setTimeout(ask, REST_MS);
  }

  /** A card in this player's hand or dungeon, a miniboss with a room of it, or an item. */
  private ownCard(id: number): Card | undefined {
    const own = this.view?.players.find(({ seat }) => seat === this.me);
    const cards = own
      ? [...own.hand.cards, ...own.dungeon.map(({ card }) => card), own.boss, ...piecesOf(own)]
      : [];
    return cards.find((card) => card?.id === id);
  }

  suggest = (index: number): void => {
    this.hinted = this.answering.suggest(index);
  };

  /** Opens the hints, or closes them again. */
  hint = (): void => {
    if (!this.ask || this.answered) return;
    const best = this.best;
    this.stay();
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

  /** During an animation the first key press only skips it. */
  ready(): boolean {
    const ready = !this.show.busy || this.update?.waiting?.left_ms !== undefined;
    if (!ready) this.show.skip();
    return ready;
  }
}
