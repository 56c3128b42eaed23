"""An observation is what the seat knows, and nothing else."""

import random

import numpy as np
import pytest
from tables import named

from lair_env import Game

TABLES = [
    {"deck": "bmr"},
    {"deck": "everything", "players": 4},
    {"deck": "rmb-crl-thk", "ruleset": "crash", "players": 6},
    {"ruleset": "super", "players": 3},
    {"ruleset": "solo"},
    {"deck": "every-item"},
    {"deck": "bmr", "variants": ["classic", "choose-boss"], "players": 3},
]


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_hidden_cards_do_not_show(table):
    """In every world that looks the same to a seat, its numbers and its actions are the same."""
    game = Game(**table)
    dice = random.Random(11)
    differed = 0
    for seed in range(3):
        game.reset(seed)
        while not game.over and game.decisions < 400:
            if dice.random() < 0.15:
                seat = dice.randrange(game.players)
                worlds = [game.sample(seat, dice.randrange(2**40)) for _ in range(2)]
                seen = game.observe(seat)
                for world in worlds:
                    assert np.array_equal(world.observe(seat), seen)
                    if game.seat == seat:
                        assert np.array_equal(world.action_mask(), game.action_mask())
                others = [other for other in range(game.players) if other != seat]
                differed += any(
                    not np.array_equal(worlds[0].observe(other), worlds[1].observe(other))
                    for other in others
                )
            game.step(dice.choice(game.legal_actions().tolist()))
    # The worlds were different: what the others see shows it.
    assert differed > 0 or game.players == 1


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_numbers_mean_what_their_names_say(table):
    game = Game(**table)
    names = game.observation_names()
    assert len(set(names)) == len(names) == game.n_observations
    at = {name: n for n, name in enumerate(names)}
    questions = [
        at[name]
        for name in names
        if name.startswith("question ") and not name.startswith("question of: ")
    ]
    hands = [n for n, name in enumerate(names) if name.startswith("you hand: ")]
    dice = random.Random(5)
    seen_cards = 0
    for seed in range(2):
        game.reset(seed)
        while not game.over and game.decisions < 400:
            seat = game.seat
            seen = game.observe(seat)
            assert seen.dtype == np.float32 and np.isfinite(seen).all()
            assert np.abs(seen).max() < 100
            assert seen[at["asked you"]] == 1
            assert seen[questions].sum() == 1
            held = seen[hands].sum()
            counted = 6 * (seen[at["you hand rooms"]] + seen[at["you hand spells"]])
            assert held == pytest.approx(counted, abs=1e-3)
            seen_cards += held
            for k in range(game.players):
                who = "you" if k == 0 else f"rival{k}"
                other = (seat + k) % game.players
                assert seen[at[f"{who} souls"]] == pytest.approx(game.souls[other] / 10)
                assert seen[at[f"{who} wounds"]] == pytest.approx(game.wounds[other] / 5)
            game.step(dice.choice(game.legal_actions().tolist()))
    assert seen_cards > 0


def test_a_player_does_not_see_a_rivals_hand():
    game = Game(seed=3)
    names = game.observation_names()
    mine = [n for n, name in enumerate(names) if name.startswith("you hand: ")]
    theirs = [n for n, name in enumerate(names) if name.startswith("rival1 hand: ")]
    for _ in range(12):
        game.step(int(game.legal_actions()[0]))
    assert game.observe(0)[mine].sum() > 0
    assert game.observe(0)[theirs].sum() == 0
