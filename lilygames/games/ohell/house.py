"""Bots for Ohell: the exact-bid bots, and their choice of the largest hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.games.families.tricks.bots.finish import Finish, finish_of
from lilygames.games.families.tricks.bots.players import Players
from lilygames.games.families.tricks.bots.scene import Stakes
from lilygames.games.families.tricks.bots.temper import in_character
from lilygames_rules.cards import pack
from lilygames_rules.ohell import View, schedule, score

_PLEASANT = 7
"""Preferred cards in the largest hand: neither a very short nor a very long game."""


def largest_hand(_: View, moves: Sequence[Any]) -> Any:
    """Return a medium largest hand."""
    return min(moves, key=lambda move: abs(move.cards - _PLEASANT))


def stakes(view: View) -> Stakes:
    """Return the pack, scoring and hook of this match."""
    return Stakes(pack(view.match.decks), score, hook=view.match.options.hook)


def finish(view: View) -> Finish | None:
    """Return the finish of this match, in which ties share the win; None before its last rounds."""
    match = view.match
    return finish_of(match.scores, schedule(match.largest)[len(match.sheet) + 1 :], variance)


def variance(cards: int) -> float:
    """Return the variance of a seat's points in a round, as measured from clubs of two to six seats."""
    return 30 + 10 * cards


PLAYERS = Players(largest_hand, stakes, finish)
LEVELS = PLAYERS.levels()
"""The bots by level."""
IN_CHARACTER = in_character(stakes)
"""How bots play in character."""
VERSIONS: Mapping[str, str] = {"novice": "3", "club": "2", "shark": "2"}
"""Version of each bot's strategy. Raise it when that bot's moves change."""
