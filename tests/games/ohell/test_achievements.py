"""Achievements of Ohell, from the events of a finished game."""

from lilygames.games.ohell.achievements import ACHIEVEMENTS
from lilygames_rules.cards import Card
from lilygames_rules.tricks.exactbid import HandDealt, RoundScored


def dealt(*hands):
    return [HandDealt(seat, tuple(map(Card.parse, hand.split()))) for seat, hand in enumerate(hands)]


def test_null_bid_with_four_aces_counts_if_it_was_made():
    aces = ACHIEVEMENTS[0].seats
    hands = dealt("AC AD AH AS 2C", "2D 3D 4D 5D 6D")

    assert [0] == [*aces([*hands, RoundScored(1, (0, 2), (0, 5), (0, 0), (0, 0))], None)]
    assert [] == [*aces([*hands, RoundScored(1, (0, 2), (1, 4), (0, 0), (0, 0))], None)]
    assert [] == [*aces([*dealt("AC AD AH KS 2C", "2D"), RoundScored(1, (0, 2), (0, 5), (0, 0), (0, 0))], None)]
