/** The other end of a table that is no server's: the tutorial's, or a puzzle's. */
import type { ClientMsg, ServerMsg } from "../gen/wire";
import type { Wire } from "./socket";

export abstract class LocalWire implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  readonly quiet = true;

  constructor() {
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string): void {
    this.hear(JSON.parse(text) as ClientMsg);
  }

  close(): void {
    this.onmessage = null;
  }

  protected abstract hear(message: ClientMsg): void;

  protected tell(message: ServerMsg): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
