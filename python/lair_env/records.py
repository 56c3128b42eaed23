"""Games as files: the same that `lair verify` and `lair replay` read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ._core import Game


def save_record(
    game: Game, path: str | os.PathLike[str], names: Sequence[tuple[str, str]] | None = None
) -> None:
    """Writes the game's record.

    `names` says who sat there, seat by seat: a name, and `person` or the kind of bot.
    """
    Path(path).write_text(game.record(None if names is None else list(names)), encoding="utf-8")


def load_record(path: str | os.PathLike[str]) -> Game:
    """The recorded game at its deal. `game.advance()` gives the recorded answers one by one,
    and says how many are left; `game.step(action)` leaves the record and plays on."""
    return Game.from_record(Path(path).read_text(encoding="utf-8"))
