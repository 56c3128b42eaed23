"""Records of games, and replays of them."""

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import lair_env
from lair_env import Game, load_record, save_record

LAIR = os.environ.get("LAIR") or shutil.which("lair")


def finished(**settings):
    game = Game(**settings)
    dice = random.Random(1)
    while not game.over:
        game.step(dice.choice(game.legal_actions().tolist()))
    return game


@pytest.mark.parametrize(
    "settings", [{"seed": 5}, {"players": 4, "deck": "rmb", "seed": 2**63}, {"ruleset": "solo"}]
)
def test_a_record_replays_to_the_same_game(tmp_path, settings):
    game = finished(**settings)
    path = tmp_path / "game.json"
    save_record(game, path, [(f"p{n + 1}", "random") for n in range(game.players)])
    replay = load_record(path)
    assert replay.decisions == 0 or replay.remaining > 0
    while replay.remaining:
        assert replay.action_mask()[replay.next_action]
        replay.advance()
    assert replay.over and replay.returns() == game.returns()
    assert np.array_equal(replay.observe(0), game.observe(0))
    assert replay.record() == path.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="ends here"):
        replay.advance()


@pytest.mark.skipif(LAIR is None, reason="name the command with LAIR=/path/to/lair")
def test_the_command_verifies_and_retells_it(tmp_path):
    path = tmp_path / "game.json"
    save_record(finished(seed=6, players=3), path)
    for command in ("verify", "replay"):
        done = subprocess.run([LAIR, command, str(path)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_records_that_were_changed_are_refused(tmp_path):
    record = json.loads(finished(seed=5).record())
    for change, words in [
        ({"format": "chess"}, "lair game"),
        ({"version": 1}, "version 1"),
        ({"actions": ["pass", *record["actions"]]}, "step"),
    ]:
        with pytest.raises(ValueError, match=words):
            Game.from_record(json.dumps(record | change))
    with pytest.raises(ValueError, match="not a valid game record"):
        Game.from_record("{")


def test_the_records_of_the_project_can_be_stepped_through():
    folder = Path(__file__).parents[2] / "crates/engine/tests"
    games = [
        file for file in sorted(folder.rglob("*.json")) if '"lair game"' in file.read_text()[:200]
    ]
    for file in games[:2]:
        game = load_record(file)
        while game.remaining:
            game.advance()
        assert game.turn > 0


def test_a_sampled_game_has_no_record():
    game = Game(seed=1).sample(0, 1)
    with pytest.raises(lair_env.LairError, match="did not begin with a deal"):
        game.record()
