/** Which card is inspected: hovered for a moment, long-pressed, or focused. */
export interface Inspected {
  face: number;
  /** Where it is, so that the large card does not cover it. */
  rect: DOMRect;
  /** Long-pressed: stays until it is closed. */
  held: boolean;
}

const HOVER_MS = 450;
const PRESS_MS = 450;
const NEAR = 10;

export class Inspector {
  card: Inspected | undefined = $state.raw();
  private timer?: ReturnType<typeof setTimeout>;
  private from?: { x: number; y: number };
  /** Where the pointer was last. */
  private last?: { x: number; y: number };
  /** Where the pointer has been since a click, or since something moved under it: that is not hovering. */
  private rests?: { x: number; y: number };
  private pressed = false;
  private touch = false;

  over = (event: PointerEvent): void => {
    if (event.pointerType === "touch") return;
    if (far(event, this.last) === 0) {
      this.rests = this.last;
      this.dismiss();
    }
    if (!this.rests || far(event, this.rests) > NEAR) this.soon(event.target, HOVER_MS, false);
  };

  focus = (event: FocusEvent): void => {
    if (this.touch) return;
    if (event.target instanceof Element && event.target.matches(":focus-visible"))
      this.soon(event.target, HOVER_MS, false);
  };

  down = (event: PointerEvent): void => {
    this.pressed = false;
    this.touch = event.pointerType === "touch";
    this.close();
    if (!this.touch) {
      this.rests = { x: event.clientX, y: event.clientY };
      return;
    }
    this.from = { x: event.clientX, y: event.clientY };
    this.soon(event.target, PRESS_MS, true);
  };

  move = (event: PointerEvent): void => {
    this.last = { x: event.clientX, y: event.clientY };
    if (this.from && far(event, this.from) > NEAR) this.forget();
    if (this.rests && far(event, this.rests) > NEAR) {
      this.rests = undefined;
      if (event.pointerType !== "touch") this.soon(event.target, HOVER_MS, false);
    }
  };

  up = (): void => {
    if (this.touch) this.forget();
  };

  /** The keyboard is in use: inspect what has the focus. */
  keys = (): void => {
    this.touch = false;
  };

  /** Ignores the click after a long press. */
  click = (event: MouseEvent): void => {
    if (!this.pressed) return;
    this.pressed = false;
    event.stopPropagation();
    event.preventDefault();
  };

  /** The menu a long press would bring up. */
  menu = (event: MouseEvent): void => {
    if (this.touch) event.preventDefault();
  };

  close = (): void => {
    this.forget();
    this.card = undefined;
  };

  /** Closes the card, unless it was long-pressed. */
  dismiss = (): void => {
    if (!this.card?.held) this.close();
  };

  private forget(): void {
    clearTimeout(this.timer);
    this.from = undefined;
  }

  private soon(target: EventTarget | null, ms: number, held: boolean): void {
    clearTimeout(this.timer);
    const node = target instanceof Element ? target.closest<HTMLElement>("[data-face]") : null;
    const face = node?.dataset["face"];
    // On a place to build, the dungeon is of interest, not the card.
    const building = node?.dataset["key"]?.startsWith("place:");
    if (!node || face === undefined || building) {
      if (!this.card?.held) this.card = undefined;
      return;
    }
    this.timer = setTimeout(() => {
      this.pressed = held;
      this.card = { face: Number(face), rect: node.getBoundingClientRect(), held };
    }, ms);
  }
}

function far(event: PointerEvent, from: { x: number; y: number } | undefined): number {
  return from ? Math.hypot(event.clientX - from.x, event.clientY - from.y) : Infinity;
}
