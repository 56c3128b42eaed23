"""Many games at once, stepped on several threads without the interpreter lock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._core import Batch, Game
from .setup import one_of, opponents_of, setup_of
from .spaces import action_space, observation_space

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


class LairVectorEnv(VectorEnv[Floats, npt.NDArray[np.int64], Flags]):
    """One seat against bots in each of many games. A game that ends is followed by the next at
    once (`SAME_STEP`), in which everybody sits one seat further; `seat` keeps you where you are.

    `opponent` and `reward` are those of `LairEnv`. Illegal actions are an exception. `threads` says
    how many threads work, 0 is one for each core.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        players: int | None = None,
        deck: str | None = None,
        ruleset: str | None = None,
        variants: Sequence[str] | str = (),
        last_turn: int | None = None,
        cover: bool = False,
        opponent: str | Sequence[str] = "random",
        seat: int | None = None,
        reward: str = "win",
        threads: int = 0,
    ) -> None:
        one_of("reward", reward, ("win", "score"))
        setup = setup_of(players, deck, ruleset, variants, last_turn, cover)
        players = Game(**setup).players
        seats = [None, *opponents_of(opponent, seat, players)]
        last = players - (seat or 0)
        self.num_envs = num_envs
        self.batch = Batch(
            num_envs,
            opponents=seats[last:] + seats[:last],
            rotate=seat is None,
            threads=threads,
            shaped=reward == "score",
            **setup,
        )
        self.single_action_space = action_space(self.batch)
        self.single_observation_space = observation_space(self.batch)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._masks: Flags
        self._seats: npt.NDArray[np.int64]
        _, self._masks, self._seats, *_ = self.batch.now()

    def action_masks(self) -> Flags:
        """The legal actions of every game."""
        return self._masks

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """New games everywhere; one seed settles all of them, of a list the first."""
        if isinstance(seed, list):
            seed = seed[0] if seed else None
        super().reset(seed=seed)
        start = int(self.np_random.integers(2**63))
        observations, self._masks, self._seats, *_ = self.batch.reset(start)
        return observations, {"action_mask": self._masks}

    def step(  # type: ignore[override]  # rewards are float32, as observations are
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Floats, Floats, Flags, Flags, dict[str, Any]]:
        """One action for each game."""
        before = self._seats
        stepped = self.batch.step(actions)
        observations, self._masks, self._seats, rewards, terminated, truncated, ended = stepped
        infos: dict[str, Any] = {"action_mask": self._masks}
        if ended:
            final = np.full(self.num_envs, None, object)
            for n, last in ended:
                final[n] = last
            infos |= {"final_obs": final, "_final_obs": terminated | truncated}
        mine = rewards[np.arange(self.num_envs), before]
        return observations, mine, terminated, truncated, infos
