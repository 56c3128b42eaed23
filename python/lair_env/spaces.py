"""The spaces of actions and observations."""

from __future__ import annotations

import gymnasium
import numpy as np

from ._core import Batch, Game

MOST = 100.0
"""No number of an observation is larger: most are around 1."""


def action_space(game: Game | Batch) -> gymnasium.spaces.Discrete:
    """All actions, legal or not."""
    return gymnasium.spaces.Discrete(game.n_actions)


def observation_space(game: Game | Batch) -> gymnasium.spaces.Box[np.float32]:
    """The numbers that a seat sees."""
    return gymnasium.spaces.Box(-MOST, MOST, (game.n_observations,), np.float32)
