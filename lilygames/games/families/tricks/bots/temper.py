"""Tempers of bots in the games of exact bids: bold ones bid more, careful ones less, where the call is close.

Grumpy ones get it over with: they lead their strongest card early. Talkative ones play like others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from typing import Any

import attrs

from lilygames.game import Character, Strategy
from lilygames.games.families.tricks.bots.scene import Scene, Stakes, guess, scene
from lilygames.house import tempers
from lilygames_rules.cards import Card
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.tricks.exactbid import Bid, Play, Sight
from lilygames_rules.tricks.trick import strength

_BETTER, _WORSE = 0.1, 0.2
"""Tricks by which a bold bot takes its hand for better than it is, and a careful one for worse."""
_HEARD, _MOST = 0.5, 0.25
"""Tricks more for each one that earlier bids are below an equal share on average, and the most: so a bid costs less."""
_HURRIES = 3
"""A grumpy bot that needs tricks leads its strongest card in one lead of this many."""


def in_character(stakes: Callable[[Any], Stakes]) -> Callable[[Strategy, str, Character], Strategy]:
    """Return how bots of a game play in character; `stakes` returns its parameters for a view."""
    return partial(tempers.in_character, CloseCalls(stakes))


@attrs.frozen
class CloseCalls:
    """Changes the moves of a bot in a temper: a bid only if another one is nearly as good."""

    stakes: Callable[[Any], Stakes]

    def __call__(self, temper: str, view: Any, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
        """Return a move as a bot of this temper makes it."""
        match temper, move:
            case "bold", Bid():
                return _nearer(self.stakes(view), view, moves, move, _BETTER)
            case "careful", Bid():
                return _nearer(self.stakes(view), view, moves, move, -_WORSE)
        return _grumbled(temper, view, moves, move, luck)


def _nearer(stakes: Stakes, view: Any, moves: Sequence[Any], bid: Bid, more: float) -> Bid:
    """Return the next bid up or down, if it is legal and nearer to the tricks that the bot expects plus `more`."""
    about, other = _expected(scene(view.round, view.seat, stakes)) + more, Bid(bid.tricks + (1 if more > 0 else -1))
    return other if other in moves and abs(other.tricks - about) < abs(bid.tricks - about) else bid


def _expected(here: Scene) -> float:
    """Return the tricks to expect from a hand and from what the earlier bids leave over."""
    left = [here.cards / len(here.bids) - bid for bid in here.bids if bid is not None]
    more = _HEARD * fmean(left) if left else 0.0
    return guess(here, here.hand) + max(-_MOST, min(_MOST, more))


def _grumbled(temper: str, view: Any, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return the strongest card instead of another lead once in a while, if the temper is grumpy."""
    leads = temper == "grumpy" and isinstance(move, Play) and _leads_for_tricks(view.round, view.seat)
    return max(moves, key=lambda one: _power(one.card, view.round)) if leads and luck.roll(_HURRIES) == 1 else move


def _leads_for_tricks(now: Sight, seat: Seat) -> bool:
    """Tell whether the seat leads a trick while it still needs one."""
    return not now.trick and now.taken[seat] < (now.bids[seat] or 0)


def _power(card: Card, now: Sight) -> int:
    return strength(card, card.suit, now.deal.trump, now.deal.crowned)
