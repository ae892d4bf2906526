"""Moves and events of a betting round in poker."""

from __future__ import annotations

import attrs

from lilygames_rules.kit import Event, Seat


@attrs.frozen
class Check:
    """Check: stay in without betting, if nobody has bet more."""


@attrs.frozen
class Call:
    """Call: match the highest bet, or go all-in for less."""


@attrs.frozen
class Bet:
    """Bet first on this street; or pay the bring-in, or complete it at once."""

    to: int


@attrs.frozen
class Raise:
    """Raise the highest bet to this total on the street."""

    to: int


@attrs.frozen
class Fold:
    """Fold: give up the hand and the chips in the pot."""


Move = Check | Call | Bet | Raise | Fold


@attrs.frozen
class AntesPaid(Event):
    """Everyone paid an ante, or all they had left."""

    amounts: tuple[tuple[Seat, int], ...]


@attrs.frozen
class BlindPosted(Event):
    """A seat posted a blind before the cards."""

    seat: Seat
    amount: int
    big: bool


@attrs.frozen
class Checked(Event):
    """A seat checked."""

    seat: Seat


@attrs.frozen
class Called(Event):
    """A seat called with that many more chips, perhaps all-in."""

    seat: Seat
    amount: int
    all_in: bool


@attrs.frozen
class BroughtIn(Event):
    """The seat with the lowest card paid the forced bet."""

    seat: Seat
    amount: int
    all_in: bool


@attrs.frozen
class BetMade(Event):
    """A seat bet first."""

    seat: Seat
    to: int
    all_in: bool


@attrs.frozen
class Raised(Event):
    """A seat raised to that total on this street."""

    seat: Seat
    to: int
    all_in: bool


@attrs.frozen
class Folded(Event):
    """A seat folded."""

    seat: Seat


@attrs.frozen
class Returned(Event):
    """The uncalled part of a bet was returned to its bettor."""

    seat: Seat
    amount: int
