"""Actions and legal answers are the same thing, in every box and by every ruleset."""

import random

import numpy as np
import pytest
from tables import every_table, named

import lair_env
from lair_env import Game

TABLES = every_table()


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_mask_and_legal_answers_match(table):
    game = Game(**table)
    names = game.action_names()
    assert len(set(names)) == len(names) == game.n_actions
    dice = random.Random(7)
    for seed in range(3):
        game.reset(seed)
        while not game.over and game.decisions < 1500:
            legal = game.legal_actions().tolist()
            mask = game.action_mask()
            assert mask.dtype == np.bool_ and mask.shape == (game.n_actions,)
            assert np.flatnonzero(mask).tolist() == sorted(legal)
            # Every answer that the rules allow has an action, and it is a legal one.
            listed = game.answers()
            assert len(listed) == game.answers_listed >= len(legal) > 0
            assert {code for _, code in listed} == set(legal)
            # No action is left over from a full list of those that look like another.
            assert not mask[-1]
            game.step(dice.choice(legal))


def alike(game):
    """Answers that share an action, as a record writes them."""
    by_code = {}
    for answer, code in game.answers():
        by_code.setdefault(code, []).append(answer)
    return [answers for answers in by_code.values() if len(answers) > 1]


def test_answers_that_share_an_action_lead_to_the_same_game():
    """Whichever of them is given, the player then sees the same numbers."""
    dice = random.Random(3)
    compared = 0
    for table in TABLES[::6]:
        game = Game(**table)
        for seed in range(4):
            game.reset(seed)
            while not game.over and game.decisions < 300:
                for answers in alike(game):
                    seat = game.seat
                    views = [told(game, answer).observe(seat) for answer in answers]
                    assert all(np.array_equal(views[0], view) for view in views), (table, answers)
                    compared += 1
                game.step(dice.choice(game.legal_actions().tolist()))
    assert compared > 100


def told(game, answer):
    """The game after an answer as a record writes it."""
    after = game.copy()
    after.answer(answer)
    return after


def test_actions_do_not_depend_on_the_game():
    one, other = Game(seed=1), Game(seed=2)
    assert one.action_names() == other.action_names()
    assert one.observation_names() == other.observation_names()


def test_an_illegal_action_is_refused_and_changes_nothing():
    game = Game(seed=1)
    before = game.record()
    illegal = int(np.flatnonzero(~game.action_mask())[0])
    for action, words in [
        (illegal, "legal are"),
        (-1, "there is no action"),
        (10**6, "actions are 0"),
    ]:
        with pytest.raises(lair_env.IllegalAction, match=words):
            game.step(action)
    assert game.record() == before


def test_a_finished_game_says_so():
    game = Game(seed=1, last_turn=1)
    while not game.over:
        game.step(int(game.legal_actions()[0]))
    with pytest.raises(lair_env.GameOver, match="reset"):
        game.step(0)
    assert game.seat is None and not game.action_mask().any()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"deck": "bmx"}, "did you mean bmr"),
        ({"deck": "bmr+xyz"}, "there is no box `xyz`"),
        ({"deck": "a b c d e"}, "there is no deck"),
        ({"players": 9}, "valid number of players"),
        ({"players": 6}, "unlimited-lives"),
        ({"ruleset": "modern"}, "no ruleset `modern`"),
        ({"variants": ["easy"]}, "no variant `easy`"),
        ({"ruleset": "crash", "deck": "tnl", "players": 5}, "needs cards of the set CRL"),
    ],
)
def test_impossible_tables_are_refused_with_the_reason(settings, words):
    with pytest.raises(ValueError, match=words):
        Game(**settings)


def test_unknown_bots_are_refused_with_the_list():
    with pytest.raises(ValueError, match="kobold, minion"):
        lair_env.Bot("dragon")
