"""What all environments say about numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ._core import Game

MOST = 100.0
"""No number of an observation is larger: most are around 1."""


def masked(game: Game) -> npt.NDArray[Any]:
    """The legal actions of the seat that is asked, as spaces want them: 1 or 0."""
    return game.action_mask().view(np.int8)
