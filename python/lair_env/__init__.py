"""Lair, a digital Boss Monster, as environments for learning.

    import lair_env

    env = lair_env.env(players=4, deck="mash-up")       # PettingZoo, one agent for each seat
    env = gymnasium.make("lair/Duel-v0", opponent="boss")  # Gymnasium, one seat against bots
    env = gymnasium.make("lair/Solo-v0")                   # Gymnasium, a game for one

docs/python.md explains actions, observations and rewards.
"""

from ._core import (
    Batch,
    Bot,
    Game,
    GameOver,
    IllegalAction,
    LairError,
    decks,
    levels,
    rulesets,
    variants,
)
from .aec import LairAEC, env, raw_env
from .ids import register
from .records import load_record, save_record
from .single import LairEnv
from .vector import LairVectorEnv

__all__ = [
    "Batch",
    "Bot",
    "Game",
    "GameOver",
    "IllegalAction",
    "LairAEC",
    "LairEnv",
    "LairError",
    "LairVectorEnv",
    "decks",
    "env",
    "levels",
    "load_record",
    "raw_env",
    "register",
    "rulesets",
    "save_record",
    "variants",
]

register()
