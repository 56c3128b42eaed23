"""The PettingZoo environment: one agent for each seat, asked one after the other."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from ._core import Bot, Game, IllegalAction
from .setup import one_of, setup_of
from .spaces import action_space, observation_space

Observation = dict[str, Any]


class LairAEC(AECEnv[str, Observation, int]):  # type: ignore[misc, unused-ignore]
    """A game of Lair. Agents are `p1`, `p2`, ... in the order of seats.

    The winner gets 1 and the others lose that together; by the rules for one, the reward is what
    the score has grown by. `illegal` says what an illegal action does: `raise` is an exception,
    `lose` ends the game with reward -1.

    PettingZoo's wrappers for illegal actions and for the order of calls are not needed: what they
    check is checked here, where it costs next to nothing.
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
        illegal: str = "raise",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        one_of("render_mode", render_mode, (None, "ansi", "rgb_array"))
        one_of("illegal", illegal, ("lose", "raise"))
        self.render_mode = render_mode
        self.game = Game(**setup_of(players, deck, ruleset, variants, last_turn, cover))
        self.possible_agents = [f"p{seat + 1}" for seat in range(self.game.players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._illegal = illegal
        self._alone = self.game.players == 1
        self._random = random.Random()
        # Counts resets and steps: a loop that does neither would never end.
        self._moves = 0
        self.action_spaces = {agent: action_space(self.game) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": observation_space(self.game),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.game.n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def __getattr__(self, name: str) -> Any:
        """Reached only by what the first `reset` brings, and by what there is not."""
        if name in ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos"):
            raise AttributeError(f"there is no {name} yet: reset the environment first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The numbers that the agent sees, and its action mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """All actions, legal or not."""
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
            number = index(seed)
            if number < 0:
                raise ValueError(f"the seed is {seed}: seeds are whole numbers from 0 on")
            self._random.seed(number)
        self.game.reset(self._random.getrandbits(63))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._score = self._points()
        self._moves += 1
        self._ask(self.game.seat, self.agents[0])

    def observe(self, agent: str) -> Observation:
        """What the agent sees; its mask is empty while another agent is asked."""
        self._must_be_dealt()
        observation, mask = self.game.look(self._seat[agent])
        return {"observation": observation, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The selected agent's action; None once it has terminated."""
        self._must_be_dealt()
        self._moves += 1
        if not self.agents:
            gymnasium.logger.warn("the game is over and all agents are done: reset the environment")
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is asked for an action: None is for agents that are done")
        try:
            asked = self.game.step(action)
        except IllegalAction:
            if self._illegal == "raise" or not 0 <= action < self.game.n_actions:
                raise
            self._forfeit(agent)
            return
        self._cumulative_rewards[agent] = 0.0
        if self._alone:
            score = self._points()
            reward = self.rewards[agent] = float(score - self._score)
            self._cumulative_rewards[agent] = reward
            self._score = score
        self._ask(asked, agent)

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents in the order in which they are asked; step in each round of the loop."""
        self._must_be_dealt()
        for _ in range(max_iter):
            if not self.agents:
                return
            moves = self._moves
            yield self.agent_selection
            if moves == self._moves:
                raise RuntimeError("a loop over agent_iter must call step or reset in each round")

    def bot_action(self, bot: Bot) -> int:
        """What the bot would do for the agent that is asked."""
        return bot.choose(self.game)

    def render(self) -> Any:
        """The table as the agent that is asked sees it, or in a finished game a spectator."""
        self._must_be_dealt()
        if self.render_mode is None:
            gymnasium.logger.warn("no render mode was chosen: make the environment with one")
            return None
        if self.render_mode == "ansi":
            return self.game.render_text(self.game.seat)
        return self.game.render_picture(self.game.seat)

    def close(self) -> None:
        """Nothing is left open."""

    def _must_be_dealt(self) -> None:
        if not self._moves:
            raise gymnasium.error.ResetNeeded("no game has been dealt: reset the environment first")

    def _points(self) -> int:
        return self.game.souls[0] - self.game.wounds[0]

    def _ask(self, seat: int | None, agent: str) -> None:
        """The next agent; in a finished game the one that acted last."""
        if seat is None:
            self.agent_selection = agent
            if not self._alone:
                self._reward(dict(zip(self.possible_agents, self.game.returns(), strict=True)))
            self.terminations = dict.fromkeys(self.agents, True)
            return
        self.agent_selection = self.possible_agents[seat]
        if self.game.endless:
            self.truncations = dict.fromkeys(self.agents, True)

    def _forfeit(self, agent: str) -> None:
        """The agent has lost by an illegal action."""
        gymnasium.logger.warn(f"{agent} took an illegal action: the game ends, {agent} gets -1")
        self._cumulative_rewards[agent] = 0.0
        self._reward(dict.fromkeys(self.agents, 0.0) | {agent: -1.0})
        self.terminations = dict.fromkeys(self.agents, True)

    def _reward(self, rewards: dict[str, float]) -> None:
        self.rewards = rewards
        self._accumulate_rewards()


def raw_env(**settings: Any) -> LairAEC:
    """The environment; an illegal action is an exception."""
    return LairAEC(**settings)


def env(**settings: Any) -> LairAEC:
    """The environment; an illegal action ends the game with -1 for the agent that took it."""
    return LairAEC(**{"illegal": "lose"} | settings)
