"""What people get wrong brings an exception that says what is wrong, never a crash or a hang."""

import copy
import multiprocessing
import os
import pickle
import random
import threading

import gymnasium
import numpy as np
import pytest

import lair_env
from lair_env import Batch, Game


def played_halfway(env, steps=25, seed=4):
    env.reset(seed=seed)
    dice = random.Random(seed)
    for _ in range(steps):
        legal = np.flatnonzero(env.last()[0]["action_mask"])
        env.step(dice.choice(legal.tolist()))


def test_calls_before_the_first_reset():
    env = lair_env.env()
    for call in (lambda: env.step(0), lambda: env.observe("p1"), env.render):
        with pytest.raises(gymnasium.error.ResetNeeded, match="reset the environment first"):
            call()
    with pytest.raises(gymnasium.error.ResetNeeded):
        next(iter(env.agent_iter()))
    with pytest.raises(AttributeError, match="there is no agents yet: reset"):
        _ = env.agents
    with pytest.raises(gymnasium.error.ResetNeeded):
        gymnasium.make("lair/Duel-v0").unwrapped.step(0)


def test_an_illegal_action_ends_the_game_of_env():
    env = lair_env.env(players=3)
    played_halfway(env)
    agent = env.agent_selection
    with pytest.warns(UserWarning, match="took an illegal action"):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert all(env.terminations.values()) and env.last()[1] == -1
    assert sum(env.rewards.values()) == env.rewards[agent] == -1
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    with pytest.warns(UserWarning, match="reset the environment"):
        env.step(None)
    env.reset(seed=1)
    assert env.agents == ["p1", "p2", "p3"] and not any(env.terminations.values())


def test_what_is_no_action():
    env = lair_env.env()
    env.reset(seed=1)
    for action in (-1, env.action_space("p1").n, 10**6):
        with pytest.raises(lair_env.IllegalAction, match="there is no action"):
            env.step(action)
    with pytest.raises(TypeError):
        env.step(1.5)
    with pytest.raises(ValueError, match="None is for agents that are done"):
        env.step(None)
    assert not any(env.terminations.values())
    raw = lair_env.raw_env()
    raw.reset(seed=1)
    illegal = int(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(lair_env.IllegalAction, match="is not legal"):
        raw.step(illegal)


def test_a_loop_that_does_not_step_ends():
    env = lair_env.env()
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match="step or reset"):
        for _ in env.agent_iter():
            pass


def test_seats_and_seeds_that_there_are_not():
    game = Game()
    for call in (game.observe, game.look, game.render_text, game.render_picture):
        with pytest.raises(ValueError, match="seats are 0 to 1"):
            call(2)
    with pytest.raises(ValueError, match="there is no seat -1"):
        game.observe(-1)
    for call in (game.reset, Batch(1).reset, lambda seed: lair_env.Bot("boss", seed)):
        for seed in (-1, 2**64):
            with pytest.raises(ValueError, match="seeds are 0 to"):
                call(seed)
    with pytest.raises(ValueError, match="1 names for 2 seats"):
        game.record([("Ann", "person")])
    with pytest.raises(ValueError, match="seeds are whole numbers"):
        lair_env.env().reset(seed=-1)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"opponent": None}, "opponent is None"),
        ({"opponent": 5}, "opponent is 5"),
        ({"variants": None}, "variants is None"),
        ({"seat": "1"}, "cannot be interpreted as an integer"),
    ],
)
@pytest.mark.parametrize("make", [lair_env.LairEnv, lambda **kw: lair_env.LairVectorEnv(2, **kw)])
def test_settings_of_the_wrong_type(make, settings, words):
    with pytest.raises(TypeError, match=words):
        make(**settings)


def pickled(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickled])
def test_copies_play_on_alike(again):
    game = Game(players=3, deck="everything", seed=8)
    dice = random.Random(2)
    while not game.over:
        if game.decisions % 40 == 10:
            other = again(game)
            assert other.setup == game.setup and other.record() == game.record()
            action = int(other.legal_actions()[0])
            before = game.observe(0)
            other.step(action)
            assert np.array_equal(game.observe(0), before)
            game.step(action)
            for seat in range(3):
                assert np.array_equal(other.observe(seat), game.observe(seat))
            game = other
            continue
        game.step(dice.choice(game.legal_actions().tolist()))
    assert game.decisions > 40
    sample = again(Game(seed=1).sample(0, 3))
    with pytest.raises(ValueError, match="no record"):
        sample.record()


