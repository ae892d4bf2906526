"""Hands of poker as a test states them: the cards dealt, and the moves."""

from __future__ import annotations

from itertools import chain, zip_longest

import pytest

from lilygames_rules import lilypoker
from lilygames_rules.cards import Card, cards
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.lilypoker import Choose
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.deal import Discard, Muck, Show
from lilygames_rules.poker.table import Options

NEVER = Scripted()
PLAIN = {"check": Check(), "call": Call(), "fold": Fold(), "stand": Discard(), "show": Show(), "muck": Muck()}


def script(hands, then="", dealer=None):
    """Return the draws of a hand: the dealer (None: already fixed), and a deck that deals `AS AD | KH 7C` clockwise.

    The first of the hands belongs to the seat on the dealer's left; `then` is the cards that come next.
    """
    dealt = chain.from_iterable(zip_longest(*(cards(hand) for hand in hands.split("|"))))
    deck = (*(card for card in dealt if card), *cards(then))
    return Scripted(*([] if dealer is None else [dealer]), deck)


def begun(held, then="", chips=(), /, **options):
    """Return the first hand of a session; the last seat deals, so that seat 0 is the dealer's left."""
    seats = held.count("|") + 1
    return lilypoker.start(seats, Options(**options), chips, script(held, then, dealer=seats - 1))


def move(word):
    verb, *rest = word.split()
    match verb:
        case "bet":
            return Bet(int(rest[0]))
        case "raise":
            return Raise(int(rest[0]))
        case "discard":
            return Discard(tuple(map(Card.parse, rest)))
        case "variant":
            return Choose(rest[0])
    return PLAIN[verb]


def said(step, text, luck=NEVER):
    """Return the step after these moves of the seats in turn: `check, bet 2, call`; it has the events of all."""
    events, state = [], step.state
    for word in text.split(", "):
        step = lilypoker.apply(state, lilypoker.turn(state), move(word), luck)
        state = step.state
        events += step.events
    return lilypoker.Step(state, tuple(events))


def event(step, kind, *, last=False):
    return next(one for one in (step.events[::-1] if last else step.events) if isinstance(one, kind))


def kinds(step):
    return [type(one) for one in step.events]


def refused(state, seat, made):
    made = move(made) if isinstance(made, str) else made
    with pytest.raises(Refused) as caught:
        lilypoker.apply(state, seat, made, NEVER)
    return caught.value


def code(state, seat, made):
    return refused(state, seat, made).code


def at_random(seats, options, seed, purses=(), most=10**6):
    luck = KeyedLuck(f"{seed}".encode())
    step = lilypoker.start(seats, options, purses, luck)
    yield step
    while (seat := lilypoker.turn(step.state)) is not None and most:
        step = lilypoker.apply(step.state, seat, luck.choice(lilypoker.moves(step.state, seat)), luck)
        most -= 1
        yield step
