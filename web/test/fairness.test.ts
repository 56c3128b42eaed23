import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { ShufflePart, type ProvenRecord } from "../src/fairness/part";
import { holds, playerCommitment } from "../src/fairness/proof";
import type { ContributionState, TableInfo, You } from "../src/gen/wire";

/** Another hash than the one that is tested. */
function sha256(domain: string, ...parts: string[]): string {
  const bytes = parts.map((part) => Buffer.from(part, "hex"));
  return createHash("sha256")
    .update(Buffer.concat([Buffer.from(domain), ...bytes]))
    .digest("hex");
}

const NOTHING = "00".repeat(32);
const secret = "01".repeat(32);
const promised = sha256("lair server 2", secret);

/** A record to which this browser's bytes were added, and another player's commitment. */
function record(bytes: string | undefined): ProvenRecord & Required<Pick<ProvenRecord, "fairness">> {
  const other = { commitment: sha256("lair player 2", "03".repeat(32)) };
  const mine = bytes === undefined ? {} : { commitment: sha256("lair player 2", bytes), bytes };
  const players: { commitment?: string; bytes?: string }[] = [mine, other, {}];
  const parts = players.flatMap(({ commitment, bytes }) => [commitment ?? NOTHING, bytes ?? NOTHING]);
  const seed = sha256("lair shuffle 2", secret, ...parts);
  return {
    setup: `--players 3 --deck bmr --seed ${seed}`,
    fairness: { commitment: promised, secret, players },
  };
}

describe("the proof of a shuffle", () => {
  it("agrees with the documented example", () => {
    expect(playerCommitment("02".repeat(32))).toBe(
      "859210d088e8b323c5070bb32e7d3f211f564f570a1f94782dd47efe315f5442",
    );
    expect(promised).toBe("1414447f896d64f9a5199871a7c716255aab11c76f3841d0e480042704cb457a");
    const seed = "e56599b96b29217a48117bd0da6c702695f4c2c290ac2ad11f03656b3990e329";
    expect(holds(record("02".repeat(32)).fairness, seed)).toBe(true);
  });

  it("is worked out, not believed", () => {
    const { fairness, setup } = record("02".repeat(32));
    const seed = setup.slice(-64);
    expect(holds({ ...fairness, secret: NOTHING }, seed)).toBe(false);
    expect(holds({ ...fairness, commitment: NOTHING }, seed)).toBe(false);
    expect(holds({ ...fairness, players: [...fairness.players].reverse() }, seed)).toBe(false);
    expect(holds({ ...fairness, players: fairness.players.slice(0, 2) }, seed)).toBe(false);
    const [first, ...others] = fairness.players;
    expect(holds({ ...fairness, players: [{ ...first, bytes: secret }, ...others] }, seed)).toBe(false);
    expect(holds(fairness, NOTHING)).toBe(false);
  });
});

describe("this browser's part", () => {
  const you = (seat?: number) => ({ name: "Anna", ...(seat ? { seat } : {}) }) as You;
  const open = { state: "open", commitment: promised } as TableInfo;
  const shuffling = (commitment: string, state: ContributionState = "waiting") =>
    ({ ...open, shuffle: [{ seat: 1, commitment, state }] }) as TableInfo;
  beforeEach(() => localStorage.clear());

  it("is revealed when everybody has committed, and found in the record", () => {
    const part = new ShufflePart("t");
    expect(part.hear(open, you(1))).toBeUndefined();
    const bytes = part.hear(shuffling(part.commitment), you(1));
    expect(bytes).toMatch(/^[0-9a-f]{64}$/);
    expect(playerCommitment(bytes ?? "")).toBe(part.commitment);
    expect(part.hear(shuffling(part.commitment, "revealed"), you(1))).toBeUndefined();
    expect(part.check(record(bytes), true)).toBe("checked");
    expect(part.check(record(undefined), true)).toBe("left_out");
  });

  it("is kept through a reload, and is another one at another table", () => {
    const part = new ShufflePart("t");
    part.hear(open, you(1));
    expect(new ShufflePart("u").commitment).not.toBe(part.commitment);
    const again = new ShufflePart("t");
    expect(again.commitment).toBe(part.commitment);
    expect(again.hear(shuffling(part.commitment), you(1))).toBeDefined();
    for (let n = 0; n < 40; n += 1) new ShufflePart(`table ${n}`);
    expect(localStorage.getItem("lair.shuffles")?.length).toBeLessThan(8_000);
    expect(new ShufflePart("t").commitment).not.toBe(part.commitment);
  });

  it("is not revealed to a server that has changed its mind, nor for somebody else", () => {
    const part = new ShufflePart("t");
    part.hear(open, you(1));
    expect(part.hear({ ...shuffling(part.commitment), commitment: NOTHING }, you(1))).toBeUndefined();
    expect(part.hear(shuffling(NOTHING), you(1))).toBeUndefined();
    expect(part.hear(shuffling(part.commitment), you(2))).toBeUndefined();
    expect(part.hear(shuffling(part.commitment), you())).toBeUndefined();
  });

  it("warns if the promise was broken, and says what it does not know", () => {
    const part = new ShufflePart("t");
    const { setup, fairness } = record(undefined);
    expect(part.check({ setup }, true)).toBe("continued");
    expect(part.check({ setup, fairness }, false)).toBe("later");
    part.hear({ ...open, commitment: NOTHING }, you());
    expect(part.check({ setup, fairness }, false)).toBe("changed");
    expect(part.check({ setup }, false)).toBe("missing");
    const watching = new ShufflePart("u");
    watching.hear(open, you());
    expect(watching.check({ setup, fairness }, false)).toBe("watched");
    expect(watching.check({ setup, fairness }, true)).toBe("without");
    expect(watching.check({ setup: "--seed 5", fairness }, true)).toBe("wrong");
    expect(watching.check({ setup, fairness: { ...fairness, secret: NOTHING } }, true)).toBe("wrong");
  });
});