def test_a_copied_environment_plays_on_alike():
    env = lair_env.env(players=4)
    played_halfway(env)
    for other in (copy.deepcopy(env), pickled(env)):
        assert other.agent_selection == env.agent_selection
        mine, theirs = env.last()[0], other.last()[0]
        assert np.array_equal(mine["observation"], theirs["observation"])
        other.step(int(np.flatnonzero(theirs["action_mask"])[0]))
        other.reset()
        again = copy.deepcopy(env)
        again.reset()
        assert other.game.setup == again.game.setup


def test_bots_and_batches_are_not_copied():
    with pytest.raises(TypeError, match="make another one by its name"):
        pickle.dumps(lair_env.Bot("minion"))
    with pytest.raises(TypeError):
        pickle.dumps(Batch(2))
    with pytest.raises(ValueError, match="cannot be restored"):
        Game._restored(Game().setup, b"\1\2\3", None, [], None)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (np.zeros(3, np.int64), "actions are 4 whole numbers.*of shape .3,"),
        (np.zeros((4, 1), np.int64), "of shape .4, 1."),
        (np.zeros(4), "these are float64"),
        ([0, 1, 2], "of shape .3,"),
        ("pass", "these are"),
        (None, "these are object"),
        (np.array([2**63] * 4, np.uint64), "there is no action"),
        (np.full(4, -1), "game 0: there is no action -1"),
    ],
)
def test_actions_that_a_batch_cannot_take(actions, words):
    batch = Batch(4, seed=1)
    with pytest.raises(ValueError, match=words):
        batch.step(actions)


def test_other_whole_numbers_will_do():
    plain = Batch(4, seed=1)
    actions = plain.random_actions(3)
    expected = plain.step(actions)[0]
    twice = np.repeat(actions, 2)
    for given in (
        actions.astype(np.int32),
        actions.astype(np.uint16),
        actions.tolist(),
        twice[::2],
    ):
        batch = Batch(4, seed=1)
        assert np.array_equal(batch.step(given)[0], expected)


def test_a_game_that_there_is_not():
    with pytest.raises(ValueError, match="games are 0 to 3"):
        Batch(4).game(4)
    with pytest.raises(ValueError, match="a batch has 1 to"):
        Batch(2**62)
    with pytest.raises(ValueError, match="threads"):
        Batch(1, threads=10**6)
    with pytest.raises(ValueError, match="not -1"):
        Batch(-1)


def test_threads_take_turns():
    """A batch may be shared; a game that is in use says so."""
    batch = Batch(16, threads=2)
    failures = []

    def work(seed):
        for step in range(50):
            try:
                batch.step(batch.random_actions(seed + step))
            except lair_env.IllegalAction:
                pass  # The other thread was quicker.
            except Exception as error:
                failures.append(error)

    workers = [threading.Thread(target=work, args=(100 * n,)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert not worker.is_alive()
    assert not failures


def stepped(batch, told):
    told.put(batch.step(batch.random_actions(5))[0].sum())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_batch_goes_on_in_a_forked_process():
    batch = Batch(16, threads=2)
    batch.step(batch.random_actions(1))
    context = multiprocessing.get_context("fork")
    told = context.Queue()
    child = context.Process(target=stepped, args=(batch, told))
    child.start()
    theirs = told.get(timeout=60)
    child.join(60)
    assert child.exitcode == 0
    assert theirs == batch.step(batch.random_actions(5))[0].sum()


@pytest.mark.parametrize("context", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_environments_in_other_processes(context):
    if context not in multiprocessing.get_all_start_methods():
        pytest.skip("there is no fork here")
    envs = gymnasium.make_vec(
        "lair/Duel-v0",
        num_envs=2,
        vectorization_mode="async",
        vector_kwargs={"context": context, "shared_memory": True},
    )
    _, info = envs.reset(seed=3)
    for _ in range(20):
        # In a game that has ended nothing is legal: the next step resets it.
        actions = info["action_mask"].argmax(1)
        observations, *_, info = envs.step(actions)
        assert envs.observation_space.contains(observations)
    envs.close()


def test_closing_twice():
    for env in (
        lair_env.env(),
        gymnasium.make("lair/Solo-v0"),
        gymnasium.make_vec("lair/Duel-v0", num_envs=2),
    ):
        env.close()
        env.close()
