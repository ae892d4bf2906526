"""Remarks of bots about bids that were made or missed."""

import pytest

from lilygames.games.liarspoker import talk as liarspoker
from lilygames_rules.bidding.ladder import Bid, Stood
from lilygames_rules.liarspoker import HandScored as Settled


def told(remarks):
    return {(one.seat, one.sayings.for_all) for one in remarks if not (one.small or one.by_others)}


def says(seat, sayings):
    return seat, sayings.for_all


def test_bidder_who_stood_against_all_and_was_right_says_so():
    found = told(liarspoker.remarks([Stood(0, Bid(5, 7)), Settled(0, Bid(5, 7), "made", 1, (2, -1, -1))]))

    assert says(0, liarspoker._STOOD) in found
    assert says(0, liarspoker._MADE) not in found


@pytest.mark.parametrize(
    ("units", "bidder", "others"),
    [(1, liarspoker._MADE, liarspoker._WRONG), (-1, liarspoker._FAILED, liarspoker._RIGHT)],
)
def test_bidder_and_challengers_speak_of_the_count(units, bidder, others):
    found = told(liarspoker.remarks([Settled(0, Bid(5, 7), "made", units, (2 * units, -units, -units))]))

    assert {says(0, bidder), says(1, others), says(2, others)} <= found
