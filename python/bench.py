"""Steps per second of Lair, PettingZoo's classic card games and OpenSpiel's, in one run.

    pip install ./python rlcard pygame open_spiel
    python python/bench.py

Everybody plays at random among the legal actions. A step is one decision: the legal actions are
read, one is taken, and the next player's observation and mask are made. Figures are medians of
interleaved rounds: steps per second of processor time, which other programs on the machine change
little, and per second of the clock, which is what threads are for.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from itertools import islice

import numpy as np

import lair_env

warnings.filterwarnings("ignore")
Steps = Iterator[int]


def aec(make: Callable[[], object]) -> Callable[[], Steps]:
    """A PettingZoo environment, as its documentation plays it."""

    def play() -> Steps:
        env = make()
        dice = random.Random(1)
        game = 0
        while True:
            env.reset(seed=game)
            game += 1
            for _ in env.agent_iter():
                observation, _reward, terminated, truncated, _info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                env.step(dice.choice(np.flatnonzero(observation["action_mask"]).tolist()))
                yield 1

    return play


def lair_game(**settings: object) -> Callable[[], Steps]:
    """The game itself, without PettingZoo's bookkeeping."""

    def play() -> Steps:
        game = lair_env.Game(**settings)
        dice = random.Random(1)
        seed = 0
        while True:
            game.reset(seed)
            seed += 1
            seat = game.seat
            while seat is not None:
                game.look(seat)
                seat = game.step(dice.choice(game.legal_actions().tolist()))
                yield 1

    return play


def lair_batch(games: int, threads: int, **settings: object) -> Callable[[], Steps]:
    def play() -> Steps:
        batch = lair_env.Batch(games, threads=threads, **settings)
        batch.reset(1)
        seed = 0
        while True:
            batch.step(batch.random_actions(seed))
            seed += 1
            yield games

    return play


def spiel(name: str) -> Callable[[], Steps]:
    """OpenSpiel's states, with what Lair's steps make, too."""
    import pyspiel

    def play() -> Steps:
        game = pyspiel.load_game(name)
        dice = random.Random(1)
        tensor = game.get_type().provides_observation_tensor
        while True:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(dice.choices(actions, weights)[0])
                    continue
                player = state.current_player()
                np.asarray(
                    state.observation_tensor(player)
                    if tensor
                    else state.information_state_tensor(player),
                    np.float32,
                )
                np.asarray(state.legal_actions_mask(), np.bool_)
                state.apply_action(dice.choice(state.legal_actions()))
                yield 1

    return play


def spiel_vector(name: str, games: int) -> Callable[[], Steps]:
    """OpenSpiel's own vector of environments."""
    from open_spiel.python import rl_environment
    from open_spiel.python.vector_env import SyncVectorEnv

    def play() -> Steps:
        from open_spiel.python.rl_agent import StepOutput

        envs = SyncVectorEnv([rl_environment.Environment(name) for _ in range(games)])
        dice = random.Random(1)
        steps = envs.reset()
        while True:
            outputs = []
            for step in steps:
                legal = step.observations["legal_actions"][step.current_player()]
                outputs.append(StepOutput(action=dice.choice(legal), probs=None))
            steps, *_ = envs.step(outputs, reset_if_done=True)
            yield games

    return play


def peers() -> dict[str, tuple[Callable[[], Steps], bool]]:
    rows: dict[str, tuple[Callable[[], Steps], bool]] = {}
    try:
        from pettingzoo.classic import leduc_holdem_v4, texas_holdem_no_limit_v6, texas_holdem_v4

        rows["PettingZoo Leduc hold'em"] = aec(lambda: leduc_holdem_v4.env()), False
        rows["PettingZoo Texas hold'em"] = aec(lambda: texas_holdem_v4.env()), False
        rows["PettingZoo no-limit hold'em"] = aec(lambda: texas_holdem_no_limit_v6.env()), False
    except ImportError:
        print("rlcard or pygame is not installed: without PettingZoo's games")
    try:
        import pyspiel  # noqa: F401

        for name in ("leduc_poker", "gin_rummy", "hanabi"):
            rows[f"OpenSpiel {name}"] = spiel(name), False
        rows["OpenSpiel leduc_poker, SyncVectorEnv of 64"] = spiel_vector("leduc_poker", 64), True
    except ImportError:
        print("open_spiel is not installed: without OpenSpiel's games")
    return rows


def lairs() -> dict[str, tuple[Callable[[], Steps], bool]]:
    rows: dict[str, tuple[Callable[[], Steps], bool]] = {}
    for title, settings in (
        ("2 players", {}),
        ("4 players, mash-up", {"players": 4, "deck": "mash-up"}),
    ):
        rows[f"Lair AEC, {title}"] = aec(lambda s=settings: lair_env.env(**s)), False
        rows[f"Lair Game, {title}"] = lair_game(**settings), False
        rows[f"Lair Batch of 256, 1 thread, {title}"] = lair_batch(256, 1, **settings), True
        rows[f"Lair Batch of 256, 2 threads, {title}"] = lair_batch(256, 2, **settings), True
    return rows


def rates(steps: Steps, seconds: float) -> tuple[float, float]:
    """Per second of processor time, and per second; looking at the clock takes time, too."""
    clock, begun, done = time.perf_counter(), time.process_time(), 0
    while (spent := time.process_time() - begun) < seconds:
        done += sum(islice(steps, 20))
    return done / spent, done / (time.perf_counter() - clock)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1, help="of each row in each round")
    args = parser.parse_args()
    rows = peers() | lairs()
    running = {name: play() for name, (play, _) in rows.items()}
    for steps in running.values():
        next(steps)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in rows}
    for _ in range(args.rounds):
        for name, steps in running.items():
            found[name].append(rates(steps, args.seconds))
    medians = {name: statistics.median(rate for rate, _ in all_) for name, all_ in found.items()}
    for vector in (False, True):
        print("\n" + ("Vectorised" if vector else "One game at a time"))
        others = [
            m for n, m in medians.items() if rows[n][1] == vector and not n.startswith("Lair")
        ]
        fastest = max(others, default=None)
        for name, median in medians.items():
            if rows[name][1] != vector:
                continue
            measured = [rate for rate, _ in found[name]]
            spread = (max(measured) - min(measured)) / median / 2
            clock = statistics.median(rate for _, rate in found[name])
            ratio = f"{median / fastest:6.2f} x the fastest other" if fastest else ""
            print(f"  {name:46} {median:9,.0f} /s ±{spread:4.0%} {clock:9,.0f} /s {ratio}")


if __name__ == "__main__":
    main()
