"""Rounds of Liars Dice for tests: with chosen dice, after chosen moves, or played at random."""

from __future__ import annotations

import pytest

from lilygames_rules import liarsdice
from lilygames_rules.dice import claim_text
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Roll
from lilygames_rules.dice.passing import Claim
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.liarsdice import Options

ALL = Roll((1, 2, 3, 4, 5))


def dice(text):
    return tuple(claim_text.faces(text.casefold()))


def begun(text="99KQJ", seats=3, **options):
    """Return a round that seat 0 begins with these dice."""
    return liarsdice.start(seats, Options(**{"first": "host", **options}), (), Scripted(*dice(text)))


def after(step, *said, luck=""):
    """Return the step after the seat in turn makes each move; a text is a claim, `pair 9 > 2` one to a seat."""
    draws = Scripted(*dice(luck))
    for move in said:
        step = liarsdice.apply(step.state, liarsdice.turn(step.state), read(move), draws)
    return step


def read(move):
    if not isinstance(move, str):
        return move
    hand, _, to = move.partition(" > ")
    return Claim(Hand.parse(hand), int(to) if to else None)


def refused(step, move, seat=None):
    with pytest.raises(Refused) as said:
        liarsdice.apply(step.state, liarsdice.turn(step.state) if seat is None else seat, read(move), Scripted())
    return said.value


def verbs(step):
    """Return the legal moves of the seat in turn, without claims."""
    return [move for move in liarsdice.moves(step.state, liarsdice.turn(step.state)) if not isinstance(move, Claim)]


def at_random(seats, options, seed, most=10**6):
    luck = KeyedLuck(f"{seed}".encode())
    step = liarsdice.start(seats, options, (), luck)
    yield step
    while (seat := liarsdice.turn(step.state)) is not None and most:
        step = liarsdice.apply(step.state, seat, luck.choice(liarsdice.moves(step.state, seat)), luck)
        most -= 1
        yield step
