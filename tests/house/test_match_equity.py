"""Match equity: the probability of winning a match from its standings."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from lilygames.house.match_equity import match_equity

POINTS = some.integers(-300, 300)
OTHERS = some.lists(POINTS, min_size=1, max_size=5).map(tuple)
SPREADS = some.floats(0, 100).map(lambda spread: spread if spread >= 1 else 0.0)


@pytest.mark.parametrize(("mine", "others", "share"), [(10, (9, 3), 1), (9, (10, 3), 0), (9, (9, 3), 1 / 2)])
def test_highest_standing_wins_at_the_end_and_ties_share_the_win(mine, others, share):
    assert share == match_equity(mine, others, 0)


def test_all_have_the_same_chance_while_they_are_level():
    assert [1 / 2, 1 / 3, 1 / 4] == pytest.approx([match_equity(20, (20,) * many, 10) for many in (1, 2, 3)], abs=0.01)


@pytest.mark.parametrize("ahead", [-40, -10, 0, 5, 25])
def test_chance_against_one_is_that_of_the_difference_of_two_normal_numbers(ahead):
    """Its variance is twice that of one of them."""
    exact = math.erfc(-ahead / 20 / 2) / 2

    assert exact == pytest.approx(match_equity(ahead, (0,), 20), abs=0.01)


@given(POINTS, some.integers(0, 300), OTHERS, SPREADS)
def test_more_points_never_lower_the_chance(mine, more, others, spread):
    assert match_equity(mine, others, spread) <= match_equity(mine + more, others, spread)


@given(POINTS, some.integers(0, 300), OTHERS, SPREADS)
def test_more_points_of_another_never_raise_the_chance(mine, more, others, spread):
    assert match_equity(mine, others, spread) >= match_equity(mine, (others[0] + more, *others[1:]), spread)


@given(OTHERS.filter(lambda standings: len(standings) > 1), SPREADS)
def test_chances_of_all_add_up_to_one(standings, spread):
    chances = [
        match_equity(mine, standings[:seat] + standings[seat + 1 :], spread) for seat, mine in enumerate(standings)
    ]

    assert 1 == pytest.approx(sum(chances), abs=0.02)


@given(POINTS, OTHERS, SPREADS, POINTS)
def test_only_differences_count(mine, others, spread, more):
    assert match_equity(mine, others, spread) == pytest.approx(
        match_equity(mine + more, tuple(other + more for other in others), spread)
    )


@given(some.integers(1, 300), OTHERS, some.floats(1, 100), some.floats(1, 3))
def test_leader_wins_less_often_the_more_is_still_open(ahead, others, spread, times):
    mine = max(others) + ahead

    assert match_equity(mine, others, spread) >= match_equity(mine, others, spread * times) - 1e-12
