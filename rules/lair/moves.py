"""What seats do at Liar's Lair, and what comes of it: its moves and its events."""

from __future__ import annotations

from typing import Literal

import attrs

from rules.kit import Event as Happening
from rules.kit import Seat

Way = Literal["honest", "absolution", "identity"]
"""How a seat declares itself the winner: nobody can prove it a liar, its cards are provable lies, or who it is."""


# What a seat can do.


@attrs.frozen
class Volunteer:
    """Offer to start the first round."""


@attrs.frozen
class Pass:
    """Do not volunteer, do not declare, or expose nothing."""


@attrs.frozen
class Play:
    """Put a card of one's hand on the table."""

    card: int


@attrs.frozen
class Take:
    """Take a card from the hand of whom one has knocked out."""

    card: int


@attrs.frozen
class Gift:
    """Knocked out, give a card of one's hand to the victor."""

    card: int


@attrs.frozen
class Discard:
    """Knocked out, put a card of one's hand on the table, where it may be reclaimed."""

    card: int


@attrs.frozen
class Reclaim:
    """Take a card from the table into one's hand."""

    card: int


@attrs.frozen
class Declare:
    """Declare oneself the winner."""

    way: Way = "honest"


@attrs.frozen
class Expose:
    """Show a card of one's hand to the declarer: if it is true and contradicts theirs, they are a liar."""

    card: int


Move = Volunteer | Pass | Play | Take | Gift | Discard | Reclaim | Declare | Expose


# What happens. A card is told with its words, as nobody could know it by its number.

Told = tuple[int, str]
"""The number of a card and its statement."""


@attrs.frozen
class GameBegun(Happening):
    """So many cards went to each; who plays whom ("" where it is secret), and all who are played, by name."""

    cards: int
    characters: tuple[str, ...]
    cast: tuple[str, ...]


@attrs.frozen
class Dealt(Happening):
    """A seat gets its cards and learns which are true, and who it is, where that is a secret."""

    seat: Seat
    cards: tuple[tuple[int, str, bool], ...]
    character: str

    def seen_by(self, seat: Seat | None) -> Dealt | None:
        """Return itself for the seat, None for all others."""
        return self if seat == self.seat else None


@attrs.frozen
class Volunteered(Happening):
    """A seat offers to start."""

    seat: Seat


@attrs.frozen
class Passed(Happening):
    """A seat does not volunteer or declare, or exposes nothing."""

    seat: Seat


@attrs.frozen
class RoundBegun(Happening):
    """A round begins, and a seat starts it."""

    number: int
    starter: Seat


@attrs.frozen
class CardPlayed(Happening):
    """A seat plays a card."""

    seat: Seat
    card: Told


@attrs.frozen
class Contradicted(Happening):
    """Two cards in play contradict each other: both leave, and who played the lie is knocked out."""

    truth: Told
    lie: Told
    victor: Seat
    victim: Seat


@attrs.frozen
class KnockedOut(Happening):
    """A seat is out of the game: it contradicted a truth, declared wrongly, was proven a liar, or exposed a lie."""

    seat: Seat
    reason: Literal["contradiction", "both", "proven", "false-proof", "absolution", "identity"]


@attrs.frozen
class HandShown(Happening):
    """The victor sees the hand of whom it has knocked out, though not what is true of it."""

    victor: Seat
    victim: Seat
    cards: tuple[Told, ...]

    def seen_by(self, seat: Seat | None) -> HandShown | None:
        """Return itself for the victor, None for all others."""
        return self if seat == self.victor else None


@attrs.frozen
class CardTaken(Happening):
    """The victor gets a card of the departing hand; only the two know which (others see None)."""

    victor: Seat
    victim: Seat
    card: Told | None
    gift: bool

    def seen_by(self, seat: Seat | None) -> CardTaken:
        """Return itself for the two, a copy without the card for all others."""
        return self if seat in (self.victor, self.victim) else attrs.evolve(self, card=None)


@attrs.frozen
class CardDiscarded(Happening):
    """Whoever is knocked out puts a card on the table."""

    seat: Seat
    card: Told


@attrs.frozen
class CardReclaimed(Happening):
    """A seat takes a card from the table."""

    seat: Seat
    card: Told


@attrs.frozen
class Declared(Happening):
    """A seat declares itself the winner and shows its hand, or who it is."""

    seat: Seat
    way: Way
    cards: tuple[Told, ...]
    character: str


@attrs.frozen
class CardExposed(Happening):
    """A seat shows the declarer a card, and all learn what came of it; others see no card."""

    seat: Seat
    declarer: Seat
    card: Told | None
    effect: Literal["proof", "lie", "nothing"]

    def seen_by(self, seat: Seat | None) -> CardExposed:
        """Return itself for the two, a copy without the card for all others."""
        return self if seat in (self.seat, self.declarer) else attrs.evolve(self, card=None)


Reason = Literal["last", "honest", "absolution", "identity", "rounds"]
"""Why it is over: one seat is left, a declaration stood, or there were enough rounds."""


@attrs.frozen
class GameEnded(Happening):
    """It is over."""

    winners: tuple[Seat, ...]
    reason: Reason


Event = (GameBegun | Dealt | Volunteered | Passed | RoundBegun | CardPlayed | Contradicted | KnockedOut | HandShown) | (
    CardTaken | CardDiscarded | CardReclaimed | Declared | CardExposed | GameEnded
)
