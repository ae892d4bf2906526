"""Moves and events of Liar's Lair."""

from __future__ import annotations

from typing import Literal

import attrs

from lilygames_rules.kit import Event as Happening
from lilygames_rules.kit import Seat

Way = Literal["honest", "absolution", "identity"]
"""Ways to declare: nobody can prove the declarer a liar, all its cards are provable lies, or by its identity."""


# Moves.


@attrs.frozen
class Volunteer:
    """Offer to start the first round."""


@attrs.frozen
class Pass:
    """Don't volunteer, don't declare, or expose nothing."""


@attrs.frozen
class Play:
    """Play a card from your hand."""

    card: int


@attrs.frozen
class Take:
    """Take a card from the hand of the player you knocked out."""

    card: int


@attrs.frozen
class Gift:
    """Give the victor a card after being knocked out."""

    card: int


@attrs.frozen
class Discard:
    """Put a card on the table after being knocked out; it can be reclaimed."""

    card: int


@attrs.frozen
class Reclaim:
    """Take a card from the table into your hand."""

    card: int


@attrs.frozen
class Declare:
    """Declare yourself the winner."""

    way: Way = "honest"


@attrs.frozen
class Expose:
    """Show the declarer a card: if it is true and contradicts one of theirs, they are proven a liar."""

    card: int


Move = Volunteer | Pass | Play | Take | Gift | Discard | Reclaim | Declare | Expose


# Events. They carry a card's text, because its number means nothing to players.

Told = tuple[int, str]
"""The number of a card and its statement."""


@attrs.frozen
class GameBegun(Happening):
    """The game began: cards per seat, the characters by seat ("" if secret), and all characters by name."""

    cards: int
    characters: tuple[str, ...]
    cast: tuple[str, ...]


@attrs.frozen
class Dealt(Happening):
    """A seat was dealt its cards, learned which are true, and its character if that is secret."""

    seat: Seat
    cards: tuple[tuple[int, str, bool], ...]
    character: str

    def seen_by(self, seat: Seat | None) -> Dealt | None:
        """Return the event for the seat, None for all others."""
        return self if seat == self.seat else None


@attrs.frozen
class Volunteered(Happening):
    """A seat volunteered to start."""

    seat: Seat


@attrs.frozen
class Passed(Happening):
    """A seat passed: it didn't volunteer, declare or expose anything."""

    seat: Seat


@attrs.frozen
class RoundBegun(Happening):
    """A round began with this starter."""

    number: int
    starter: Seat


@attrs.frozen
class CardPlayed(Happening):
    """A seat played a card."""

    seat: Seat
    card: Told


@attrs.frozen
class Contradicted(Happening):
    """Two cards on the table contradicted each other: both left the game, and the liar is knocked out."""

    truth: Told
    lie: Told
    victor: Seat
    victim: Seat


@attrs.frozen
class KnockedOut(Happening):
    """A seat was knocked out: for contradicting a truth, a wrong declaration, a proven lie or exposing a lie."""

    seat: Seat
    reason: Literal["contradiction", "both", "proven", "false-proof", "absolution", "identity"]


@attrs.frozen
class HandShown(Happening):
    """The victor saw the hand of the knocked-out seat, but not which cards are true."""

    victor: Seat
    victim: Seat
    cards: tuple[Told, ...]

    def seen_by(self, seat: Seat | None) -> HandShown | None:
        """Return the event for the victor, None for all others."""
        return self if seat == self.victor else None


@attrs.frozen
class CardTaken(Happening):
    """The victor got a card from the knocked-out hand; only the two of them know which (others see None)."""

    victor: Seat
    victim: Seat
    card: Told | None
    gift: bool

    def seen_by(self, seat: Seat | None) -> CardTaken:
        """Return the whole event for the two seats, without the card for others."""
        return self if seat in (self.victor, self.victim) else attrs.evolve(self, card=None)


@attrs.frozen
class CardDiscarded(Happening):
    """A knocked-out seat put a card on the table."""

    seat: Seat
    card: Told


@attrs.frozen
class CardReclaimed(Happening):
    """A seat took a card from the table."""

    seat: Seat
    card: Told


@attrs.frozen
class Declared(Happening):
    """A seat declared itself the winner and showed its hand or its character."""

    seat: Seat
    way: Way
    cards: tuple[Told, ...]
    character: str


@attrs.frozen
class CardExposed(Happening):
    """A seat showed the declarer a card and everyone learned the effect; others don't see the card."""

    seat: Seat
    declarer: Seat
    card: Told | None
    effect: Literal["proof", "lie", "nothing"]

    def seen_by(self, seat: Seat | None) -> CardExposed:
        """Return the whole event for the two seats, without the card for others."""
        return self if seat in (self.seat, self.declarer) else attrs.evolve(self, card=None)


Reason = Literal["last", "honest", "absolution", "identity", "rounds"]
"""Reasons for the end: one seat left, a declaration stood, or the last round was played."""


@attrs.frozen
class GameEnded(Happening):
    """The game ended."""

    winners: tuple[Seat, ...]
    reason: Reason


Event = (GameBegun | Dealt | Volunteered | Passed | RoundBegun | CardPlayed | Contradicted | KnockedOut | HandShown) | (
    CardTaken | CardDiscarded | CardReclaimed | Declared | CardExposed | GameEnded
)
