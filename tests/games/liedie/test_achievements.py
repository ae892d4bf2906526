"""Achievements of Lie Die, from the events of a finished game."""

import pytest

from lilygames.games.liedie.achievements import ACHIEVEMENTS
from lilygames_rules.dice.throws import Throw
from lilygames_rules.liedie import Challenged


@pytest.mark.parametrize(
    ("claim", "lied", "expected"),
    [("66666", True, [[1], []]), ("66666", False, [[], [0]]), ("66665", True, [[], []])],
)
def test_yahtzee_counts_for_the_one_who_was_right(claim, lied, expected):
    event = Challenged(1, 0, Throw.parse(claim), Throw.parse("11111" if lied else claim), lied)

    assert expected == [[*one.seats([event], None)] for one in ACHIEVEMENTS]
