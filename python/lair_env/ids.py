"""The names by which `gymnasium.make` knows the environments."""

from __future__ import annotations

from typing import Any

from gymnasium.envs.registration import register as add
from gymnasium.envs.registration import registry

IDS: dict[str, dict[str, Any]] = {
    "lair/Duel-v0": {"players": 2, "deck": "bmr"},
    "lair/Table-v0": {"players": 4, "deck": "bmr"},
    "lair/Super-v0": {"players": 2, "ruleset": "super"},
    "lair/Solo-v0": {"ruleset": "solo"},
    "lair/Challenge-v0": {"ruleset": "challenge"},
}
"""Each with what it settles; `gymnasium.make` takes every keyword of `LairEnv` besides."""


def register() -> None:
    """Makes the environments known; importing `lair_env` does this."""
    for name, settings in IDS.items():
        if name not in registry:
            add(
                id=name,
                entry_point="lair_env.single:LairEnv",
                vector_entry_point="lair_env.vector:LairVectorEnv",
                kwargs=settings,
            )
