"""PettingZoo's own suites, and what they do not ask."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from tables import named

import lair_env

TABLES = [
    {},
    {"players": 4, "deck": "mash-up"},
    {"players": 6, "deck": "rmb-crl", "ruleset": "crash"},
    {"players": 3, "ruleset": "super"},
    {"ruleset": "solo"},
    {"ruleset": "challenge"},
    {"players": 5, "deck": "everything", "variants": "unlimited-lives"},
]


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_api(table):
    api_test(lair_env.env(**table), num_cycles=200)
    api_test(lair_env.raw_env(**table), num_cycles=200)


@pytest.mark.parametrize("table", TABLES[:4], ids=named)
def test_seeds(table):
    seed_test(lambda: lair_env.env(**table), num_cycles=150)


def played(env, seed):
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    dice = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        done = terminated or truncated
        mask = observation["action_mask"]
        env.step(None if done else int(dice.choice(np.flatnonzero(mask))))
    return total


def test_the_winner_gets_what_the_others_lose():
    env = lair_env.env(players=4)
    for seed in range(5):
        total = played(env, seed)
        assert sorted(total.values()) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1])
        assert total[f"p{env.unwrapped.game.winner + 1}"] == 1


def test_alone_the_rewards_add_up_to_the_score():
    env = lair_env.raw_env(ruleset="solo")
    for seed in range(5):
        total = played(env, seed)
        assert total["p1"] == env.game.returns()[0]


def test_games_after_a_seed_differ_and_repeat():
    env = lair_env.raw_env()
    env.reset(seed=4)
    first = env.game.setup
    env.reset()
    second = env.game.setup
    env.reset(seed=4)
    assert first != second and env.game.setup == first
    env.reset()
    assert env.game.setup == second


def test_rendering():
    env = lair_env.raw_env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert "souls" in text and "hand:" in text and "\x1b" not in text
    env = lair_env.raw_env(render_mode="rgb_array", players=4)
    env.reset(seed=1)
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 4
    with pytest.raises(ValueError, match="ansi"):
        lair_env.raw_env(render_mode="human")


def test_bots_can_play_for_agents():
    env = lair_env.raw_env(players=2)
    env.reset(seed=2)
    bots = {agent: lair_env.Bot("minion", seed) for seed, agent in enumerate(env.agents)}
    for agent in env.agent_iter():
        *_, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else env.bot_action(bots[agent]))
    assert env.game.winner in (0, 1)
