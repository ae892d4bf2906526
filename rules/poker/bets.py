"""What is said in a round of betting at poker, and what is told of it."""

from __future__ import annotations

import attrs

from rules.kit import Event, Seat


@attrs.frozen
class Check:
    """Stay in without a chip, where nobody has bet more than oneself."""


@attrs.frozen
class Call:
    """Match the highest bet, or go all-in for less."""


@attrs.frozen
class Bet:
    """Bet so many chips where nobody has yet; or pay the bring-in, or complete it at once."""

    to: int


@attrs.frozen
class Raise:
    """Bet more than somebody else has: to so many chips in all on this street."""

    to: int


@attrs.frozen
class Fold:
    """Give up the hand, and what one has paid into the pot."""


Move = Check | Call | Bet | Raise | Fold


@attrs.frozen
class AntesPaid(Event):
    """Everybody has paid an ante, or what was left for one."""

    amounts: tuple[tuple[Seat, int], ...]


@attrs.frozen
class BlindPosted(Event):
    """A seat has put in a blind bet before the cards."""

    seat: Seat
    amount: int
    big: bool


@attrs.frozen
class Checked(Event):
    """A seat stays in for nothing."""

    seat: Seat


@attrs.frozen
class Called(Event):
    """A seat matches the highest bet with so many chips more, perhaps its last."""

    seat: Seat
    amount: int
    all_in: bool


@attrs.frozen
class BroughtIn(Event):
    """The lowest card has paid the forced bet."""

    seat: Seat
    amount: int
    all_in: bool


@attrs.frozen
class BetMade(Event):
    """A seat bets first."""

    seat: Seat
    to: int
    all_in: bool


@attrs.frozen
class Raised(Event):
    """A seat raises to so many chips on this street."""

    seat: Seat
    to: int
    all_in: bool


@attrs.frozen
class Folded(Event):
    """A seat gives up its hand."""

    seat: Seat


@attrs.frozen
class Returned(Event):
    """What nobody could call goes back to who had bet it."""

    seat: Seat
    amount: int
