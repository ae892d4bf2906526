"""What a table of poker plays: the three games street by street, and the house rules.

The rules of the poker that lily had are lost; these games are the ones that chat rooms of its time played, and the
choices are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

import attrs

from rules.kit import Malformed, Refused
from rules.poker.betting import Limit, Terms

Variant = Literal["draw", "stud7", "holdem"]
VARIANTS: tuple[Variant, ...] = ("draw", "stud7", "holdem")
MOST, MOST_HOLDEM = 8, 10
"""Players; hold'em has cards for more."""


@attrs.frozen
class Street:
    """A round of a hand: what is dealt to each seat or to the board, whether it draws, which bet it has."""

    down: int = 0
    up: int = 0
    board: int = 0
    draw: bool = False
    big: bool = False


STREETS: dict[Variant, tuple[Street, ...]] = {
    "draw": (Street(down=5), Street(draw=True, big=True)),
    "stud7": (
        Street(down=2, up=1),
        Street(up=1),
        Street(up=1, big=True),
        Street(up=1, big=True),
        Street(down=1, big=True),
    ),
    "holdem": (Street(down=2), Street(board=3), Street(board=1, big=True), Street(board=1, big=True)),
}


@attrs.frozen
class Blinds:
    """The small and the big blind, written `1/2`."""

    small: int
    big: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the blinds that `1/2` names; raises `Malformed`."""
        small, slash, big = text.strip().partition("/")
        if not (slash and all(part.isascii() and part.isdigit() and len(part) < 8 for part in (small, big))):
            raise Malformed(text)
        return cls(int(small), int(big))

    def __str__(self) -> str:
        return f"{self.small}/{self.big}"


@attrs.frozen
class Options:
    """The house rules of a table."""

    variant: Variant | Literal["choice"] = "draw"
    """The game: five-card draw, seven-card stud, hold'em, or what each dealer chooses."""
    limit: Limit = "fixed"
    """Fixed bets, or up to what is in the pot, or up to all one has."""
    ante: int | Literal["auto"] = "auto"
    """What everybody pays before the cards: 1, but nothing at hold'em."""
    small_bet: int = 2
    """The bet of the first streets; without fixed limit the least bet of all."""
    big_bet: int = 4
    """The bet of the later streets with fixed limit."""
    bring_in: int = 1
    """What the lowest face-up card has to bet at stud."""
    blinds: Blinds = Blinds(1, 2)
    """What the two seats left of the dealer bet before the cards at hold'em."""
    cap: int | Literal["none"] = 4
    """How many bets and raises a street may have with fixed limit."""
    heads_up_cap: bool = True
    """Whether that holds where only two are left."""
    max_draw: int = 5
    """How many cards may be thrown at draw."""
    openers: Literal["any", "jacks"] = "any"
    """What the first bet at draw takes: nothing, or a pair of jacks or better."""
    buyin: int = 100
    """The chips that a seat begins with, where it has brought no others."""
    hands: int | Literal["unlimited"] = "unlimited"
    """How many hands the session has."""
    showdown: Literal["muck", "ask", "all"] = "muck"
    """Whether who has lost throws the hand away unseen, is asked, or has to show it."""

    def ante_of(self, variant: Variant) -> int:
        """Return what everybody pays before the cards of a game."""
        if self.ante == "auto":
            return 0 if variant == "holdem" else 1
        return self.ante

    def least(self, street: Street) -> int:
        """Return the least bet of a street; with fixed limit there is no other."""
        return self.big_bet if street.big and self.limit == "fixed" else self.small_bet

    @property
    def terms(self) -> Terms:
        """How the table bets."""
        cap = None if self.cap == "none" or self.limit != "fixed" else self.cap
        return Terms(self.limit, cap, self.heads_up_cap)

    @property
    def games(self) -> tuple[Variant, ...]:
        """The games that may be played."""
        return VARIANTS if self.variant == "choice" else (self.variant,)

    @property
    def seats(self) -> range:
        """How many may sit."""
        return range(2, (MOST_HOLDEM if self.variant == "holdem" else MOST) + 1)


_MOST_CHIPS, _MOST_HANDS = 1_000_000, 10_000


def _bounds(options: Options) -> Iterator[tuple[str, object, int, int]]:
    """Yield options with the least and the most they may be: what follows another may not be against it."""
    small = options.small_bet
    yield "small-bet", small, 2 if "stud7" in options.games else 1, _MOST_CHIPS
    yield "big-bet", options.big_bet, small, _MOST_CHIPS
    yield "ante", options.ante, 0, _MOST_CHIPS
    yield "cap", options.cap, 1, 100
    yield "max-draw", options.max_draw, 1, 5
    yield "buyin", options.buyin, 1, _MOST_CHIPS
    yield "hands", options.hands, 1, _MOST_HANDS
    if "stud7" in options.games:
        yield "bring-in", options.bring_in, 1, small - 1
    if "holdem" in options.games:
        yield "big blind", options.blinds.big, 1, small
        yield "small blind", options.blinds.small, 0, options.blinds.big


def agreed(options: Options, seats: int) -> None:
    """Raise `Refused` for options that cannot be, or that do not fit the seats."""
    if seats not in options.seats:
        raise Refused("bad-seats", low=options.seats[0], high=options.seats[-1])
    for name, value, low, high in _bounds(options):
        if isinstance(value, int) and not low <= value <= high:
            raise Refused("bad-option", option=name, low=low, high=high)
    if options.openers == "jacks" and "draw" not in options.games:
        raise Refused("openers-are-for-draw")
