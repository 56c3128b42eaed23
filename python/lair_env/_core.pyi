"""The part that is written in Rust. Seats are counted from 0."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Whole = npt.NDArray[np.int64]

class LairError(ValueError):
    """Lair cannot do that; the message says why."""

class IllegalAction(LairError):
    """The action is not among the legal ones; nothing has changed."""

class GameOver(LairError):
    """The game is over: reset it."""

class Bot:
    """A bot in one seat of one game, by its name: `random`, `boss`, `search:400`, ..."""

    name: str
    def __init__(self, name: str, seed: int = 0) -> None: ...
    def choose(self, game: Game) -> int:
        """The action it would take now, for the seat that is asked."""

class Game:
    """One game, stepped by whoever holds it."""

    setup: str
    """The line that names this game, as records and the command line write it."""
    players: int
    ruleset: str
    n_actions: int
    n_observations: int
    seat: int | None
    """Whom the game asks; None when it is over."""
    over: bool
    endless: bool
    """So many decisions that it would never end."""
    turn: int
    decisions: int
    question: str | None
    """The question in words."""
    souls: list[int]
    wounds: list[int]
    winner: int | None
    ending: str | None
    title: str | None
    """What a game for one has earned so far."""
    remaining: int
    """Recorded answers still to come."""
    next_action: int | None
    """The recorded answer that comes next."""
    answers_listed: int
    """How many answers the rules allow, equal cards counted one by one."""
    def __init__(
        self,
        players: int | None = None,
        deck: str | None = None,
        ruleset: str | None = None,
        variants: Sequence[str] | str = (),
        last_turn: int | None = None,
        cover: bool = False,
        seed: int = 0,
    ) -> None: ...
    @staticmethod
    def from_record(json: str) -> Game:
        """A recorded game at its deal. The whole record is verified first."""
    def advance(self) -> int:
        """Gives the next recorded answer; returns how many are left."""
    def reset(self, seed: int) -> None:
        """Deals another game at the same table."""
    def action_names(self) -> list[str]:
        """What each action is."""
    def observation_names(self) -> list[str]:
        """What each number of an observation is."""
    def choices(self) -> list[tuple[int, str]]:
        """The legal actions, each with the words in which people read it."""
    def answers(self) -> list[tuple[str, int]]:
        """Every answer the rules allow, as a record writes it, with its action."""
    def legal_actions(self) -> Whole:
        """The actions that can be taken now."""
    def action_mask(self) -> Flags:
        """One mark for each action: can it be taken now?"""
    def observe(self, seat: int) -> Floats:
        """What the seat sees."""
    def look(self, seat: int) -> tuple[Floats, npt.NDArray[np.int8]]:
        """What the seat sees, and 1 for each action that it may take now: for none while another
        seat is asked. The same as `observe` and `action_mask` in one call."""
    def step(self, action: int | np.integer[Any]) -> int | None:
        """Takes the action; returns the seat that is asked next, None when the game is over."""
    def answer(self, text: str) -> None:
        """An answer as a record writes it."""
    def bot_step(self, bot: Bot) -> int | None:
        """The bot answers for the seat that is asked, without the interpreter lock. Returns what
        `step` does."""
    def returns(self) -> list[float]:
        """What each seat gets in the end: 1 for the winner, and the others lose that together;
        by the rules for one, the score."""
    def copy(self) -> Game:
        """The same game once more, to try something out."""
    def sample(self, seat: int, seed: int) -> Game:
        """A game that looks like this one to the seat: what it cannot know is dealt at random."""
    def render_text(self, seat: int | None = None, colour: bool = False) -> str:
        """The table as the seat sees it, or as a spectator does."""
    def render_picture(self, seat: int | None = None) -> npt.NDArray[np.uint8]:
        """The same as a picture: height, width, and red, green, blue."""
    def record(self, names: list[tuple[str, str]] | None = None) -> str:
        """The game as JSON, for `lair verify` and `lair replay`."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, memo: dict[int, Any]) -> Game: ...

Stepped = tuple[Floats, Flags, Whole, Floats, Flags, Flags, list[tuple[int, Floats]]]
"""Observations, masks, the seats asked, rewards by seat, terminated, truncated, and of games that
have ended the last observation, with their numbers."""

class Batch:
    """Many games stepped together on several threads, without the interpreter lock.

    `opponents` names a bot for each seat, and None where you play: by default everywhere. In the
    next game of a lane everybody sits one seat further, unless `rotate` is false. `shaped` adds a
    tenth of what souls less wounds have grown by to the rewards, less the average of the others.
    `threads` is 0 for one on each core.
    """

    games: int
    players: int
    n_actions: int
    n_observations: int
    threads: int
    def __init__(
        self,
        games: int,
        players: int | None = None,
        deck: str | None = None,
        ruleset: str | None = None,
        variants: Sequence[str] | str = (),
        last_turn: int | None = None,
        cover: bool = False,
        seed: int = 0,
        opponents: Sequence[str | None] | None = None,
        rotate: bool = True,
        threads: int = 0,
        shaped: bool = False,
    ) -> None: ...
    def reset(self, seed: int) -> Stepped:
        """New games everywhere; equal seeds give equal ones."""
    def step(self, actions: npt.NDArray[np.integer[Any]] | Sequence[int]) -> Stepped:
        """One action for each game. If one of them is illegal, no game is stepped."""
    def now(self) -> Stepped:
        """The games as they are, without a step."""
    def random_actions(self, seed: int) -> Whole:
        """A legal action for each game, at random."""
    def game(self, n: int) -> Game:
        """A copy of one of the games."""
    def action_names(self) -> list[str]:
        """What each action is."""
    def observation_names(self) -> list[str]:
        """What each number of an observation is."""

def decks() -> list[str]:
    """The decks that come with the program; boxes can also be mixed, as in `bmr+crl`."""

def rulesets() -> list[str]:
    """The rulesets by which games can be played."""

def variants() -> list[str]:
    """The variants that can be named for a table; not all of them fit every ruleset."""

def levels() -> list[str]:
    """The six levels of bots, weakest first."""
