"""What a table is made of: the keywords that every environment takes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import TypedDict


class Setup(TypedDict, total=False):
    """Settings of a game; what is left out is usual."""

    players: int | None
    deck: str | None
    ruleset: str | None
    variants: Sequence[str]
    last_turn: int | None
    cover: bool


def setup_of(
    players: int | None,
    deck: str | None,
    ruleset: str | None,
    variants: Sequence[str] | str,
    last_turn: int | None,
    cover: bool,
) -> Setup:
    """The settings as one value; variants may be one word or several."""
    if isinstance(variants, str):
        variants = [word for word in variants.split(",") if word]
    elif not isinstance(variants, Iterable):
        raise TypeError(f"variants is {variants!r}: give a variant, or a list of them")
    return Setup(
        players=players,
        deck=deck,
        ruleset=ruleset,
        variants=list(variants),
        last_turn=last_turn,
        cover=cover,
    )


def opponents_of(opponent: str | Sequence[str], seat: int | None, players: int) -> list[str]:
    """A bot for each other seat, the seat after yours first."""
    if not isinstance(opponent, Iterable):
        raise TypeError(f"opponent is {opponent!r}: give a bot, or a list with one for each seat")
    rivals = players - 1
    opponents = [opponent] * rivals if isinstance(opponent, str) else list(opponent)
    if len(opponents) != rivals:
        raise ValueError(f"{len(opponents)} opponents for {rivals} other seats: name one for each")
    if seat is not None and not 0 <= index(seat) < players:
        raise ValueError(f"there is no seat {seat}: seats are 0 to {rivals}")
    return opponents


def one_of(what: str, value: str | None, known: Sequence[str | None]) -> None:
    """Refuses other values, and lists these."""
    if value not in known:
        listed = ", ".join(str(word) for word in known)
        raise ValueError(f"{what} is {value!r}: use one of {listed}")
