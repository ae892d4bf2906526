"""Sharks of Ohell play for the win in the last rounds of a match, and for points before."""

import attrs
import pytest

from lilygames.game import Budget
from lilygames.games.ohell.house import PLAYERS, finish
from lilygames_rules import ohell
from lilygames_rules.cards import cards
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.ohell import Match, Options, View
from lilygames_rules.tricks.exactbid import Bid, Deal, Row, Sight


def last_round(scores, largest=3):
    """Return the view of the first bidder of the last round, who holds one card."""
    state = ohell.start(len(scores), ohell.Options(max=largest, first_dealer="host"), (), KeyedLuck(b"deal")).state
    while len(state.match.sheet) < state.match.rounds - 1:
        seat = ohell.turn(state)
        state = ohell.apply(state, seat, ohell.moves(state, seat)[0], KeyedLuck(b"deal")).state
    return attrs.evolve(state, match=attrs.evolve(state.match, scores=scores))


def bids(hand, turned, scores):
    """Return the bid for points and the bid for the win, if the hand's owner bids first in the last round but one."""
    (up,), nobody = cards(turned), (0, 0, 0)
    sheet = [Row(size, 0, nobody, nobody, nobody) for size in (1, 2, 3)]
    now = Sight(Deal(4, 2, (0, 1, 2), 2, up, up.suit), cards(hand), (None,) * 3, nobody, (), (), 0)
    view = View(0, Match(Options(max=3), 3, 0, 3, scores, tuple(sheet)), now)
    searches = (PLAYERS.search, PLAYERS.search_to_win)
    return [search(view, [*map(Bid, range(3))], KeyedLuck(b"luck"), Budget(6000)).tricks for search in searches]


@pytest.mark.parametrize(("hand", "turned", "points"), [("9C 6D", "6C", 2), ("AH 6S", "10S", 2), ("QD 6S", "6C", 0)])
def test_leader_bids_one_of_two_tricks_which_is_never_missed_by_two(hand, turned, points):
    """Two tricks too many or too few cost eight points, and one trick one."""
    assert [points, 1] == bids(hand, turned, (30, 0, 0))


def test_those_with_the_most_points_share_the_win():
    state = last_round((20, 20, 0))

    assert 1 / 2 == finish(ohell.view(state, 0)).equity(0, (10, 10, 10), (0, 0, 0))


@pytest.mark.parametrize("largest", [3, 5, 9])
def test_finish_is_the_same_however_long_the_match_was(largest):
    state = last_round((20, 15, 0), largest)

    assert (20, 15, 0) == finish(ohell.view(state, 0)).standings
    assert 0 == finish(ohell.view(state, 0)).spread


def test_first_round_of_a_match_is_played_for_points():
    state = ohell.start(3, ohell.Options(max=3), (), KeyedLuck(b"deal")).state

    assert finish(ohell.view(state, 0)) is None


@pytest.mark.parametrize("scores", [(0, 100, 0), (100, 0, 0)])
def test_match_that_is_decided_is_played_for_points(scores):
    state = last_round(scores)
    seat = ohell.turn(state)
    view, moves = ohell.view(state, seat), ohell.moves(state, seat)
    searches = (PLAYERS.search, PLAYERS.search_to_win)
    points, win = [search(view, moves, KeyedLuck(b"luck"), Budget(3000)) for search in searches]

    assert points == win
