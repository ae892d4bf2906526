"""Finding people to play with: what a formula declines by itself. Pure."""

from __future__ import annotations

from collections.abc import Sequence

WORDS = ("guests", "rated", "unrated", "all")
"""What a formula may decline beside games."""


def declines(formula: Sequence[str], game: str, *, guest: bool, rated: bool) -> str:
    """Return the word of a formula that declines an invitation to a game by somebody; empty where none does."""
    true = {"guests": guest, "rated": rated, "unrated": not rated, "all": True, game: True}
    return next((word for word in formula if true.get(word)), "")
