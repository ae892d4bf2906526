"""Tempers of bots in lily-poker: how their bets differ from those of others where the call is close, as a club sees it.

Bold ones bet and raise with hands that are nearly good enough. Careful ones raise less. Against several opponents they
don't bluff either, and fold where a call brings little. Grumpy ones don't fold to a lone opponent where a call costs
little, and are bold after they have lost a hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import attrs

from lilygames.games.lilypoker.bots.house import strength_of
from lilygames.games.lilypoker.bots.worlds import situation
from lilygames.games.lilypoker.views.chips import OWN, Chips
from lilygames.house.moods import has_just_lost
from lilygames.house.tempers import in_character
from lilygames_rules.kit import Luck
from lilygames_rules.lilypoker import View
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise

_DARING = 1.5
"""Hands with which a bold bot bets or raises, as a multiple of those with which others do."""
_RESPECT = 1
"""Bets and raises on a street after which a bold bot doesn't raise more than others."""
_PLENTY = 0.7
"""Hands with which a careful bot raises, as a multiple of those with which others do."""
_SAVED = 0.2
"""Gain from a call, as a share of its price, below which a careful bot folds."""
_PRIDE = 0.25
"""Loss from a call, as a share of its price, that a grumpy bot takes against one opponent."""
_TWO = 2


def change(temper: str, view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return a move as a bot of this temper makes it."""
    match temper, move:
        case "bold", Check() | Call():
            return _dared(view, moves, move, luck)
        case "careful", Bet() | Raise() | Call():
            return _held_back(moves, move, _weighed(view, luck))
        case "grumpy", Check() | Call() if has_just_lost(view.seat, view.match.sheet):
            return _dared(view, moves, move, luck)
        case "grumpy", Fold():
            seen = _weighed(view, luck)
            return moves[0] if not seen.several and seen.gain >= -_PRIDE else move
    return move


def _dared(view: View, moves: Sequence[Any], move: Any, luck: Luck) -> Any:
    """Return the lowest bet or raise instead of a check or a call, if the hand is nearly good enough."""
    other = _raised(moves)
    if other is None:
        return move
    seen = _weighed(view, luck)
    return other if seen.bets < _DARING and seen.chips.count <= _RESPECT else move


def _held_back(moves: Sequence[Any], move: Any, seen: _Weighed) -> Any:
    """Return a fold instead of a call that brings little, or a check or call instead of a weak bet or raise."""
    if isinstance(move, Call):
        return moves[1] if seen.several and seen.gain < _SAVED else move
    if seen.chips.count:
        return moves[0] if seen.bets > _PLENTY else move
    return moves[0] if seen.several and seen.bets > 1 else move


@attrs.frozen(eq=False)
class _Weighed:
    """A decision as a club sees it."""

    chips: Chips
    strength: float

    @property
    def several(self) -> bool:
        """Whether more than one opponent is left."""
        return len(self.chips.living) > _TWO

    @property
    def bets(self) -> float:
        """How many hands are better, as a multiple of those with which a club bets or raises."""
        return (1 - self.strength) / self.chips.bet_share(OWN)

    @property
    def gain(self) -> float:
        """The expected gain from a call, as a share of its price."""
        now = self.chips
        owed = max(now.bets) - now.bets[now.waiting[0]]
        return self.chips.won(self.strength, OWN) * (now.pot + owed) / owed - 1


def _weighed(view: View, luck: Luck) -> _Weighed:
    assert view.deal is not None and view.seat is not None  # noqa: S101, PT018 - it has to bet
    return _Weighed(situation(view.deal), strength_of(view.deal, view.seat, luck))


def _raised(moves: Sequence[Any]) -> Bet | Raise | None:
    """Return the lowest bet or raise, if any."""
    return next((one for one in moves if isinstance(one, Bet | Raise)), None)


IN_CHARACTER = partial(in_character, change)
"""How bots play in character."""
