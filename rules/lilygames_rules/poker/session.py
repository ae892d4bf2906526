"""A poker session between hands: players and chips, joining, leaving and going broke, and the score sheet."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from lilygames_rules.changed import changed
from lilygames_rules.kit import Event, Refused, Seat
from lilygames_rules.poker.betting import Terms, added, around
from lilygames_rules.poker.deal import Deal
from lilygames_rules.poker.table import Options, Variant
from lilygames_rules.poker.tallies import Tallies

FEWEST = 2
"""Fewest players for a hand."""
ROWS = 12
"""Number of latest hands on the score sheet."""


@attrs.frozen
class HandScored(Event):
    """Each seat's win or loss in a hand, and the chips of everyone who sits or played."""

    number: int
    changes: tuple[int, ...]
    chips: tuple[tuple[Seat, int], ...]


@attrs.frozen
class WentBroke(Event):
    """A seat has no chips left; it sits out until it adds some."""

    seat: Seat


@attrs.frozen
class SatDown(Event):
    """A new player, or a seat with new chips, joins from the next hand on."""

    seat: Seat


@attrs.frozen
class GotUp(Event):
    """A player left for good with their chips."""

    seat: Seat


@attrs.frozen
class Row:
    """A row of the score sheet: one hand with each seat's win or loss."""

    number: int
    variant: Variant
    changes: tuple[int, ...]


@attrs.frozen
class Match:
    """The public state between two hands."""

    options: Options
    chips: tuple[int, ...]
    """Chips by seat, as of the start of the current hand."""
    bought: tuple[int, ...]
    """Total chips each seat has brought."""
    sitting: tuple[Seat, ...]
    """Seats whose player hasn't left, broke or not."""
    dealer: Seat
    """Dealer of the current hand, or of the next one."""
    played: int = 0
    carried: int = 0
    """Chips left in the pot by hands that nobody opened."""
    held_over: tuple[Seat, ...] = ()
    """Broke seats that still have a share in those chips."""
    sheet: tuple[Row, ...] = ()
    tallies: tuple[Tallies, ...] = attrs.field(default=(), metadata={"added later": True})
    """Counts of what each seat was seen to do; those of the last seats may be missing."""
    full_bets: bool = attrs.field(default=False, metadata={"added later": True})
    """Whether short all-ins and blinds are played as today (`Terms.full_bets`); not in version 1."""

    @property
    def terms(self) -> Terms:
        """The betting rules of this session."""
        return self.options.terms_with(full_bets=self.full_bets)

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats in the next hand."""
        return _players(self.sitting, self.chips, self.held_over)

    @property
    def ended(self) -> bool:
        """Whether all hands have been played or fewer than two can play; a pot left over is played for first."""
        hands = self.options.hands
        return (isinstance(hands, int) and self.played >= hands and not self.carried) or len(self.players) < FEWEST


def _players(sitting: tuple[Seat, ...], chips: Sequence[int], held_over: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple([seat for seat in sitting if chips[seat] or seat in held_over])


def changes(match: Match) -> tuple[int, ...]:
    """Return each seat's win or loss so far, without the current hand."""
    return tuple(held - brought for held, brought in zip(match.chips, match.bought, strict=True))


def booked(match: Match, deal: Deal) -> tuple[Match, tuple[Event, ...]]:
    """Return the match after a hand, and the events: chips, broke seats, players who leave; the deal passes left."""
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
    """Return the match at its end; a pot left over goes to the last seats that could play for it."""
    if not match.carried:
        return match
    heir = next(iter(match.players), match.dealer)
    return changed(match, chips=added(match.chips, heir, match.carried), carried=0, held_over=())


def joined(match: Match, seat: Seat, purse: int, playing: Sequence[Seat]) -> Match:
    """Return the match with a new player in the next seat, or with chips for a broke seat.

    Both play from the next hand on. Raises `Refused`; the seats in the current hand (`playing`) can't add chips.
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
    """Return the match after a player leaves; raises `Refused` if they already had."""
    if seat not in match.sitting:
        raise Refused("bad-seat")
    return changed(match, sitting=tuple(one for one in match.sitting if one != seat))


def left_of(match: Match, seat: Seat) -> Seat:
    """Return the next player clockwise, or the same seat if it is the only one."""
    return _next(match.players, seat)


def _next(players: tuple[Seat, ...], seat: Seat) -> Seat:
    return next(iter(around(players, seat + 1)), seat)
