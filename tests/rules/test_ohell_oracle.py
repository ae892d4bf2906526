"""Ohell with one deck against OpenSpiel's `oh_hell`: who may bid and play what, and who takes each trick.

OpenSpiel plays one round with a dealer of its own drawing, deals from seat 0 on whoever deals, numbers cards by rank
and then suit, bids from 52 up, and scores otherwise; so each of our rounds is dealt to it anew and scores are left out.
"""

from __future__ import annotations

import re

import pytest

from rules import exactbid, ohell
from rules.cards import DECK
from rules.exactbid import Bid, Deal
from rules.kit import KeyedLuck
from rules.ohell import Match, Options, State

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel, of the oracles dependency group, is not installed")

pytestmark = pytest.mark.oracle

BIDS = len(DECK)
ROUNDS = 400


def number_of(card):
    """OpenSpiel's number of a card: rank by rank, in each clubs, diamonds, spades, hearts."""
    return (card.rank - 2) * 4 + "CDSH".index(card.suit)


def action_of(move):
    return BIDS + move.tricks if isinstance(move, Bid) else number_of(move.card)


def ours(seats, size, dealer, luck):
    """A round of `size` cards each, dealt from one deck by `dealer`, with which a game begins."""
    hands, turned = exactbid.hand_out(range(seats), dealer, size, DECK, luck)
    match = Match(Options(decks=1), seats, dealer, 51 // seats, (0,) * seats, ())
    deal = Deal(1, size, tuple(range(seats)), dealer, turned, turned.suit, None, "cancel-pair")
    return State(match, exactbid.opened(deal, hands))


def theirs(game, now):
    """The same round in OpenSpiel: tricks, dealer, the cards one at a time from seat 0, the card turned up."""
    state = game.new_initial_state()
    cards = [number_of(card) for turn in zip(*now.hands, strict=True) for card in turn]
    for action in (now.deal.cards, now.deal.dealer, *cards, number_of(now.deal.turned)):
        state.apply_action(action)
    return state


def tricks_won(state):
    return tuple(map(int, re.search(r"Tricks Won: +([\d ]+)", str(state))[1].split()))


@pytest.mark.parametrize("seats", range(3, 8))
def test_we_agree_with_openspiel_on_every_bid_card_and_trick(seats):
    """400 rounds at each size of table, from one card each to as many as the deck has."""
    luck = KeyedLuck(b"oracle %d" % seats)
    sizes = range(1, 51 // seats + 1)
    games = {
        size: pyspiel.load_game(f"oh_hell(players={seats},num_tricks_fixed={size},off_bid_penalty=true)")
        for size in sizes
    }
    for _ in range(ROUNDS):
        size = luck.choice(sizes)
        state = ours(seats, size, luck.choice(range(seats)), luck)
        other = theirs(games[size], state.round)
        while not other.is_terminal():
            seat, now = ohell.turn(state), state.round
            moves = {action_of(move): move for move in ohell.moves(state, seat)}

            assert (other.current_player(), other.legal_actions()) == (seat, sorted(moves))
            action = luck.choice(sorted(moves))
            other.apply_action(action)
            state = ohell.apply(state, seat, moves[action], luck).state
            if state.match.sheet:
                assert tricks_won(other) == state.match.sheet[0].taken
            elif state.round.tricks != now.tricks:
                assert tricks_won(other) == state.round.taken
        assert state.match.sheet
