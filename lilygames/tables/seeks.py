"""Formulas, which decline invitations automatically. Pure."""

from __future__ import annotations

from collections.abc import Sequence

WORDS = ("guests", "rated", "unrated", "all")
"""Things that a formula can decline, apart from games."""


def declines(formula: Sequence[str], game: str, *, guest: bool, rated: bool) -> str:
    """Return the formula's word that declines an invitation to a game; empty if none does."""
    true = {"guests": guest, "rated": rated, "unrated": not rated, "all": True, game: True}
    return next((word for word in formula if true.get(word)), "")
