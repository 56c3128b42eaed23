"""Trains a masked PPO against random players or other bots and draws its curve.

    pip install ./python "sb3-contrib>=2.3" matplotlib
    python python/examples/train_ppo.py --minutes 10 --curve curve.png

Needs PyTorch, which sb3-contrib brings along; a processor is enough. Every game that is counted in
the end is dealt from seeds that training never saw.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

import lair_env


class Games(VecEnv):
    """The games of a batch, as Stable-Baselines3 steps them."""

    def __init__(self, games: int, **settings: Any) -> None:
        self.envs = lair_env.LairVectorEnv(games, **settings)
        space = self.envs.single_observation_space
        super().__init__(games, space, self.envs.single_action_space)
        self.seeds = 0

    def reset(self):
        self.seeds += 1
        return self.envs.reset(seed=self.seeds)[0]

    def step_async(self, actions):
        self.actions = actions

    def step_wait(self):
        observations, rewards, terminated, truncated, infos = self.envs.step(self.actions)
        done = terminated | truncated
        each: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for n in np.flatnonzero(done):
            each[n]["terminal_observation"] = infos["final_obs"][n]
            each[n]["TimeLimit.truncated"] = bool(truncated[n] and not terminated[n])
        return observations, rewards.astype(np.float32), done, each

    def env_method(self, name, *args, indices=None, **kwargs):
        if name != "action_masks":
            raise NotImplementedError(name)
        return list(self.envs.action_masks())

    def has_attr(self, name):
        return name == "action_masks"

    def get_attr(self, name, indices=None):
        return [getattr(self.envs, name)] * self.num_envs

    def set_attr(self, name, value, indices=None):
        raise NotImplementedError(name)

    def env_is_wrapped(self, wrapper, indices=None):
        return [False] * self.num_envs

    def close(self):
        self.envs.close()


def share_won(model: MaskablePPO, games: int, seed: int, opponent: str, deck: str) -> float:
    """Plays so many games, half of them in each seat, and counts those it wins."""
    lanes = min(64, games)
    envs = lair_env.LairVectorEnv(lanes, deck=deck, opponent=opponent)
    observations, _ = envs.reset(seed=seed)
    # The first games of each lane: long ones count as much as short ones.
    wanted = np.full(lanes, games // lanes)
    played, won = np.zeros(lanes, int), 0
    while (played < wanted).any():
        actions, _ = model.predict(observations, action_masks=envs.action_masks())
        observations, rewards, terminated, truncated, _ = envs.step(actions)
        counted = (terminated | truncated) & (played < wanted)
        played += counted
        won += int((rewards[counted] > 0.5).sum())
    return won / played.sum()


class Clock(BaseCallback):
    """Stops after so many seconds, and now and then looks how well it plays.

    The curve is over processor time, which other programs on the machine do not change.
    """

    def __init__(self, seconds: float, until: float, opponent: str, deck: str) -> None:
        super().__init__()
        self.seconds, self.until, self.opponent, self.deck = seconds, until, opponent, deck
        self.curve: list[tuple[float, int, float]] = []

    def _on_training_start(self) -> None:
        self.begun, self.processor = time.monotonic(), time.process_time()
        self.look()

    def look(self) -> None:
        share = share_won(self.model, 256, 10_000 + len(self.curve), self.opponent, self.deck)
        self.note(share)
        print(
            f"{time.monotonic() - self.begun:6.0f} s  {self.curve[-1][0]:6.0f} s of processor time"
            f"  {self.num_timesteps:9} steps  {share:6.1%} won",
            flush=True,
        )

    def note(self, share: float) -> None:
        spent = time.process_time() - self.processor
        self.curve.append((spent, self.num_timesteps, share))

    def _on_rollout_start(self) -> None:
        if time.process_time() - self.processor >= self.curve[-1][0] + 5:
            self.look()

    def _on_step(self) -> bool:
        done = self.curve[-1][2] >= self.until
        return not done and time.monotonic() - self.begun < self.seconds


def draw(curve: list[tuple[float, int, float]], opponent: str, path: Path) -> None:
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3.6), dpi=100)
    seconds, _, shares = zip(*curve, strict=True)
    axes.plot([second / 60 for second in seconds], [100 * share for share in shares], marker=".")
    axes.axhline(80, color="grey", linewidth=0.8, linestyle="--")
    axes.set(xlabel="minutes of processor time", ylabel=f"% won against {opponent}", ylim=(0, 100))
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--until", type=float, default=1.1, help="stop when it wins this share")
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--reward", default="score", choices=("win", "score"))
    parser.add_argument("--deck", default="bmr")
    parser.add_argument("--games", type=int, default=64, help="games side by side")
    parser.add_argument("--test", type=int, default=1024, help="games in the end")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, help="a picture of how it learned")
    parser.add_argument("--save", type=Path, help="the trained policy")
    args = parser.parse_args()

    torch.set_num_threads(1)
    games = Games(args.games, deck=args.deck, opponent=args.opponent, reward=args.reward)
    model = MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=64,
        batch_size=1024,
        n_epochs=3,
        gamma=0.995,
        gae_lambda=0.95,
        learning_rate=5e-4,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": torch.nn.ReLU},
        seed=args.seed,
        device="cpu",
    )
    clock = Clock(60 * args.minutes, args.until, args.opponent, args.deck)
    model.learn(total_timesteps=10**12, callback=clock)
    trained = time.process_time() - clock.processor
    share = share_won(model, args.test, 77_777, args.opponent, args.deck)
    clock.curve.append((trained, model.num_timesteps, share))
    print(f"{share:.1%} of {args.test} games won against {args.opponent}", end=", ")
    print(f"after {model.num_timesteps} steps and {trained:.0f} s of processor time")
    if args.curve:
        draw(clock.curve, args.opponent, args.curve)
    if args.save:
        model.save(args.save)


if __name__ == "__main__":
    main()
