"""Poker variants, street by street, and the table options.

The rules of lily's own poker are lost. These are games that chat rooms of its time played; the choices are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, Self

import attrs

from lilygames_rules.kit import Malformed, Refused
from lilygames_rules.poker.betting import Limit, Terms

Variant = Literal["draw", "stud7", "holdem"]
VARIANTS: tuple[Variant, ...] = ("draw", "stud7", "holdem")
MOST, MOST_HOLDEM = 8, 10
"""Allowed numbers of players; hold'em has cards for more."""


@attrs.frozen
class Street:
    """A street of a hand: the cards dealt to each seat or the board, the draw, and the bet size."""

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
    """Small and big blind, written `1/2`."""

    small: int
    big: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `1/2`; raises `Malformed`."""
        small, slash, big = text.strip().partition("/")
        if not (slash and all(part.isascii() and part.isdigit() and len(part) < 8 for part in (small, big))):
            raise Malformed(text)
        return cls(int(small), int(big))

    def __str__(self) -> str:
        return f"{self.small}/{self.big}"


@attrs.frozen
class Options:
    """Table options."""

    variant: Variant | Literal["choice"] = "draw"
    """Five-card draw, seven-card stud, hold'em, or dealer's choice."""
    limit: Limit = "fixed"
    """Fixed limit, pot limit or no limit."""
    ante: int | Literal["auto"] = "auto"
    """Ante: by default 1, and 0 in hold'em."""
    small_bet: int = 2
    """Bet on the first streets; without fixed limit the minimum bet."""
    big_bet: int = 4
    """Bet on the later streets with fixed limit."""
    bring_in: int = 1
    """Forced bet of the lowest face-up card in stud."""
    blinds: Blinds = Blinds(1, 2)
    """Blinds of the two seats left of the dealer in hold'em."""
    cap: int | Literal["none"] = 4
    """Most bets and raises per street with fixed limit."""
    heads_up_cap: bool = True
    """Whether that limit also applies with two players left."""
    max_draw: int = 5
    """Most cards a player may discard in draw."""
    openers: Literal["any", "jacks"] = "any"
    """Opening bet in draw: with any hand, or only with a pair of jacks or better."""
    buyin: int = 100
    """Starting chips of a seat that brings none of its own."""
    hands: int | Literal["unlimited"] = "unlimited"
    """Number of hands in the session."""
    showdown: Literal["muck", "ask", "all"] = "muck"
    """Losing hands at the showdown: mucked, shown if the player wants, or always shown."""

    def ante_of(self, variant: Variant) -> int:
        """Return the ante in a game."""
        if self.ante == "auto":
            return 0 if variant == "holdem" else 1
        return self.ante

    def least(self, street: Street) -> int:
        """Return the minimum bet on a street; with fixed limit, the only one."""
        return self.big_bet if street.big and self.limit == "fixed" else self.small_bet

    @property
    def terms(self) -> Terms:
        """Return the table's betting rules."""
        return self.terms_with(full_bets=True)

    def terms_with(self, *, full_bets: bool) -> Terms:
        """Return the table's betting rules, or without `full_bets` those of version 1."""
        cap = None if self.cap == "none" or self.limit != "fixed" else self.cap
        return Terms(self.limit, cap, self.heads_up_cap, full_bets)

    @property
    def games(self) -> tuple[Variant, ...]:
        """Return the games that may be played."""
        return VARIANTS if self.variant == "choice" else (self.variant,)

    @property
    def seats(self) -> range:
        """Return the most players that may sit."""
        return range(2, (MOST_HOLDEM if self.variant == "holdem" else MOST) + 1)


_MOST_CHIPS, _MOST_HANDS = 1_000_000, 10_000


def _bounds(options: Options) -> Iterator[tuple[str, object, int, int]]:
    """Yield each option with its lowest and highest allowed value, which may depend on earlier options."""
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
    """Raise `Refused` for invalid options, or options that don't fit the number of seats."""
    if seats not in options.seats:
        raise Refused("bad-seats", low=options.seats[0], high=options.seats[-1])
    for name, value, low, high in _bounds(options):
        if isinstance(value, int) and not low <= value <= high:
            raise Refused("bad-option", option=name, low=low, high=high)
    if options.openers == "jacks" and "draw" not in options.games:
        raise Refused("openers-are-for-draw")
