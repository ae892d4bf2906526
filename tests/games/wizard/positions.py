"""Positions of Wizard from text, and random games, for the tests of its rules."""

from __future__ import annotations

import pytest

from lilygames_rules import wizard
from lilygames_rules.cards import WIZARD, cards
from lilygames_rules.kit import KeyedLuck, Refused, Scripted
from lilygames_rules.tricks import exactbid
from lilygames_rules.tricks.exactbid import Bid, Deal, Play
from lilygames_rules.wizard import Match, Options, State


def begun(seats, deal="", **options):
    luck = Scripted(cards(deal)) if deal else KeyedLuck(b"wizard")
    return wizard.start(seats, Options(**{"order": "inorder", **options}), (), luck)


def position(text, *, turned="9H", number=None, bids=(), dealer=-1, order=(), scores=(), sheet=(), **options):
    """Return a round in play from the hands by seat: `2C KH | 3C W`; if the last seat deals, seat 0 leads."""
    hands = tuple(cards(hand) for hand in text.split("|"))
    seats, size = len(hands), len(hands[0])
    order = order or tuple(range(seats))
    (up,) = cards(turned) or (None,)
    match = Match(Options(**options), order, scores or (0,) * seats, sheet)
    unnamed = up is WIZARD and match.options.wizard_up == "dealer"
    deal = Deal(number or size, size, order, dealer % seats, up, up and up.suit, WIZARD, unnamed=unnamed)
    state = State(match, exactbid.opened(deal, hands))
    for tricks in bids:
        state = wizard.apply(state, wizard.turn(state), Bid(tricks), Scripted()).state
    return state


def played(state, text, luck=None):
    step = None
    for card in cards(text):
        step = wizard.apply(state, wizard.turn(state), Play(card), luck or KeyedLuck(b"next"))
        state = step.state
    return step


def trick(text, *, turned="9H", bids=None):
    """Return the winner of a trick of these cards, by letters from the leader A."""
    hands = [f"{card} {rest}" for card, rest in zip(text.split(), ("2S", "3S", "4S", "5S"), strict=False)]
    state = position(" | ".join(hands), turned=turned, bids=bids or (0,) * len(hands))
    return "ABCD"[played(state, text).state.round.tricks[0].winner]


def code(state, seat, move):
    with pytest.raises(Refused) as refused:
        wizard.apply(state, seat, move, Scripted())
    return refused.value.code


def of_kind(kind, step):
    return [event for event in step.events if isinstance(event, kind)]


def at_random(seats, options, seed, most=10**6):
    luck = KeyedLuck(f"{seed}".encode())
    step = wizard.start(seats, options, (), luck)
    yield step
    while (seat := wizard.turn(step.state)) is not None and most:
        step = wizard.apply(step.state, seat, luck.choice(wizard.moves(step.state, seat)), luck)
        most -= 1
        yield step
