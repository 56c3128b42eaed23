#!/usr/bin/env python3
"""Checks that nobody chose the shuffle of a recorded game, with the standard library alone.

    python3 verify.py record.json [commitment]

The record comes from a server's /record/{id}, the commitment is what the server showed before the game.
docs/protocol.md, section 6, has the steps. `lair verify` also checks that the cards follow from the seed.
"""

import hashlib
import json
import re
import sys

NOTHING = bytes(32)


def sha256(domain, *parts):
    return hashlib.sha256(domain.encode() + b"".join(parts)).digest()


def problems(record, shown=None):
    """What is wrong with the shuffle, one sentence each; none if it is fair."""
    fairness = record.get("fairness")
    if fairness is None:
        yield "the record does not prove its shuffle: it has no fairness part"
        return
    secret, promised = bytes.fromhex(fairness["secret"]), fairness["commitment"]
    if shown is not None and promised != shown.lower():
        yield f"the server promised {shown}, but the record has {promised}"
    if sha256("lair server 2", secret).hex() != promised:
        yield "the server's secret is not the one it committed to"
    if len(fairness["players"]) != len(record["seats"]):
        yield "there is not one contribution for each seat"
    parts = [secret]
    for seat, player in enumerate(fairness["players"], start=1):
        commitment, added = (bytes.fromhex(player.get(key, "")) for key in ("commitment", "bytes"))
        if added and sha256("lair player 2", added) != commitment:
            yield f"seat {seat} did not add what it had committed to"
        parts += [commitment or NOTHING, added or NOTHING]
    seed = re.search(r"--seed ([0-9a-f]{64})(?: |$)", record["setup"])
    if seed is None or sha256("lair shuffle 2", *parts).hex() != seed.group(1):
        yield "the seed does not follow from the secret and what the players added"


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        found = list(problems(json.load(file), *sys.argv[2:]))
    sys.exit("\n".join(found) or print("The shuffle is fair."))
