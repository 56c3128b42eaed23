/** The proof of a shuffle, worked out here: nobody has to believe the server. */
import type { FairShuffle } from "../../gen/wire";

export type Finding = "fair" | "unfair" | "unknown";

/** What goes before the secret when all is hashed together. */
const PREFIX = "lair shuffle 1";

export async function checkShuffle(shuffle: FairShuffle): Promise<Finding> {
  // Browsers keep their hashes for pages that came safely.
  if (!globalThis.crypto?.subtle) return "unknown";
  const secret = bytes(shuffle.secret);
  const all = [new TextEncoder().encode(PREFIX), secret, ...shuffle.entropy.map(bytes)];
  const promised = (await hash([secret])) === shuffle.commitment;
  const followed = (await hash(all)) === shuffle.seed;
  return promised && followed ? "fair" : "unfair";
}

/** Zeros: this seat's client added nothing. */
export function isNothing(entropy: string): boolean {
  return /^0*$/.test(entropy);
}

async function hash(parts: readonly Uint8Array[]): Promise<string> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}
