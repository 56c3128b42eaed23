"""Gymnasium's own suite, and what it does not ask."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import lair_env
from lair_env.ids import IDS


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_registered_environments_pass_the_checker(name, mode):
    env = gymnasium.make(name, render_mode=mode)
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        check_env(env.unwrapped)


def play(env, seed):
    dice = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    rewards, done = [], False
    while not done:
        action = dice.choice(np.flatnonzero(info["action_mask"]))
        assert env.unwrapped.action_masks()[action]
        _, reward, terminated, truncated, info = env.step(action)
        rewards.append(reward)
        done = terminated or truncated
    return rewards, info


@pytest.mark.parametrize("opponent", ["random", "kobold", "boss", "search:8"])
def test_one_seat_against_bots(opponent):
    env = gymnasium.make("lair/Duel-v0", opponent=opponent)
    rewards, info = play(env, 1)
    assert rewards[-1] == (1 if info["winner"] == env.unwrapped.seat else -1)
    assert not any(rewards[:-1])
    again, _ = play(env, 1)
    assert again == rewards


def test_each_seat_has_its_own_opponent():
    env = gymnasium.make("lair/Table-v0", opponent=["random", "minion", "kobold"], seat=2)
    play(env, 3)
    assert env.unwrapped.seat == 2
    with pytest.raises(ValueError, match="2 opponents for 3 other seats"):
        gymnasium.make("lair/Table-v0", opponent=["random", "minion"])
    with pytest.raises(ValueError, match="there is no bot"):
        gymnasium.make("lair/Table-v0", opponent="dragon")


def test_alone_the_rewards_add_up_to_the_score():
    for name in ("lair/Solo-v0", "lair/Challenge-v0"):
        env = gymnasium.make(name)
        rewards, info = play(env, 5)
        assert sum(rewards) == env.unwrapped.game.returns()[0]
        assert info["title"] == env.unwrapped.game.title


def test_rewards_by_score_end_with_the_same_winner():
    plain, _ = play(gymnasium.make("lair/Duel-v0"), 8)
    shaped, _ = play(gymnasium.make("lair/Duel-v0", reward="score"), 8)
    assert len(plain) == len(shaped)
    assert abs(shaped[-1] - plain[-1]) < 1
    assert any(shaped[:-1])


def test_illegal_actions():
    env = gymnasium.make("lair/Duel-v0").unwrapped
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(illegal)
    assert (reward, terminated, info["illegal_action"]) == (-1, True, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    strict = gymnasium.make("lair/Duel-v0", illegal="raise").unwrapped
    strict.reset(seed=1)
    with pytest.raises(lair_env.IllegalAction):
        strict.step(illegal)
    strict.step(int(np.flatnonzero(strict.action_masks())[0]))
    env.reset(seed=1)
    for action in (-1, env.action_space.n):
        with pytest.raises(lair_env.IllegalAction, match="there is no action"):
            env.step(action)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
