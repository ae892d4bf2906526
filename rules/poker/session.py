"""A session of poker between its hands: who sits with how many chips, who comes, goes and goes broke, the sheet."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rules.changed import changed
from rules.kit import Event, Refused, Seat
from rules.poker.betting import added, around
from rules.poker.deal import Deal
from rules.poker.table import Options, Variant

FEWEST = 2
"""Players that a hand needs."""
ROWS = 12
"""Hands that the score sheet keeps: the latest ones."""


@attrs.frozen
class HandScored(Event):
    """What each seat won or lost in a hand, and the chips that those have now who sit or have played it."""

    number: int
    changes: tuple[int, ...]
    chips: tuple[tuple[Seat, int], ...]


@attrs.frozen
class WentBroke(Event):
    """A seat has no chips left: it sits out until it brings some."""

    seat: Seat


@attrs.frozen
class SatDown(Event):
    """A newcomer, or a seat with new chips, plays from the next hand on."""

    seat: Seat


@attrs.frozen
class GotUp(Event):
    """A seat has got up for good, with its chips."""

    seat: Seat


@attrs.frozen
class Row:
    """A line of the score sheet: one hand, and what each seat won or lost."""

    number: int
    variant: Variant
    changes: tuple[int, ...]


@attrs.frozen
class Match:
    """All that is public between two hands."""

    options: Options
    chips: tuple[int, ...]
    """What each seat has, or had when the hand in play began."""
    bought: tuple[int, ...]
    """What each seat has brought in all."""
    sitting: tuple[Seat, ...]
    """Who has not got up, broke or not."""
    dealer: Seat
    """Who deals the hand in play, or the next one."""
    played: int = 0
    carried: int = 0
    """What is left in the pot by a hand that nobody opened."""
    held_over: tuple[Seat, ...] = ()
    """Who has a share in that though it has no chips left."""
    sheet: tuple[Row, ...] = ()

    @property
    def players(self) -> tuple[Seat, ...]:
        """Who is dealt in next."""
        return _players(self.sitting, self.chips, self.held_over)

    @property
    def ended(self) -> bool:
        """Whether all hands are played, or fewer than two can play; what is left in a pot is played for first."""
        hands = self.options.hands
        return (isinstance(hands, int) and self.played >= hands and not self.carried) or len(self.players) < FEWEST


def _players(sitting: tuple[Seat, ...], chips: Sequence[int], held_over: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple([seat for seat in sitting if chips[seat] or seat in held_over])


def changes(match: Match) -> tuple[int, ...]:
    """Return what each seat has won or lost so far; the hand in play is not counted."""
    return tuple(held - brought for held, brought in zip(match.chips, match.bought, strict=True))


def booked(match: Match, deal: Deal) -> tuple[Match, tuple[Event, ...]]:
    """Return the match after a hand, and what it brought: chips, who is broke, who gets up; the deal passes left."""
    held, order, kept = list(match.chips), deal.betting.order, deal.betting.carried
    for seat in order:
        held[seat] = deal.betting.stacks[seat]
    changes = tuple([now - before for now, before in zip(held, match.chips, strict=True)])
    number, held_over = match.played + 1, deal.betting.living if kept else ()
    players = _players(match.sitting, held, held_over)
    match = changed(
        match,
        chips=tuple(held),
        dealer=_next(players, match.dealer),
        played=number,
        carried=kept,
        held_over=held_over,
        sheet=(*match.sheet, Row(number, deal.variant, changes))[-ROWS:],
    )
    broke = [seat for seat in sorted(order) if seat in match.sitting and seat not in players]
    chips = tuple([(seat, held[seat]) for seat in sorted({*match.sitting, *order})])
    return match, (HandScored(number, changes, chips), *map(WentBroke, broke), *map(GotUp, deal.left))


def closed(match: Match) -> Match:
    """Return the match at its end: what was left in a pot falls to the last who could play for it."""
    if not match.carried:
        return match
    heir = next(iter(match.players), match.dealer)
    return changed(match, chips=added(match.chips, heir, match.carried), carried=0, held_over=())


def joined(match: Match, seat: Seat, purse: int, playing: Sequence[Seat]) -> Match:
    """Return the match with a newcomer in the next seat, or with chips for a seat that has none.

    Both play from the next hand on. Raises `Refused`; `playing` are the seats in the hand, which cannot add chips.
    """
    known = seat < len(match.chips)
    if not 0 <= seat <= len(match.chips) or seat in playing or (seat in match.sitting and match.chips[seat]):
        raise Refused("bad-seat")
    if seat not in match.sitting and len(match.sitting) == match.options.seats[-1]:
        raise Refused("table-full")
    more = (0,) * (not known)
    chips, bought = (added((*counts, *more), seat, purse) for counts in (match.chips, match.bought))
    return changed(match, chips=chips, bought=bought, sitting=tuple(sorted({*match.sitting, seat})))


def without(match: Match, seat: Seat) -> Match:
    """Return the match that a seat has left; raises `Refused` where it had already."""
    if seat not in match.sitting:
        raise Refused("bad-seat")
    return changed(match, sitting=tuple(one for one in match.sitting if one != seat))


def left_of(match: Match, seat: Seat) -> Seat:
    """Return the next player clockwise; the same seat where there is none."""
    return _next(match.players, seat)


def _next(players: tuple[Seat, ...], seat: Seat) -> Seat:
    return next(iter(around(players, seat + 1)), seat)
