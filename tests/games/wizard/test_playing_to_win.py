"""Sharks of Wizard play for the win in the last rounds of a match, and for points before."""

import pytest

from lilygames.game import Budget
from lilygames.games.wizard import GAME
from lilygames.games.wizard.house import PLAYERS, finish
from lilygames_rules import wizard
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.tricks.exactbid import Row
from tests.games.wizard.positions import position

MISSED = Row(1, 0, (0, 0, 0), (1, 1, 1), (0, 0, 0))
"""A round in which nobody has made a bid."""


def bids(hand, turned, scores, rounds=3):
    """Return the bid for points and the bid for the win, if the hand's owner bids first in the third round."""
    hands = f"{hand} | 2C 3C 4C | 5C 6C 7C"
    state = position(hands, turned=turned, scores=scores, sheet=(MISSED,) * 2, number=3, rounds=rounds)
    view, moves = wizard.view(state, 0), wizard.moves(state, 0)
    searches = (PLAYERS.search, PLAYERS.search_to_win)
    return [search(view, moves, KeyedLuck(b"luck"), Budget(6000)).tricks for search in searches]


def test_leader_bids_the_sure_trick_and_no_other_that_may_come_with_it():
    assert [2, 1] == bids("W AD 3S", "10S", (50, 0, 0))


def test_someone_whom_a_likely_bid_does_not_bring_the_lead_bids_one_more():
    """Two tricks bring 40 points. The leader has 60, and isn't likely to end below 50."""
    assert [2, 3] == bids("W KS 4H", "9H", (0, 60, 50))


@pytest.mark.parametrize("scores", [(0, 200, 0), (200, 0, 0)])
@pytest.mark.parametrize("hand", ["W KS 4H", "W AD 3S", "QH 2D 5C"])
def test_match_that_is_decided_is_played_for_points(hand, scores):
    points, win = bids(hand, "9H", scores)

    assert points == win


def test_rounds_before_the_last_are_played_for_points():
    points, win = bids("W AD 3S", "10S", (50, 0, 0), rounds=20)

    assert points == win


def test_bids_made_so_far_break_a_tie():
    made = Row(1, 0, (1, 0, 0), (1, 1, 1), (0, 0, 0))
    state = position("W AD 3S | 2C 3C 4C | 5C 6C 7C", scores=(40, 40, 0), sheet=(made, MISSED), number=3, rounds=3)
    last = finish(wizard.view(state, 0))

    assert 1 == last.equity(0, (20, 20, 20), (0, 0, 0))
    assert 0 == last.equity(1, (20, 20, 20), (0, 0, 0))


def test_hint_says_how_often_the_game_is_won():
    state = position("W AD 3S | 2C 3C 4C | 5C 6C 7C", scores=(500, 0, 0), sheet=(MISSED,) * 2, number=3, rounds=3)
    advice = GAME.advise(wizard.view(state, 0), wizard.moves(state, 0), KeyedLuck(b"luck"))

    assert "With it you win the game in about 100 of 100 deals that fit what you know." == advice.sentence
