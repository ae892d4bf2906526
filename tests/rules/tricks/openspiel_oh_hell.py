"""Deal a round of an exact-bid game to OpenSpiel's `oh_hell` again, and play it on both sides.

It scores otherwise, so scores are left out. Its players sit in our order of play.
"""

from __future__ import annotations

import re

from lab.anchoring.translation import action_of, theirs


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
