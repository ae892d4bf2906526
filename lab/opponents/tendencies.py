"""Opponents with a strong tendency, from which a bot with a memory should win.

`scripts/duel wizard remembering-club lab/opponents/tendencies.py:overbids --than club` is such a match.

In the games of exact bids they bid a trick too many or too few, and otherwise play like clubs. In Liar's Lair they play
all their lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lilygames.games import games
from lilygames.games.liarslair import house
from lilygames_rules import wizard
from lilygames_rules.kit import Luck
from lilygames_rules.lair.moves import Play
from lilygames_rules.lair.table import Declaring
from lilygames_rules.tricks.exactbid import Bid


def overbids(view: Any, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a club's move, but a bid of one trick more."""
    return _bidding(view, moves, luck, 1)


def underbids(view: Any, moves: Sequence[Any], luck: Luck) -> Any:
    """Return a club's move, but a bid of one trick less."""
    return _bidding(view, moves, luck, -1)


def _bidding(view: Any, moves: Sequence[Any], luck: Luck, more: int) -> Any:
    game = "wizard" if isinstance(view.match.options, wizard.Options) else "ohell"
    move = games()[game].players["club"](view, moves, luck)
    other = Bid(move.tricks + more) if isinstance(move, Bid) else move
    return other if other in moves else move


def lies(view: Any, moves: Sequence[Any], luck: Luck) -> Any:
    """Return the move of a player who plays a lie whenever it holds one, and otherwise plays like a novice."""
    if isinstance(view.match.phase, Declaring):
        return house.declared(view, moves, 1)
    false = {card.number for card in view.at(view.seat) if card.true is False}
    lying = [move for move in moves if isinstance(move, Play) and move.card in false]
    return luck.choice(lying) if lying else house.by_rule(view, moves, luck)
