"""Achievements of lily-poker, from the events that everyone saw."""

from lilygames.games.lilypoker.achievements import ACHIEVEMENTS
from lilygames_rules.lilypoker import HandBegun
from lilygames_rules.poker.deal import HandShown
from lilygames_rules.poker.hands import Kind, Worth
from lilygames_rules.poker.session import HandScored

QUADS, UNSEEN = (one.seats for one in ACHIEVEMENTS)
BEGUN = HandBegun(1, "unlimited", "draw", 0, 0, ((0, 100), (1, 100)))


def scored(*changes):
    return HandScored(1, changes, ((0, 100), (1, 100)))


def test_four_of_a_kind_counts_if_it_was_shown_and_won():
    shown = HandShown(0, (), Worth(Kind.QUADS, (14, 2)))

    assert [0] == [*QUADS([BEGUN, shown, scored(10, -10)], None)]
    assert [] == [*QUADS([BEGUN, shown, scored(-10, 10)], None)]
    assert [] == [*QUADS([BEGUN, scored(10, -10)], None)]
    assert [] == [*QUADS([BEGUN, HandShown(0, (), Worth(Kind.FULL_HOUSE, (14, 2))), scored(10, -10)], None)]


def test_many_chips_count_if_the_winner_showed_nothing():
    assert [0] == [*UNSEEN([BEGUN, scored(40, -40)], None)]
    assert [] == [*UNSEEN([BEGUN, scored(39, -39)], None)]
    assert [] == [*UNSEEN([BEGUN, HandShown(0, (), None), scored(40, -40)], None)]
