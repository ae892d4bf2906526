"""Play the two-player solution of Liars Dice, from what a seat sees.

With more than two players, each pass of the dice is a step of a two-player game between passer and receiver. The
receiver returns the dice to the passer, so that the game goes on between these two. The table's values hold only then.
If the dice went on to another seat, a believed lie would win nothing: someone else would catch its receiver. The first
player of a round passes the dice to the seat before, because that seat usually passes to the first player. The
recipient never depends on the dice, so it tells nothing about them.

A receiver who hasn't seen the dice that the passer took believes the claim as if the one before had been just true.
"""

from __future__ import annotations

from typing import Any

import attrs

from lilygames.games.liarsdice.bots.steps import BEGIN, OPEN, Step, Way, opening, past, seen, step_from, truth_of
from lilygames.games.liarsdice.solved.solution import hands, keep_places, keeps, places
from lilygames.house.draws import drawn
from lilygames_rules.dice.claims import best
from lilygames_rules.dice.cup import Accept, Challenge, Glimpse, Named, Roll, found, others
from lilygames_rules.dice.passing import Claim, Passing, Peek
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.liarsdice import Options, View

_TWO = 2
_FINE = 10**6
"""Probabilities are drawn to this fraction."""


def solution(view: View, luck: Luck) -> Any:
    """Return a move of the two-player solution; None if it doesn't say what to do."""
    now, cup = view.passing, view.cup
    if now is None or cup is None or not solves(view.match.options):
        return None
    if not now.taken:
        return _answered(view, now, cup, luck)
    if not cup.known:
        return Peek()
    move = _played(now, cup, luck)
    return attrs.evolve(move, to=recipient(view, now)) if isinstance(move, Claim) else move


def solves(options: Options) -> bool:
    """Tell whether the solution is about a table with these options."""
    return options.kickers == "monotone" and options.reveal == "opener"


def recipient(view: View, now: Passing) -> Seat | None:
    """Return the seat to pass the dice to: the one that passed them, or the one before the first player."""
    seats = len(view.match.scores)
    if seats == _TWO or view.match.options.passing == "next":
        return None
    return (now.holder - 1) % seats if now.passer is None else now.passer


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
    """Return the passer's step, and what this seat has seen of it."""
    if now.over is None:
        return opening(), opened(cup, now.rolled)
    since = None if view.seat is None else cup.since[view.seat]
    if cup.last is not None and since == sum(now.passer_counts):
        return seen(past(now.over), places()[tuple(sorted(cup.last))], now.passer_counts)
    if len(view.match.scores) == _TWO:
        return None
    return seen(past(now.over), truth_of(now.over), now.passer_counts)


def opened(cup: Glimpse, rolls: int) -> Way:
    """Return what everyone sees of the first step: after one roll nothing, later the dice kept."""
    kept = tuple(sorted(face for face, shows in zip(cup.dice, cup.open, strict=True) if shows and face))
    if rolls == 1:
        return 0
    seconds = OPEN.second(keep_places()[kept]) if OPEN.second else 0
    return seconds if rolls == _TWO else OPEN.last(seconds, keep_places()[kept])


def _played(now: Passing, cup: Glimpse, luck: Luck) -> Any:
    """Roll or claim; None if the seat doesn't know what it should."""
    hand = places()[tuple(sorted(cup.seen))]
    claim = BEGIN if now.hand is None else past(now.hand)
    if not now.rolls:
        begun = step_from(claim, hand)
        return Claim(best(hands()[hand])) if begun is None else _rolled(cup, drawn(begun.first_kept(), luck))
    made = _made(now, cup, claim)
    if made is None:
        return None
    asked, way = made
    if now.left:
        kept = drawn(asked.rolls(way, hand), luck)
        if kept is not None:
            return _rolled(cup, kept)
    return Claim(best(hands()[drawn(asked.told(way, hand), luck)]))


def _made(now: Passing, cup: Glimpse, claim: int) -> tuple[Step, Way] | None:
    """Return this seat's step after its rolls, and what the passer has seen of it."""
    if now.hand is None or now.passer is None:
        return opening(), opened(cup, now.rolls)
    since = cup.since[now.passer]
    asked = step_from(claim, places()[tuple(sorted(cup.first))]) if cup.first else None
    if since != sum(now.counts) or asked is None:
        return None
    way = asked.way(now.counts)
    return None if way is None else (asked, way)


def _rolled(cup: Glimpse, kept: int) -> Roll:
    return Roll(others(found(Named((), keeps()[kept]), cup.dice)))
