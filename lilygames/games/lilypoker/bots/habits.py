"""Habits that bots of lily-poker remember: who folds to bets, and whose bets turn out weak when they are called.

Clubs call someone whose bets were weak more often, and sharks also simulate everyone as they know them. They go by what
they remember from earlier games and by what this table has shown. So they also learn how latecomers play.
Novices remember nobody, nor do sharks where they play by a table.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Habit, Memory, Shown
from lilygames.games.lilypoker.views.chips import CALLS, OPENER, OWN, TEMPERS, Temper
from lilygames.house.habits import STRANGER, share, weight
from lilygames_rules.kit import Seat
from lilygames_rules.poker.deal import Deal
from lilygames_rules.poker.session import Match
from lilygames_rules.poker.tallies import Tallies, Tally, seen

WEAK, FOLDS = HABITS = ("weak", "folds")
"""The habits: having at most a pair when a bet is called down, and folding rather than calling or raising."""
_FOLDS, _WEAK = 0.4, 0.2
"""Usual shares, rounded, from some hundred hands of each game between bots of several levels."""
_DOUBTS = 2.0
"""A usual player's doubts: see `Temper`."""
_LEAST, _MOST = 0.5, 4.0
"""Factors by which someone is thought to bet or call more than others."""


def reveals(events: Iterable[Any]) -> Iterator[Shown]:
    """Yield who folded or didn't, and whether the hand of a bettor who was called was weak."""
    return (Shown(one.seat, did=one.did, habit=one.subject) for one in seen(events))


def at_table(memory: Memory | None, match: Match) -> Memory | None:
    """Return a memory of earlier games with what this table has shown; None if the bot remembers nothing at all."""
    if memory is None:
        return None
    return {
        seat: {
            habit: _more(memory.get(seat, {}).get(habit, STRANGER), tally)
            for habit, tally in ((WEAK, found.weak), (FOLDS, found.folds))
        }
        for seat, found in enumerate(_padded(match.tallies, memory))
    }


def _padded(tallies: Sequence[Tallies], memory: Memory) -> Sequence[Tallies]:
    """Return the tallies with empty ones for remembered seats of which nothing has been seen yet."""
    return [*tallies, *[Tallies()] * (max(memory, default=-1) + 1 - len(tallies))]


def _more(habit: Habit, tally: Tally) -> Habit:
    return Habit(habit.yes + tally.did, habit.no + tally.times - tally.did)


@attrs.frozen
class Style:
    """How someone plays, as a bot remembers them: factors to the hands they bet and call, and how much each counts."""

    bets: float
    calls: float
    of_bets: float
    of_calls: float

    def temper(self, usual: Temper, rng: random.Random) -> Temper:
        """Return a temper for a simulated deal: each part of it is theirs as often as the memory counts."""
        if rng.random() < self.of_bets:
            usual = attrs.evolve(usual, plays=self.bets)
        if rng.random() < self.of_calls:
            usual = attrs.evolve(usual, doubts=_DOUBTS * self.calls, calls=CALLS * self.calls)
        return usual


Styles = Mapping[Seat, Style]
"""The styles of the players whom a bot remembers."""


@attrs.frozen(eq=False)
class Opponents:
    """How opponents may play in simulated deals: one of these tempers, or as a bot remembers them."""

    tempers: Sequence[Temper] = TEMPERS
    styles: Styles = attrs.field(factory=dict)

    def temper(self, seat: Seat, rng: random.Random) -> Temper:
        """Return a possible temper of a seat."""
        usual, style = self.tempers[int(rng.random() * len(self.tempers))], self.styles.get(seat)
        return style.temper(usual, rng) if style else usual


def tempers(deal: Deal) -> Sequence[Temper]:
    """Return the usual tempers of opponents in a hand; an opener has been shown to help in stud for two."""
    return (*TEMPERS, OPENER) if deal.variant == "stud7" and len(deal.betting.order) == 2 else TEMPERS  # noqa: PLR2004 - two players


def styles(memory: Memory | None) -> Styles:
    """Return the styles that a bot with a memory knows."""
    known = (memory or {}).items()
    return {seat: _style(habits) for seat, habits in known if any(one.times for one in habits.values())}


def _style(habits: Mapping[str, Habit]) -> Style:
    weak, folds = (habits.get(habit, STRANGER) for habit in HABITS)
    folded = share(folds, _FOLDS)
    odds = (1 - folded) / folded * _FOLDS / (1 - _FOLDS)
    return Style(_limited(share(weak, _WEAK) / _WEAK), _limited(odds), weight(weak), weight(folds))


def _limited(factor: float) -> float:
    return max(_LEAST, min(_MOST, factor))


def own(known: Styles, bettor: Seat | None) -> Temper:
    """Return the temper with which a bot answers a bet: it calls someone who bets more often with more hands."""
    style = known.get(bettor) if bettor is not None else None
    if style is None:
        return OWN
    return attrs.evolve(OWN, doubts=OWN.doubts * (1 + style.of_bets * (style.bets - 1)))
