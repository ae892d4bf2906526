"""Remarks of bots about bids that all have challenged, and about the count."""

import pytest

from lilygames.games.liarspoker import talk as liarspoker
from rules.bidding.ladder import Bid, Challenged, Stood
from rules.liarspoker import HandScored as Settled


def told(remarks):
    return {(one.seat, one.sayings.for_all) for one in remarks}


def says(seat, sayings):
    return seat, sayings.for_all


def test_last_challenger_and_a_bidder_who_stands_speak():
    bid = Bid(5, 7)

    assert {says(3, liarspoker._DOUBTED)} == told(liarspoker.remarks([Challenged(3, bid, 1)]))
    assert set() == told(liarspoker.remarks([Challenged(3, bid, None)]))
    assert {says(1, liarspoker._STANDS)} == told(liarspoker.remarks([Stood(1, bid)]))


@pytest.mark.parametrize(
    ("units", "bidder", "others"),
    [(1, liarspoker._MADE, liarspoker._WRONG), (-1, liarspoker._FAILED, liarspoker._RIGHT)],
)
def test_bidder_and_challengers_speak_of_the_count(units, bidder, others):
    found = told(liarspoker.remarks([Settled(0, Bid(5, 7), "made", units, (2 * units, -units, -units))]))

    assert {says(0, bidder), says(1, others), says(2, others)} <= found
