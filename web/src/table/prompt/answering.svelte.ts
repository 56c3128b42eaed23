/**
 * How an answer is given: a room and then its place, or one click; previewed before it is sent. A spell or an ability
 * is shown first and done when it is confirmed, and so is whatever costs the player something.
 */
import type { Choice, YourQuestion, Table } from "../../gen/wire";
import {
  answersAt,
  choicesOf,
  keyOf,
  lit,
  noChoices,
  placeKey,
  places,
  targetsOf,
  type Choices,
  type Key,
} from "./choices";

export interface Voice {
  act(index: number): void;
  preview(index: number): void;
  /** Does the answer, as far as is known, hurt the player who gives it? */
  hurts?(index: number): boolean;
}

/** What is shown before it is done. */
const DECLARED: ReadonlySet<Choice["kind"]> = new Set(["use", "promote", "sell", "take_back"]);

/** A double click is one click: what it has armed is not done by its second half. */
const DOUBLE_CLICK_MS = 400;

export class Answering {
  choices: Choices = $state.raw(noChoices);
  /** The card whose place is being chosen. */
  building: number | undefined = $state();
  /** The answer being previewed. */
  aimed: number | undefined = $state();
  /** Several answers for one card, to choose from. */
  menu: number[] = $state([]);
  /** Tapped once, or armed: a second tap confirms. */
  touched: Key | undefined = $state();
  private armedAt = 0;
  /** Hints are open. */
  advised = $state(false);
  /** The build a hint suggests, until another place is pointed at. */
  private proposed: number | undefined;
  lit: ReadonlySet<Key> = $derived(lit(this.choices, this.building));
  places = $derived(places(this.choices, this.building));

  /** Answers that are buttons, not places on the board. */
  buttons: readonly number[] = $derived(this.menu.length > 0 ? this.menu : this.choices.buttons);
  /** What the number keys choose: places while a room is being built, else anything that can be chosen. */
  targets: readonly Key[] = $derived(targetsOf(this.choices, this.building));

  constructor(
    private readonly voice: Voice,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** A new question, or none. */
  ask(ask: YourQuestion | undefined, view: Table | undefined): void {
    this.choices = ask && view ? choicesOf(ask.legal, view) : noChoices;
    this.advised = false;
    this.clear();
  }

  /** The same question again: what is looked at is asked for again. */
  again(): void {
    if (this.aimed !== undefined) this.voice.preview(this.aimed);
  }

  clear(): void {
    this.building = undefined;
    this.aimed = undefined;
    this.touched = undefined;
    this.proposed = undefined;
    this.menu = [];
  }

  /** Previews the answer at the key. */
  aim(key: Key | undefined): void {
    if (this.touched) return;
    const [first] = key ? answersAt(this.choices, key, this.building) : [];
    this.look(first ?? this.only ?? this.proposed);
  }

  /** Previews an answer. */
  look(index: number | undefined): void {
    if (index === this.aimed) return;
    this.aimed = index;
    if (index !== undefined) this.voice.preview(index);
  }

  /** Chooses the answer at the key. A first tap previews, a second confirms. */
  pick(key: Key, finger = false): void {
    const answers = answersAt(this.choices, key, this.building);
    const id = Number(key.split(":")[1]);
    if (key.startsWith("card:") && this.choices.builds.has(id)) {
      const again = this.building === id;
      this.clear();
      if (again && answers.length === 0) return;
      if (!again) this.building = id;
      if (this.only !== undefined) this.look(this.only);
      if (answers.length > 0) this.menu = answers;
      return;
    }
    const [first] = answers;
    if (first === undefined) return;
    if (answers.length > 1) {
      this.menu = answers;
      return;
    }
    const careful =
      finger || DECLARED.has(this.choices.legal[first]?.kind ?? "pass") || this.voice.hurts?.(first);
    if (careful && this.touched !== key) {
      this.clear();
      this.touched = key;
      this.armedAt = this.now();
      this.look(first);
      return;
    }
    if (careful && !finger && this.now() - this.armedAt < DOUBLE_CLICK_MS) return;
    this.give(first);
  }

  /** Drops a room on a place. */
  drop(card: number, key: Key): boolean {
    const build = places(this.choices, card).find(({ dungeon, place }) => placeKey(dungeon, place) === key);
    if (build) this.give(build.index);
    return build !== undefined;
  }

  give(index: number): void {
    this.clear();
    this.voice.act(index);
  }

  /** The answer that is this number, where a number is asked for. */
  numbered(digit: number): number | undefined {
    const { legal } = this.choices;
    const is = (choice: Choice) => choice.kind === "pick" && choice.number === digit;
    const at = legal.findIndex(is);
    return at < 0 ? undefined : at;
  }

  /** What Enter gives: the answer that is shown to be confirmed, or the only one there is. */
  get ready(): number | undefined {
    if (this.building !== undefined || this.touched !== undefined) return this.aimed;
    return this.choices.legal.length === 1 ? 0 : undefined;
  }

  /** Gives the previewed answer. */
  confirm(): void {
    if (this.ready !== undefined) this.give(this.ready);
  }

  /** Shows an answer as if it had been selected. */
  suggest(index: number): Key | undefined {
    const choice = this.choices.legal[index];
    if (!choice) return undefined;
    this.clear();
    if (choice.kind === "build") {
      this.building = choice.card.id;
      this.proposed = index;
      this.look(index);
      return placeKey(choice.dungeon, choice.place);
    }
    this.look(index);
    const key = keyOf(choice);
    this.touched = key;
    return key;
  }

  /** The only place for the card in hand. */
  private get only(): number | undefined {
    return this.places.length === 1 ? this.places[0]?.index : undefined;
  }
}
