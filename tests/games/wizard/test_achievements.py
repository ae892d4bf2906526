"""Achievements of Wizard, from the events of a finished game."""

from lilygames.games.wizard.achievements import ACHIEVEMENTS
from lilygames_rules.cards import WIZARD, Card
from lilygames_rules.tricks.exactbid import HandDealt, RoundScored


def test_null_bid_with_a_wizard_counts_if_it_was_made():
    hidden = ACHIEVEMENTS[0].seats
    hands = [HandDealt(0, (WIZARD, Card.parse("2C"))), HandDealt(1, (Card.parse("3C"), Card.parse("4C")))]

    assert [0] == [*hidden([*hands, RoundScored(1, (0, 0), (0, 0), (0, 0), (0, 0))], None)]
    assert [] == [*hidden([*hands, RoundScored(1, (0, 0), (1, 1), (0, 0), (0, 0))], None)]
