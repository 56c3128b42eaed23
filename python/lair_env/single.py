"""The Gymnasium environment: one seat of a table, bots in the others; or a game for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ._core import Bot, Game, IllegalAction
from .setup import one_of, opponents_of, setup_of
from .spaces import action_space, observation_space


class LairEnv(gymnasium.Env[npt.NDArray[np.float32], np.int64]):
    """One seat of a game of Lair.

    `opponent` is a bot for every other seat, or a list of one for each, the seat after yours first.
    `seat` is yours, counted from 0; `None` takes another one each game. `illegal` says what an
    illegal action does: `lose` ends the game with reward -1, `raise` is an exception. A number that
    is no action at all always is one.

    The reward is 1 for winning, and the players who lose share -1; `reward="score"` also gives a
    tenth of what your souls less wounds have grown by, less the others' average. By the rules for
    one it is what the score has grown by.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        players: int | None = None,
        deck: str | None = None,
        ruleset: str | None = None,
        variants: Sequence[str] | str = (),
        last_turn: int | None = None,
        cover: bool = False,
        opponent: str | Sequence[str] = "random",
        seat: int | None = None,
        reward: str = "win",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        one_of("render_mode", render_mode, (None, "ansi", "rgb_array"))
        one_of("reward", reward, ("win", "score"))
        one_of("illegal", illegal, ("lose", "raise"))
        self.render_mode = render_mode
        self.game = Game(**setup_of(players, deck, ruleset, variants, last_turn, cover))
        self.opponents = opponents_of(opponent, seat, self.game.players)
        for name in self.opponents:
            Bot(name)
        self._fixed_seat = seat
        self._reward, self._illegal = reward, illegal
        self._bots: dict[int, Bot] = {}
        self._scores: list[int] = []
        self._done = True
        self.seat = 0
        self._counts = reward == "score" or self.game.players == 1
        self.action_space = action_space(self.game)
        self.observation_space = observation_space(self.game)

    def observation_names(self) -> list[str]:
        """What each number of an observation is."""
        return self.game.observation_names()

    def action_names(self) -> list[str]:
        """What each action is."""
        return self.game.action_names()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions, as MaskablePPO asks for them."""
        return self.game.action_mask()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Deals a game and lets the bots play until you are asked."""
        super().reset(seed=seed)
        while True:
            self.game.reset(self._number())
            fixed = self._fixed_seat
            random_seat = int(self.np_random.integers(self.game.players))
            self.seat = random_seat if fixed is None else fixed
            others = [(self.seat + k) % self.game.players for k in range(1, self.game.players)]
            self._bots = {
                other: Bot(name, self._number())
                for other, name in zip(others, self.opponents, strict=True)
            }
            self._let_bots_play(self.game.seat)
            if not (self.game.over or self.game.endless):
                break
        if self._counts:
            self._scores = self._scores_now()
        self._done = False
        return self._seen()

    def step(
        self, action: np.int64 | int
    ) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Your action, and then the bots' until you are asked again."""
        if self._done:
            raise gymnasium.error.ResetNeeded("no game is in progress: reset the environment first")
        try:
            asked = self.game.step(action)
        except IllegalAction:
            if self._illegal == "raise" or not 0 <= action < self.game.n_actions:
                raise
            self._done = True
            observation, info = self._seen()
            return observation, -1.0, True, False, info | {"illegal_action": True}
        over = self._let_bots_play(asked) is None
        truncated = self.game.endless and not over
        self._done = over or truncated
        observation, info = self._seen()
        return observation, self._rewarded(over), over, truncated, info

    def render(self) -> Any:
        """The table as you see it."""
        if self.render_mode is None:
            gymnasium.logger.warn("no render mode was chosen: make the environment with one")
        if self.render_mode == "ansi":
            return self.game.render_text(self.seat)
        if self.render_mode == "rgb_array":
            return self.game.render_picture(self.seat)
        return None

    def _number(self) -> int:
        return int(self.np_random.integers(2**63))

    def _let_bots_play(self, asked: int | None) -> int | None:
        while asked is not None and asked != self.seat and not self.game.endless:
            asked = self.game.bot_step(self._bots[asked])
        return asked

    def _scores_now(self) -> list[int]:
        return [s - w for s, w in zip(self.game.souls, self.game.wounds, strict=True)]

    def _rewarded(self, over: bool) -> float:
        reward = self.game.returns()[self.seat] if over and self.game.players > 1 else 0.0
        if not self._counts:
            return reward
        now = self._scores_now()
        grown = [new - old for new, old in zip(now, self._scores, strict=True)]
        self._scores = now
        if self.game.players == 1:
            return float(grown[0])
        others = sum(grown) - grown[self.seat]
        return reward + (grown[self.seat] - others / (self.game.players - 1)) / 10

    def _seen(self) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        observation, mask = self.game.look(self.seat)
        info: dict[str, Any] = {"action_mask": mask}
        if self.game.over:
            info |= {"winner": self.game.winner, "ending": self.game.ending}
            if self.game.title is not None:
                info["title"] = self.game.title
        return observation, info
