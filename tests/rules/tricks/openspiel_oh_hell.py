"""Deal a round of an exact-bid game to OpenSpiel's `oh_hell` again, and play it on both sides.

OpenSpiel plays one round with a random dealer, but always deals from its first player. It numbers cards by rank and
then suit, and bids from 52 up. It scores otherwise, so scores are left out. Its players sit in our order of play.
"""

from __future__ import annotations

import re

from rules.cards import DECK
from rules.tricks.exactbid import Bid

BIDS = len(DECK)


def number_of(card):
    """OpenSpiel's number of a card: rank by rank, in each clubs, diamonds, spades, hearts."""
    return (card.rank - 2) * 4 + "CDSH".index(card.suit)


def action_of(move):
    return BIDS + move.tricks if isinstance(move, Bid) else number_of(move.card)


def theirs(game, now):
    """Return the same round in OpenSpiel: tricks, dealer, cards one at a time from its first player, trump card."""
    state = game.new_initial_state()
    order = now.deal.order
    cards = [number_of(card) for turn in zip(*(now.hands[seat] for seat in order), strict=True) for card in turn]
    for action in (now.deal.cards, order.index(now.deal.dealer), *cards, number_of(now.deal.turned)):
        state.apply_action(action)
    return state


def tricks_won(order, state):
    """Return the tricks taken by our seats."""
    won = tuple(map(int, re.search(r"Tricks Won: +([\d ]+)", str(state))[1].split()))
    return tuple(won[order.index(seat)] for seat in range(len(order)))


def agree(rules, state, game, luck):
    """Play a match's first round at random on both sides: turns, legal moves and tricks must be the same."""
    order, other = state.round.deal.order, theirs(game, state.round)
    while not other.is_terminal():
        seat, now = rules.turn(state), state.round
        moves = {action_of(move): move for move in rules.moves(state, seat)}

        assert (order[other.current_player()], other.legal_actions()) == (seat, sorted(moves))
        action = luck.choice(sorted(moves))
        other.apply_action(action)
        state = rules.apply(state, seat, moves[action], luck).state
        if state.match.sheet:
            assert tricks_won(order, other) == state.match.sheet[0].taken
        elif state.round.tricks != now.tricks:
            assert tricks_won(order, other) == state.round.taken
    assert state.match.sheet


def load(pyspiel, seats, size):
    return pyspiel.load_game(f"oh_hell(players={seats},num_tricks_fixed={size},off_bid_penalty=true)")
