"""Achievements of Liar's Poker, from the events of a finished game."""

import pytest

from lilygames.games.liarspoker.achievements import ACHIEVEMENTS
from lilygames_rules.bidding.ladder import Bid
from lilygames_rules.liarspoker import Counted, HandScored


@pytest.mark.parametrize(
    ("own", "units", "verdict", "expected"),
    [
        (0, 1, "made", [[0], []]),
        (1, 1, "made", [[], []]),
        (0, -1, "missed", [[], []]),
        (0, 3, "hero", [[0], [0]]),
    ],
)
def test_bid_made_without_a_digit_of_ones_own_counts(own, units, verdict, expected):
    bid = Bid(4, 7)
    events = [
        Counted(bid, ((0, own), (1, 4)), ("", "")),
        HandScored(0, bid, verdict, units, (units, -units)),
    ]

    assert expected == [[*one.seats(events, None)] for one in ACHIEVEMENTS]
