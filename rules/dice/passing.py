"""One round of Liars Dice: five poker dice go from seat to seat with claims that rise.

From the CONNECT documentation of Liars Dice; what a table may play otherwise comes in from the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import attrs

from rules.dice.claims import Claim as Hand
from rules.dice.claims import ladder
from rules.kit import Event, Refused, Seat

ROLLS, ROLLS_AFTER_ALL = 2, 3
To = Literal["any", "next"]


@attrs.frozen
class Peek:
    """Look at the hidden dice."""


@attrs.frozen
class Claim:
    """Pass the dice with a claim to a seat, None for the next one; while answering, it takes and passes them unseen."""

    hand: Hand
    to: Seat | None = None


@attrs.frozen
class ClaimMade(Event):
    """A seat passes the dice to another with a claim; `looked` is whether it has looked at what it passes."""

    seat: Seat
    hand: Hand
    to: Seat
    looked: bool
    unseen: bool
    """Whether it passed on what it had just been offered, without taking it."""


@attrs.frozen
class Challenged(Event):
    """A seat calls a claim a lie, and all see the dice: `honest` is whether they are as good as the claim or better."""

    seat: Seat
    passer: Seat
    hand: Hand
    dice: tuple[int, ...]
    honest: bool


@attrs.frozen
class Passing:
    """One round, all of it public but the dice. The holder has the dice, or is offered them with the last claim."""

    holder: Seat
    passer: Seat | None = None
    hand: Hand | None = None
    taken: bool = True
    rolls: int = 0
    whole: bool = False
    """Whether the holder's first roll was of all five dice."""
    looked: bool = False
    """Whether the holder has looked at the dice since taking them."""
    vouched: bool = False
    """Whether the passer had looked at what it passed."""
    over: Hand | None = None
    """The claim that the last one had to be higher than."""
    rolled: int = 0
    """How often the passer had rolled."""

    @property
    def left(self) -> int:
        """Two rolls, and "if all five dice are rolled", two more after that."""
        return (ROLLS_AFTER_ALL if self.whole else ROLLS) - self.rolls

    @property
    def least(self) -> Hand | None:
        """The lowest hand that may be claimed; None where nothing is higher."""
        rung = self.hand.rung + 1 if self.hand else 0
        return ladder()[rung] if rung < len(ladder()) else None


def recipients(seats: int, seat: Seat, passing: To) -> tuple[Seat, ...]:
    """Return whom a seat may pass the dice to, the next one first."""
    return tuple((seat + step) % seats for step in range(1, 2 if passing == "next" else seats))


@attrs.frozen
class Claims(Sequence[Any]):
    """All claims from the lowest allowed: to the next seat unnamed, then to each seat named; made as looked at."""

    least: Hand | None
    to: tuple[Seat | None, ...]

    @property
    def hands(self) -> tuple[Hand, ...]:
        """The hands that may be claimed, lowest first."""
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
        return isinstance(move, Claim) and move.to in self.to and move.hand in self.hands


def passed(now: Passing, move: Claim, allowed: Sequence[Seat]) -> tuple[Passing, ClaimMade]:
    """Return the round after the holder passes the dice with a claim, higher than the last.

    Who is answering a claim passes them on unseen. Raises `Refused`, for a claim too low with the lowest that would do.
    """
    if now.hand and not move.hand.beats(now.hand):
        raise Refused("not-higher", hand=now.hand, least=now.least)
    to = allowed[0] if move.to is None else move.to
    if to not in allowed:
        raise Refused("bad-recipient", seats=tuple(allowed))
    made = ClaimMade(now.holder, move.hand, to, now.looked, not now.taken)
    offered = Passing(
        to, now.holder, move.hand, taken=False, vouched=now.looked, over=now.hand, rolled=now.rolls if now.taken else 0
    )
    return offered, made
