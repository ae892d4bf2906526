"""Play the two-player solution of Liars Dice, from what a seat sees."""

from __future__ import annotations

from typing import Any

from lilygames.games.liarsdice.solution import hands, keep_places, keeps, places
from lilygames.games.liarsdice.steps import BEGIN, OPEN, Step, Way, opening, past, seen, step_from, truth_of
from lilygames.house.draws import drawn
from rules.dice.claims import best
from rules.dice.cup import Accept, Challenge, Glimpse, Named, Roll, found, others
from rules.dice.passing import Claim, Passing, Peek
from rules.kit import Luck
from rules.liarsdice import Options, View

_TWO = 2
_FINE = 10**6
"""Probabilities are drawn to this fraction."""


def solution(view: View, luck: Luck) -> Any:
    """Return a move of the two-player solution; None if it doesn't say what to do."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or not solves(view.match.options, len(view.match.scores)):
        return None
    if not now.taken:
        return _answered(view, now, cup, luck)
    return _played(now, cup, luck, view) if cup.known else Peek()


def solves(options: Options, seats: int) -> bool:
    """Tell whether the solution is about such a table."""
    return seats == _TWO and options.kickers == "monotone" and options.reveal == "opener"


def _answered(view: View, now: Passing, cup: Glimpse, luck: Luck) -> Any:
    """Accept or challenge a claim; None if the seat doesn't know what it should."""
    if now.hand is None or now.least is None:
        return Challenge()
    if cup.known:
        return Accept() if now.hand.true_of(cup.seen, view.match.options.kickers) else Challenge()
    claimed = heard(view, now, cup)
    if claimed is None:
        return None
    asked, way = claimed
    return Accept() if luck.roll(_FINE) <= _FINE * asked.believed(way, truth_of(now.hand)) else Challenge()


def heard(view: View, now: Passing, cup: Glimpse) -> tuple[Step, Way] | None:
    """Return the opponent's step, and what this seat has seen of it."""
    if now.over is None:
        return opening(), opened(cup, now.rolled)
    since = None if view.seat is None else cup.since[view.seat]
    if cup.last is None or since != sum(now.passer_counts):
        return None
    return seen(past(now.over), places()[tuple(sorted(cup.last))], now.passer_counts)


def opened(cup: Glimpse, rolls: int) -> Way:
    """Return what everyone sees of the first step: after one roll nothing, later the dice kept."""
    kept = tuple(sorted(face for face, shows in zip(cup.dice, cup.open, strict=True) if shows and face))
    if rolls == 1:
        return 0
    seconds = OPEN.second(keep_places()[kept]) if OPEN.second else 0
    return seconds if rolls == _TWO else OPEN.last(seconds, keep_places()[kept])


def _played(now: Passing, cup: Glimpse, luck: Luck, view: View) -> Any:
    """Roll or claim; None if the seat doesn't know what it should."""
    hand = places()[tuple(sorted(cup.seen))]
    claim = BEGIN if now.hand is None else past(now.hand)
    if not now.rolls:
        begun = step_from(claim, hand)
        return Claim(best(hands()[hand])) if begun is None else _rolled(cup, drawn(begun.first_kept(), luck))
    made = _made(now, cup, claim, view)
    if made is None:
        return None
    asked, way = made
    if now.left:
        kept = drawn(asked.rolls(way, hand), luck)
        if kept is not None:
            return _rolled(cup, kept)
    return Claim(best(hands()[drawn(asked.told(way, hand), luck)]))


def _made(now: Passing, cup: Glimpse, claim: int, view: View) -> tuple[Step, Way] | None:
    """Return this seat's step after its rolls, and what the opponent has seen of it."""
    if now.hand is None:
        return opening(), opened(cup, now.rolls)
    since = cup.since[1 - (view.seat or 0)]
    asked = step_from(claim, places()[tuple(sorted(cup.first))]) if cup.first else None
    if since != sum(now.counts) or asked is None:
        return None
    way = asked.way(now.counts)
    return None if way is None else (asked, way)


def _rolled(cup: Glimpse, kept: int) -> Roll:
    return Roll(others(found(Named((), keeps()[kept]), cup.dice)))
