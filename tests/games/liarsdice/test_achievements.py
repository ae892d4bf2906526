"""Achievements of Liars Dice, from the events of a finished game."""

import pytest

from lilygames.games.liarsdice.achievements import ACHIEVEMENTS
from lilygames_rules.dice.claims import Claim
from lilygames_rules.dice.passing import Challenged


@pytest.mark.parametrize(
    ("claim", "honest", "expected"),
    [("five aces", False, [[1], []]), ("five aces", True, [[], [0]]), ("four aces", False, [[], []])],
)
def test_royal_claim_counts_for_the_one_who_was_right(claim, honest, expected):
    event = Challenged(1, 0, Claim.parse(claim), (6, 6, 6, 6, 6 if honest else 5), honest)

    assert expected == [[*one.seats([event], None)] for one in ACHIEVEMENTS]
