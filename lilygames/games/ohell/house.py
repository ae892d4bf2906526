"""House players for Ohell: those of all games of exact bids, and the largest hand that they pick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.games.families.tricks.players import Players
from lilygames.games.families.tricks.scene import Stakes
from rules.cards import pack
from rules.ohell import View, score

_PLEASANT = 7
"""Cards in the largest hand of a game that is neither over at once nor goes on all night."""


def largest_hand(_: View, moves: Sequence[Any]) -> Any:
    """Return a pleasant largest hand."""
    return min(moves, key=lambda move: abs(move.cards - _PLEASANT))


def stakes(view: View) -> Stakes:
    """Return what is played for: by the decks of this match and the hook."""
    return Stakes(pack(view.match.decks), score, hook=view.match.options.hook)


PLAYERS = Players(largest_hand, stakes)
LEVELS = PLAYERS.levels()
"""The house players of Ohell by level."""
