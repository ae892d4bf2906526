"""Hands of Liar's Poker as a test states them: the numbers handed out, and the calls."""

from __future__ import annotations

from itertools import chain

import pytest

from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Bid, Challenge, Stand
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.liarspoker import Options

BILLS = {"numbers": "bills", "opener": "letters"}
NEVER = Scripted()
LETTERS = " ".join(f"A{second}" for second in "ABCDEFGHIJKLMNOPQRST")
"""Letters for the largest number of seats; seat 0 has the lowest."""


def script(numbers, letters=LETTERS):
    """Return the draws that hand out the numbers `47001392 | 11111111`, with `/` between the numbers of a slip."""
    seats = zip(letters.split(), numbers.split("|"), strict=False)
    return Scripted(*chain.from_iterable(pair + number.replace("/", "").replace(" ", "") for pair, number in seats))


def begun(numbers, *, letters=LETTERS, **options):
    """Return a session with bills in which seat 0 was the unluckiest, and has the lowest letters."""
    seats = numbers.count("|") + 1
    luck = script(numbers, letters)
    return liarspoker.start(seats, Options(**{**BILLS, **options}), (-1, *(0,) * (seats - 1)), luck)


def fingers(*counts, rank):
    """Return numbers with this many digits of the rank, by seat; the rest are of the rank below (of a ten: nines)."""
    digit, other = str(rank % 10), str(rank - 1 or 3)
    return " | ".join(digit * count + other * (8 - count) for count in counts)


def said(state, text, luck=NEVER):
    """Return the step after the seats in turn make these calls: `3 sevens, x, x, =` (x challenges, = stands)."""
    for word in text.split(", "):
        move = {"x": Challenge(), "=": Stand()}.get(word) or Bid.parse(word)
        step = liarspoker.apply(state, liarspoker.turn(state), move, luck)
        state = step.state
    return step


def bid_out(state, bid, luck=NEVER):
    """Return the step after the seat in turn makes this bid, all others challenge, and it stands."""
    return said(state, f"{bid}, {'x, ' * (len(state.match.players) - 1)}=", luck)


def event(step, kind):
    return next(one for one in step.events if isinstance(one, kind))


def code(state, seat, move):
    with pytest.raises(Refused) as refused:
        liarspoker.apply(state, seat, move, NEVER)
    return refused.value.code


def at_random(seats, options, seed, most=10**6):
    luck = KeyedLuck(f"{seed}".encode())
    step = liarspoker.start(seats, options, (), luck)
    yield step
    while (seat := liarspoker.turn(step.state)) is not None and most:
        open_to = liarspoker.moves(step.state, seat)
        move = open_to[luck.choice(range(min(12, len(open_to))))]
        step = liarspoker.apply(step.state, seat, move, luck)
        most -= 1
        yield step
