/** The keyboard at the table. */
export interface Keys {
  pass(): void;
  passOn(): void;
  arm(button: Element | null): void;
  undo(): void;
  hint(): void;
  hold(): void;
  list(): void;
  help(): void;
  text(): void;
  log(): void;
  skip(): boolean;
  cancel(): void;
  /** Enter, pressed on a button or not; false leaves it to the button. */
  confirm(button: Element | null): boolean;
  digit(digit: number): void;
  /** To the next or the previous of what can be chosen. */
  step(by: 1 | -1): void;
}

export function pressed(event: KeyboardEvent, keys: Keys): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target;
  if (target instanceof Element && target.closest("input, textarea, select, dialog")) return;
  const button = target instanceof Element ? target.closest("button, a, summary") : null;
  const handled = handle(event.key, button, keys);
  if (handled) event.preventDefault();
}

function handle(key: string, button: Element | null, keys: Keys): boolean {
  switch (key) {
    case " ":
      return keys.skip();
    case "Enter":
      return keys.confirm(button);
    case "ArrowRight":
    case "ArrowDown":
      keys.step(1);
      return true;
    case "ArrowLeft":
    case "ArrowUp":
      keys.step(-1);
      return true;
    case "Escape":
      keys.cancel();
      return true;
    case "?":
      keys.help();
      return true;
  }
  const letters: Readonly<Record<string, () => void>> = {
    p: () => keys.pass(),
    n: () => keys.passOn(),
    a: () => keys.arm(button),
    u: () => keys.undo(),
    h: () => keys.hint(),
    o: () => keys.hold(),
    c: () => keys.list(),
    t: () => keys.text(),
    l: () => keys.log(),
  };
  const letter = letters[key.toLowerCase()];
  if (letter) {
    letter();
    return true;
  }
  if (/^[1-9]$/.test(key)) {
    keys.digit(Number(key));
    return true;
  }
  return false;
}

/** Shift, held for a moment and with no other key: it is on until it is let go. */
export class HeldShift {
  private timer?: ReturnType<typeof setTimeout>;
  private on = false;

  constructor(private readonly changed: (on: boolean) => void) {}

  down(event: KeyboardEvent): void {
    if (event.repeat) return;
    clearTimeout(this.timer);
    const target = event.target;
    const typing = target instanceof Element && target.closest("input, textarea, select, dialog");
    if (event.key !== "Shift" || typing) return;
    this.timer = setTimeout(() => this.set(true), HELD_MS);
  }

  up(event: KeyboardEvent): void {
    if (event.key === "Shift") this.end();
  }

  end(): void {
    clearTimeout(this.timer);
    this.set(false);
  }

  private set(on: boolean): void {
    if (on !== this.on) this.changed(on);
    this.on = on;
  }
}

/** Longer than it takes to press Shift and Tab. */
const HELD_MS = 250;
