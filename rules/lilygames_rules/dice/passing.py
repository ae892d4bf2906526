"""One round of Liars Dice: five poker dice are passed on with rising claims.

From the CONNECT documentation of Liars Dice; the table's options are arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import attrs

from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import ladder, rungs
from lilygames_rules.kit import Event, Refused, Seat

ROLLS, ROLLS_AFTER_ALL = 2, 3
To = Literal["any", "next"]


@attrs.frozen
class Peek:
    """Look at the hidden dice."""


@attrs.frozen
class Claim:
    """Pass the dice with a claim to a seat (None: the next one); as an answer, take them and pass them on unseen."""

    hand: Hand
    to: Seat | None = None


@attrs.frozen
class ClaimMade(Event):
    """A seat passed the dice to another with a claim; `looked` tells whether it had looked at them."""

    seat: Seat
    hand: Hand
    to: Seat
    looked: bool
    unseen: bool
    """Whether it passed on the dice it was offered, unseen."""


@attrs.frozen
class Challenged(Event):
    """A seat challenged a claim and everyone sees the dice; `honest` tells whether the claim was true."""

    seat: Seat
    passer: Seat
    hand: Hand
    dice: tuple[int, ...]
    honest: bool


@attrs.frozen
class Passing:
    """A round in play, without the dice; the holder has the dice or is offered them with the last claim."""

    holder: Seat
    passer: Seat | None = None
    hand: Hand | None = None
    taken: bool = True
    rolls: int = 0
    whole: bool = False
    """Whether the holder's first roll was all five dice."""
    looked: bool = False
    """Whether the holder has looked at the dice."""
    vouched: bool = False
    """Whether the passer had looked at the dice."""
    over: Hand | None = None
    """The claim that the last claim had to beat."""
    rolled: int = 0
    """Rolls the passer made."""
    counts: tuple[int, ...] = ()
    """Number of dice in each of the holder's rolls; everyone sees it."""
    passer_counts: tuple[int, ...] = ()
    """Number of dice in each of the passer's rolls."""

    @property
    def left(self) -> int:
        """Rolls left: two, and two more after that "if all five dice are rolled"."""
        return (ROLLS_AFTER_ALL if self.whole else ROLLS) - self.rolls

    @property
    def least(self) -> Hand | None:
        """The lowest legal claim, None if nothing is higher."""
        rung = self.hand.rung + 1 if self.hand else 0
        return ladder()[rung] if rung < len(ladder()) else None


def recipients(seats: int, seat: Seat, passing: To) -> tuple[Seat, ...]:
    """Return the seats that a seat may pass the dice to, the next one first."""
    return tuple((seat + step) % seats for step in range(1, 2 if passing == "next" else seats))


@attrs.frozen
class Claims(Sequence[Any]):
    """All legal claims, created on demand: to the next seat unnamed, then to each seat by name."""

    least: Hand | None
    to: tuple[Seat | None, ...]

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The legal claims, lowest first."""
        return ladder()[self.least.rung :] if self.least else ()

    def __len__(self) -> int:
        return len(self.hands) * len(self.to)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        to, rung = divmod(range(len(self))[place], len(self.hands))
        return Claim(self.hands[rung], self.to[to])

    def __iter__(self) -> Iterator[Claim]:
        return (Claim(hand, to) for to in self.to for hand in self.hands)

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Claim)
            and self.least is not None
            and move.to in self.to
            and rungs().get(move.hand, -1) >= self.least.rung
        )

    def index(self, move: Any, start: int = 0, stop: int | None = None) -> int:
        """Return the place of a claim, without looking at those before it; raises `ValueError`."""
        if move in self and self.least:
            place: int = self.to.index(move.to) * len(self.hands) + move.hand.rung - self.least.rung
            if place in range(len(self))[start:stop]:
                return place
        raise ValueError(move)


def passed(now: Passing, move: Claim, allowed: Sequence[Seat]) -> tuple[Passing, ClaimMade]:
    """Return the round after the holder passes the dice with a higher claim.

    As an answer to a claim, the dice are passed on unseen. Raises `Refused`; for a low claim with the lowest legal one.
    """
    if now.hand and not move.hand.beats(now.hand):
        raise Refused("not-higher", hand=now.hand, least=now.least)
    to = allowed[0] if move.to is None else move.to
    if to not in allowed:
        raise Refused("bad-recipient", seats=tuple(allowed))
    made = ClaimMade(now.holder, move.hand, to, now.looked, not now.taken)
    offered = Passing(
        to,
        now.holder,
        move.hand,
        taken=False,
        vouched=now.looked,
        over=now.hand,
        rolled=now.rolls if now.taken else 0,
        passer_counts=now.counts,
    )
    return offered, made
