/** How an answer is put together: a room and then its place, or one click; what is looked at before it is given. */
import type { AskYou, Table } from "../gen/wire";
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
}

export class Answering {
  choices: Choices = $state.raw(noChoices);
  /** The card whose place is being chosen. */
  building: number | undefined = $state();
  /** The answer that is looked at. */
  aimed: number | undefined = $state();
  /** Several answers at one card: which? */
  menu: number[] = $state([]);
  /** Touched once: once more does it. */
  touched: Key | undefined = $state();
  /** Hints are open. */
  advised = $state(false);
  /** The room of a hint that was taken: it stays proposed until another place is pointed at. */
  private proposed: number | undefined;
  lit: ReadonlySet<Key> = $derived(lit(this.choices, this.building));
  places = $derived(places(this.choices, this.building));

  /** Answers that are buttons, not places on the board. */
  buttons: readonly number[] = $derived(this.menu.length > 0 ? this.menu : this.choices.buttons);
  /** What the number keys choose: places while one is wanted, else whatever can be chosen. */
  targets: readonly Key[] = $derived(
    this.building === undefined
      ? targetsOf(this.choices)
      : this.places.map(({ dungeon, place }) => placeKey(dungeon, place)),
  );

  constructor(private readonly voice: Voice) {}

  /** A new question, or none. */
  ask(ask: AskYou | undefined, view: Table | undefined): void {
    this.choices = ask && view ? choicesOf(ask.legal, view) : noChoices;
    this.advised = false;
    this.clear();
  }

  clear(): void {
    this.building = undefined;
    this.aimed = undefined;
    this.touched = undefined;
    this.proposed = undefined;
    this.menu = [];
  }

  /** Looks at what is at the key, without doing it. */
  aim(key: Key | undefined): void {
    if (this.touched) return;
    const [first] = key ? answersAt(this.choices, key, this.building) : [];
    this.look(first ?? this.only ?? this.proposed);
  }

  /** Looks at an answer. */
  look(index: number | undefined): void {
    if (index === this.aimed) return;
    this.aimed = index;
    if (index !== undefined) this.voice.preview(index);
  }

  /** Chooses what is at the key. A finger looks first and does it with the second touch. */
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
    if (finger && this.touched !== key) {
      this.touched = key;
      this.look(first);
      return;
    }
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

  /** Does what is looked at. */
  confirm(): void {
    if (this.aimed !== undefined) this.give(this.aimed);
  }

  /** Lights up an answer as if it had been chosen half way. */
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
