"""Tables that the tests play at: every deck, every ruleset with every number of players."""

from __future__ import annotations

from typing import Any

import lair_env


def every_table() -> list[dict[str, Any]]:
    """Each deck with each ruleset and number of players that can be dealt, thinned out: every deck
    and every pair of ruleset and number is among them."""
    pairs: set[tuple[str, int]] = set()
    tables = []
    for n, deck in enumerate(lair_env.decks()):
        found = list(dealable(deck))
        new = [table for table in found if (table["ruleset"], table["players"]) not in pairs]
        pairs |= {(table["ruleset"], table["players"]) for table in found}
        tables += new or [found[n % len(found)]]
    variants = [{"players": 3, "variants": [name]} for name in lair_env.variants()]
    mixes = [{"deck": "bmr+crl+vov"}, {"deck": "rmb+thk+sbm", "players": 3}]
    return tables + variants + mixes


def dealable(deck: str) -> list[dict[str, Any]]:
    tables = []
    for ruleset in lair_env.rulesets():
        for players in range(1, 7):
            table = {"deck": deck, "ruleset": ruleset, "players": players}
            try:
                lair_env.Game(**table)
            except lair_env.LairError:
                continue
            tables.append(table)
    return tables


def named(table: dict[str, Any]) -> str:
    return "-".join(str(value) for value in table.values())
