"""The PettingZoo environment: one agent for each seat, asked one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._core import Bot, Game
from .setup import setup_of
from .spaces import MOST, masked

Observation = dict[str, Any]


class LairAEC(AECEnv[str, Observation, int]):  # type: ignore[misc, unused-ignore]
    """A game of Lair. Agents are `p1`, `p2`, ... in the order of seats.

    The winner gets 1 and the others lose that together; by the rules for one, the reward is what
    the score has grown by.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "lair_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        players: int | None = None,
        deck: str | None = None,
        ruleset: str | None = None,
        variants: Sequence[str] | str = (),
        last_turn: int | None = None,
        cover: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render mode {render_mode!r}: use ansi or rgb_array")
        self.render_mode = render_mode
        self.game = Game(**setup_of(players, deck, ruleset, variants, last_turn, cover))
        self.possible_agents = [f"p{seat + 1}" for seat in range(self.game.players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.game.n_actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(
                        -MOST, MOST, (self.game.n_observations,), np.float32
                    ),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.game.n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    def observation_names(self) -> list[str]:
        """What each number of an observation is."""
        return self.game.observation_names()

    def action_names(self) -> list[str]:
        """What each action is."""
        return self.game.action_names()

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a game. Equal seeds give equal games, and equal ones after them."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.game.reset(int(self._random.integers(2**63)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._score = self._alone()
        self.agent_selection = self._asked() or self.agents[0]
        self._end()

    def observe(self, agent: str) -> Observation:
        """The agent's view; its mask is empty while another agent is asked."""
        seat = self._seat[agent]
        asked = self.game.seat == seat
        return {
            "observation": self.game.observe(seat),
            "action_mask": masked(self.game) if asked else np.zeros(self.game.n_actions, np.int8),
        }

    def step(self, action: int | None) -> None:
        """The selected agent's action; None once it has terminated."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is asked for an action: None is for agents that are done")
        self.game.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.game.players == 1:
            score = self._alone()
            self.rewards[agent], self._score = float(score - self._score), score
        self.agent_selection = self._asked() or agent
        self._end()
        self._accumulate_rewards()

    def bot_action(self, bot: Bot) -> int:
        """What the bot would do for the agent that is asked."""
        return bot.choose(self.game)

    def render(self) -> Any:
        """The table as the agent that is asked sees it, or in a finished game a spectator."""
        if self.render_mode is None:
            gymnasium.logger.warn("no render mode was chosen: make the environment with one")
            return None
        if self.render_mode == "ansi":
            return self.game.render_text(self.game.seat)
        return self.game.render_picture(self.game.seat)

    def close(self) -> None:
        """Nothing is left open."""

    def _alone(self) -> int:
        return self.game.souls[0] - self.game.wounds[0]

    def _asked(self) -> str | None:
        seat = self.game.seat
        return None if seat is None else self.possible_agents[seat]

    def _end(self) -> None:
        if self.game.over:
            if self.game.players > 1:
                self.rewards = dict(zip(self.possible_agents, self.game.returns(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.game.endless:
            self.truncations = dict.fromkeys(self.agents, True)


def raw_env(**settings: Any) -> LairAEC:
    """The environment as it is: an illegal action is an exception."""
    return LairAEC(**settings)


def env(**settings: Any) -> AECEnv[str, Observation, int]:
    """The environment with PettingZoo's usual wrappers: an illegal action ends the game with -1."""
    wrapped: AECEnv[str, Observation, int] = raw_env(**settings)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=-1)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)
