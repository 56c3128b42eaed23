/**
 * Checks a shuffle in the browser, so that nobody has to trust the server (docs/protocol.md, section 6). The hash is
 * not the browser's own, which is missing on pages without https, such as those of a game in a local network.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import type { FairContribution } from "../gen/wire";

/** What a record says about its shuffle. */
export interface Proof {
  commitment: string;
  secret: string;
  players: readonly FairContribution[];
}

const NOTHING = "00".repeat(32);

/** How a client commits to its bytes. */
export const playerCommitment = (bytes: string): string => hash("lair player 2", [bytes]);

/** Secret and bytes are those that were committed to, and the seed follows from them. */
export function holds({ commitment, secret, players }: Proof, seed: string): boolean {
  const kept = players.every(
    (player) => player.bytes === undefined || playerCommitment(player.bytes) === player.commitment,
  );
  const parts = players.flatMap(({ commitment, bytes }) => [commitment ?? NOTHING, bytes ?? NOTHING]);
  return (
    kept &&
    hash("lair server 2", [secret]) === commitment &&
    hash("lair shuffle 2", [secret, ...parts]) === seed
  );
}

function hash(domain: string, parts: readonly string[]): string {
  return bytesToHex(sha256(concatBytes(utf8ToBytes(domain), ...parts.map(hexToBytes))));
}
