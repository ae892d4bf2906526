"""Reasons of moves in dice games, in words."""

from __future__ import annotations


def claimed(words: str, true: float, *, known: bool) -> str:
    """Return how likely a claim was true, without a full stop; `true` is 0 or 100 if the player knew the dice."""
    if known:
        return f"You knew that the claim of {words} was {'true' if true else 'a lie'}"
    return f"By how players lie, the claim of {words} was true {{true:.0f}} times in 100"
