"""Moves that have been written as JSON and read back, as each move is that goes into a log.

Most moves of a game are made again and again: a card, a bid. Looking one up takes 0.3 of the time. To remove
it, let `Moved.of` use none.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import attrs

from lilygames import codec


@attrs.frozen
class KnownMove:
    """A move as it is read from a log, and what the log has of it: JSON data and its text."""

    move: Any
    stored: dict[str, Any]
    text: str


def known_move(rules: Any, move: Any) -> KnownMove | None:
    """Return a move of a game's rules; None if it can't be read back, or has parts that can't be hashed."""
    try:
        return _known(rules, move)
    except (TypeError, ValueError):
        return None


@lru_cache(maxsize=2048)
def _known(rules: Any, move: Any) -> KnownMove:
    stored = codec.dump(move)
    return KnownMove(codec.load(stored, rules.Move), stored, codec.encode(stored))
