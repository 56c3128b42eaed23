/**
 * This browser's part in the shuffle of a table: it commits to bytes of its own, reveals them when everybody has
 * committed, and checks the record when the game is over.
 *
 * Invariant: nothing is revealed to a server that no longer shows the commitment it showed first.
 */
import type { TableInfo, You } from "../gen/wire";
import { holds, playerCommitment, type Proof } from "./proof";

/** What is kept through reloads, and shared by tabs. */
interface Kept {
  bytes: string;
  /** What the server had committed to when the table was first seen, before the start. */
  promised?: string;
  /** The bytes were asked for and sent. */
  revealed?: boolean;
}

/** As much of a record as the check needs. */
export interface ProvenRecord {
  setup: string;
  fairness?: Proof;
}

export type Finding =
  /** Secret and seed are right, and so is this browser's part. */
  | "checked"
  /** Secret and seed are right; this browser only watched. */
  | "watched"
  /** The same, but this browser's part is not in it: it was not connected, or another device took part. */
  | "without"
  /** This browser came later; the record at least agrees with itself. */
  | "later"
  /** The game continues another one. */
  | "continued"
  /** The record does not prove its shuffle. */
  | "missing"
  /** The hashes do not match. */
  | "wrong"
  /** The server did not keep its promise. */
  | "changed"
  /** This browser revealed its part, and it is not in the record. */
  | "left_out";

export const WARNINGS: readonly Finding[] = ["missing", "wrong", "changed", "left_out"];

const STORED = "lair.shuffles";
/** How many tables are kept; the oldest is forgotten first. */
const MOST = 30;

export class ShufflePart {
  private kept: Kept;
  readonly commitment: string;

  constructor(
    private readonly table: string,
    private readonly storage = browserStorage(),
  ) {
    this.kept = this.stored()[table] ?? { bytes: randomHex(32) };
    this.commitment = playerCommitment(this.kept.bytes);
    this.keep({});
  }

  /** Takes note of what the server says about the table; returns the bytes if it is time to reveal them. */
  hear(table: TableInfo, you: You): string | undefined {
    if (!this.kept.promised && table.state === "open" && !table.shuffle) {
      this.keep({ promised: table.commitment });
    }
    const mine = table.shuffle?.find(({ seat }) => seat === you.seat);
    const asked = mine?.state === "waiting" && mine.commitment === this.commitment;
    if (!asked || this.kept.promised !== table.commitment) return undefined;
    this.keep({ revealed: true });
    return this.kept.bytes;
  }

  /** What this browser can say about the shuffle of the finished game. */
  check({ setup, fairness }: ProvenRecord, seated: boolean): Finding {
    const { bytes, promised, revealed } = this.kept;
    if (!fairness) return promised ? "missing" : "continued";
    const seed = /--seed ([0-9a-f]{64})(?: |$)/.exec(setup)?.[1];
    if (!seed || !holds(fairness, seed)) return "wrong";
    if (!promised) return "later";
    if (fairness.commitment !== promised) return "changed";
    if (!revealed) return seated ? "without" : "watched";
    return fairness.players.some((player) => player.bytes === bytes) ? "checked" : "left_out";
  }

  private keep(more: Partial<Kept>): void {
    this.kept = { ...this.kept, ...more };
    const others = Object.entries(this.stored()).filter(([table]) => table !== this.table);
    const all = [...others, [this.table, this.kept] as const].slice(-MOST);
    try {
      this.storage?.setItem(STORED, JSON.stringify(Object.fromEntries(all)));
    } catch {
      // Without storage it lasts until the page is closed.
    }
  }

  private stored(): Readonly<Record<string, Kept | undefined>> {
    try {
      return JSON.parse(this.storage?.getItem(STORED) ?? "{}") as Record<string, Kept | undefined>;
    } catch {
      return {};
    }
  }
}

/** Reading the property throws where a browser forbids storage. */
function browserStorage(): Pick<Storage, "getItem" | "setItem"> | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
