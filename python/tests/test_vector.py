"""Many games at once are the same games as one by one."""

import gymnasium
import numpy as np
import pytest

import lair_env
from lair_env import Batch


def choose(masks, step):
    """A legal action of each game, another one each time."""
    return np.array([legal[step % len(legal)] for legal in map(np.flatnonzero, masks)], np.int64)


def run(batch, steps=400, seed=1):
    """Everything that comes back, step by step."""
    observations, masks, seats, *_ = batch.reset(seed)
    told = []
    for step in range(steps):
        observations, masks, seats, rewards, terminated, truncated, ended = batch.step(
            choose(masks, step)
        )
        last = [(n, view.sum()) for n, view in ended]
        told.append(
            (observations.sum(1), masks.sum(1), seats, rewards, terminated, truncated, last)
        )
    return told


@pytest.mark.parametrize("opponents", [None, [None, "kobold"]])
def test_threads_do_not_matter(opponents):
    one = run(Batch(12, opponents=opponents, threads=1))
    two = run(Batch(12, opponents=opponents, threads=2))
    for left, right in zip(one, two, strict=True):
        assert left[6] == right[6]
        for a, b in zip(left[:6], right[:6], strict=True):
            assert np.array_equal(a, b)
    assert any(told[4].any() for told in one)


def test_a_batch_plays_the_same_games_as_single_ones():
    batch = Batch(6, players=3)
    observations, masks, seats, *_ = batch.reset(9)
    singles = [batch.game(n) for n in range(6)]
    ended = 0
    for step in range(300):
        actions = choose(masks, step)
        observations, masks, seats, rewards, terminated, _, _ = batch.step(actions)
        for n, single in enumerate(singles):
            single.step(int(actions[n]))
            assert single.over == terminated[n]
            if single.over:
                assert rewards[n].tolist() == single.returns()
                singles[n] = batch.game(n)
                ended += 1
            else:
                assert single.seat == seats[n] and not rewards[n].any()
            assert np.array_equal(singles[n].observe(int(seats[n])), observations[n])
            assert np.array_equal(singles[n].action_mask(), masks[n])
    assert ended > 0


def test_an_illegal_action_changes_no_game():
    batch = Batch(4)
    _, masks, *_ = batch.reset(1)
    actions = choose(masks, 0)
    actions[3] = np.flatnonzero(~masks[3])[0]
    before = [batch.game(n).record() for n in range(4)]
    with pytest.raises(lair_env.IllegalAction, match="game 3"):
        batch.step(actions)
    assert [batch.game(n).record() for n in range(4)] == before
    with pytest.raises(ValueError, match="actions are 4 whole numbers"):
        batch.step(actions[:3])


def test_impossible_batches_are_refused():
    for settings, words in [
        ({"games": 0}, "a batch has 1 to"),
        ({"games": 2, "opponents": ["boss", "boss"]}, "leave one seat"),
        ({"games": 2, "opponents": [None]}, "1 opponents for 2 seats"),
        ({"games": 2, "opponents": [None, "dragon"]}, "there is no bot"),
    ]:
        with pytest.raises(ValueError, match=words):
            Batch(**settings)


def test_vector_environment():
    envs = gymnasium.make_vec("lair/Duel-v0", num_envs=8, opponent="random")
    observations, info = envs.reset(seed=2)
    assert envs.observation_space.contains(observations)
    ends = 0
    seats = set()
    for step in range(300):
        seats |= set(envs.unwrapped._seats.tolist())
        actions = choose(info["action_mask"], step)
        observations, rewards, terminated, truncated, info = envs.step(actions)
        assert observations.shape == (8, envs.single_observation_space.shape[0])
        assert set(rewards[terminated].tolist()) <= {1.0, -1.0}
        assert not rewards[~terminated].any() and not truncated.any()
        if terminated.any():
            ends += terminated.sum()
            assert np.array_equal(info["_final_obs"], terminated)
            assert all(info["final_obs"][n] is not None for n in np.flatnonzero(terminated))
    assert ends > 0 and seats == {0, 1}


def test_solo_rewards_add_up_to_scores():
    envs = gymnasium.make_vec("lair/Solo-v0", num_envs=4)
    _, info = envs.reset(seed=3)
    total, scores = np.zeros(4), []
    for step in range(400):
        _, rewards, terminated, _, info = envs.step(choose(info["action_mask"], step))
        total += rewards
        scores += total[terminated].tolist()
        total[terminated] = 0
    assert scores and all(score == int(score) for score in scores)


def test_a_seat_of_your_own_and_named_opponents():
    envs = gymnasium.make_vec(
        "lair/Table-v0", num_envs=3, seat=2, opponent=["minion", "random", "kobold"]
    )
    _, info = envs.reset(seed=[4, 5, 6])
    for step in range(120):
        assert envs.unwrapped._seats.tolist() == [2, 2, 2]
        *_, info = envs.step(choose(info["action_mask"], step))
    with pytest.raises(ValueError, match="there is no seat 4"):
        gymnasium.make_vec("lair/Table-v0", num_envs=3, seat=4)
    with pytest.raises(ValueError, match="1 opponents for 3 other seats"):
        gymnasium.make_vec("lair/Table-v0", num_envs=3, opponent=["random"])
