/** The connection to a table: says hello, and reconnects by itself when it is lost, waiting longer each time. */
import { PROTOCOL, type ClientMsg, type ServerMsg } from "../gen/wire";

export type Line = "connecting" | "open" | "lost" | "closed";

/** The part of a WebSocket that is used; tests bring their own. */
export interface Wire {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  /** It speaks when it has something to say, and silence means nothing. */
  readonly quiet?: boolean;
  send(text: string): void;
  close(): void;
}

export interface SocketOptions {
  url: string;
  /** To what this browser adds to the shuffle. */
  commitment?: string;
  onmessage: (message: ServerMsg) => void;
  online: (line: Line) => void;
  open?: (url: string) => Wire;
  /** Runs `then` later; returns how to cancel it. */
  later?: (then: () => void, ms: number) => () => void;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
/** The server says something every 5 s. Longer silence means that it is stuck, and browsers do not notice by themselves. */
const SILENCE = 12_000;

export function tableUrl(id: string, base: Location = location): string {
  return `${base.protocol === "https:" ? "wss" : "ws"}://${base.host}/api/tables/${encodeURIComponent(id)}/ws`;
}

export class TableSocket {
  private wire?: Wire;
  private wait = FIRST_WAIT;
  private forget?: () => void;
  private unwatch?: () => void;
  private done = false;

  constructor(private readonly options: SocketOptions) {
    this.connect();
  }

  /** `false` if the connection is lost. */
  send(message: ClientMsg): boolean {
    if (!this.wire) return false;
    this.wire.send(JSON.stringify(message));
    return true;
  }

  /** Reconnects now instead of later. */
  retry(): void {
    if (this.done || !this.forget) return;
    this.forget();
    this.connect();
  }

  close(): void {
    this.done = true;
    this.forget?.();
    this.forget = undefined;
    this.unwatch?.();
    const wire = this.wire;
    this.wire = undefined;
    wire?.close();
    this.options.online("closed");
  }

  private connect(): void {
    this.forget = undefined;
    const { url, commitment, onmessage, online } = this.options;
    const wire = (this.options.open ?? ((to) => new WebSocket(to) as Wire))(url);
    wire.onopen = () => {
      this.wire = wire;
      this.send({ type: "hello", protocol: PROTOCOL, ...(commitment ? { commitment } : {}) });
    };
    wire.onmessage = ({ data }) => {
      if (this.done || typeof data !== "string") return;
      this.unwatch?.();
      if (!wire.quiet) this.unwatch = this.later(() => this.giveUp(wire), SILENCE);
      const message = JSON.parse(data) as ServerMsg;
      if (message.type === "beat") return;
      if (message.type === "welcome") {
        this.wait = FIRST_WAIT;
        online("open");
      }
      onmessage(message);
      if (message.type === "bye" && message.code !== "stopping") this.close();
    };
    wire.onclose = () => this.lost();
  }

  /** A stuck server does not answer the closing, so it is not waited for. */
  private giveUp(wire: Wire): void {
    wire.onmessage = wire.onclose = null;
    wire.close();
    this.lost();
  }

  private lost(): void {
    this.wire = undefined;
    this.unwatch?.();
    if (this.done) return;
    this.options.online("lost");
    const wait = this.wait * (0.75 + Math.random() / 2);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    this.forget = this.later(() => this.connect(), wait);
  }

  private later(then: () => void, ms: number): () => void {
    return (this.options.later ?? later)(then, ms);
  }
}

function later(then: () => void, ms: number): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}
