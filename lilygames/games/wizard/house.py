"""Bots for Wizard: the exact-bid bots, and their choice of trump."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lilygames.games.families.tricks.bots.finish import Finish, finish_of
from lilygames.games.families.tricks.bots.players import Players
from lilygames.games.families.tricks.bots.scene import Stakes
from lilygames.games.families.tricks.bots.temper import in_character
from lilygames_rules.wizard import FREE_ROUNDS, PACK, View, rounds_made, score


def trump(view: View, moves: Sequence[Any]) -> Any:
    """Return the best suit of the hand as trump."""
    held = view.round.hand if view.round else ()
    return max(moves, key=lambda move: sum(card.rank for card in held if card.suit is move.suit))


def stakes(view: View) -> Stakes:
    """Return the pack, scoring and dealer's restriction, by the style of this match."""
    match, now, free = view.match, view.round, True
    if now is not None and match.options.style == "german":
        free = now.deal.number <= FREE_ROUNDS
    elif now is not None and match.options.style == "canadian":
        most = max(match.scores)
        free = match.scores.count(most) > 1 or match.scores[now.deal.dealer] < most
    return Stakes(PACK, score, hook=not free)


def finish(view: View) -> Finish | None:
    """Return the finish of this match, in which the most bids made win a tie; None before its last rounds."""
    match = view.match
    return finish_of(match.scores, range(len(match.sheet) + 2, match.rounds + 1), variance, rounds_made(match))


def variance(cards: int) -> float:
    """Return the variance of a seat's points in a round, as measured from clubs of three to six seats."""
    return 100 * cards


PLAYERS = Players(trump, stakes, finish)
LEVELS = PLAYERS.levels()
"""The bots by level."""
IN_CHARACTER = in_character(stakes)
"""How bots play in character."""
VERSIONS: Mapping[str, str] = {"novice": "3", "club": "2", "shark": "2"}
"""Version of each bot's strategy. Raise it when that bot's moves change."""
