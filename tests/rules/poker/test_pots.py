"""Pots, side pots, odd chips and showing hands: the common rules of poker, sentence by sentence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.poker import pots
from lilygames_rules.poker.pots import Pot


def test_each_amount_paid_makes_a_pot():
    assert (Pot(9, (0, 1, 2)), Pot(6, (1, 2))) == pots.pots((3, 6, 6), (0, 1, 2))
    assert (Pot(4, (0, 1, 2, 3)), Pot(6, (1, 2, 3)), Pot(6, (2, 3))) == pots.pots((1, 3, 6, 6), (0, 1, 2, 3))


def test_folded_seat_pays_and_wins_nothing():
    assert (Pot(7, (0, 1)),) == pots.pots((3, 3, 1), (0, 1))
    assert (Pot(11, (1,)),) == pots.pots((5, 3, 3), (1,))


def test_folded_chips_above_all_others_go_to_the_last_side_pot():
    """A paid 5 and folded; B is all-in with 1, C with 3: 1 from each, then 4 of A's and 2 of C's."""
    assert (Pot(3, (1, 2)), Pot(6, (2,))) == pots.pots((5, 1, 3), (1, 2))


def test_carried_chips_may_be_won_by_everyone():
    assert (Pot(14, (0, 1)),) == pots.pots((2, 2), (0, 1), carried=10)
    assert (Pot(10, (0, 1, 2)), Pot(4, (1, 2))) == pots.pots((0, 2, 2), (0, 1, 2), carried=10)


def test_carried_chips_are_in_the_main_pot():
    """It doesn't make a pot of its own, so both together have one odd chip."""
    assert (Pot(19, (0, 1, 2)), Pot(6, (1, 2))) == pots.pots((3, 6, 6), (0, 1, 2), carried=10)


def test_seat_that_paid_nothing_can_win_no_pot():
    assert (Pot(4, (1, 2)),) == pots.pots((0, 2, 2), (0, 1, 2))


def test_no_pot_without_payments():
    assert () == pots.pots((0, 0), (0, 1))


@given(st.lists(st.integers(0, 50), min_size=2, max_size=8), st.data())
def test_pots_hold_all_payments(paid, data):
    living = data.draw(st.lists(st.sampled_from(range(len(paid))), min_size=1, unique=True))

    assert sum(paid) == sum(pot.amount for pot in pots.pots(paid, living))


def test_uncalled_part_is_the_excess_over_the_second_highest_payment():
    assert (1, 4) == pots.uncalled((3, 10, 6))


def test_nothing_is_uncalled_when_two_paid_the_most():
    assert 0 == pots.uncalled((6, 3, 6))[1]


def test_odd_chips_go_to_the_first_winner_left_of_the_dealer():
    assert ((1, 3), (2, 2), (0, 2)) == pots.split(Pot(7, (1, 2, 0)), (0, 1, 2))
    assert ((2, 4), (0, 3)) == pots.split(Pot(7, (1, 2, 0)), (0, 2))


# Showing hands.


def test_first_to_show_always_shows():
    assert (2,) == pots.in_doubt((2,), {2: 0}, (Pot(6, (1, 2)),))


def test_hand_that_is_beaten_already_is_mucked():
    assert (0, 2) == pots.in_doubt((0, 1, 2), {0: 5, 1: 4, 2: 6}, (Pot(6, (0, 1, 2)),))


def test_hand_that_ties_the_best_shown_is_shown():
    """It wins its part of the pot."""
    assert (0, 1) == pots.in_doubt((0, 1), {0: 5, 1: 5}, (Pot(6, (0, 1)),))


def test_hand_that_is_beaten_for_the_main_pot_is_shown_for_a_side_pot():
    """B shows first and is all-in; C cannot beat B, but nobody has shown for the side pot yet."""
    assert (1, 2) == pots.in_doubt((1, 2, 0), {1: 9, 2: 5, 0: 4}, (Pot(6, (0, 1, 2)), Pot(4, (2, 0))))


def test_hand_is_not_shown_for_a_side_pot_it_cannot_win():
    """A is all-in for the main pot, where B has shown better; only C can use the unclaimed side pot."""
    main, side = Pot(9, (0, 1, 2)), Pot(4, (2,))

    assert (1, 2) == pots.in_doubt((1, 0, 2), {0: 5, 1: 9, 2: 4}, (main, side))
