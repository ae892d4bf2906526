"""The last rounds of a match of exact bids: what a round's points are worth to a seat that plays for the win."""

from statistics import fmean

import pytest

from lilygames.games.families.tricks.bots.finish import LAST, Finish, finish_of

SAFE, RISK = [(20, 20, 20)], [(50, 20, 20), (-10, 20, 20)]
"""The points of a sure bid, and those of an even chance with the same mean; the others score alike."""


def flat(_):
    return 100


def won(finish, ways):
    """Return the chance that the first place wins if each of these ways to score is as likely."""
    return fmean(finish.equity(0, points, (1, 1, 1)) for points in ways)


@pytest.mark.parametrize("to_come", [(), (1,)])
def test_leader_prefers_sure_points_to_an_even_chance(to_come):
    finish = finish_of((35, 10, 0), to_come, flat)

    assert won(finish, SAFE) > won(finish, RISK)


@pytest.mark.parametrize("to_come", [(), (1,)])
def test_someone_behind_by_more_than_sure_points_bring_prefers_the_chance(to_come):
    finish = finish_of((0, 25, 10), to_come, flat)

    assert won(finish, SAFE) < won(finish, RISK)


def test_early_rounds_are_played_for_points():
    assert finish_of((0, 0, 0), (1,) * LAST, flat) is None
    assert finish_of((0, 0, 0), (1,) * (LAST - 1), flat) is not None


def test_points_vary_more_the_more_rounds_are_to_come():
    spreads = [finish_of((0, 0, 0), (1,) * rounds, flat).spread for rounds in range(LAST)]

    assert 0 == spreads[0]
    assert spreads == sorted({*spreads})


@pytest.mark.parametrize(("hits", "share"), [((), 1 / 2), ((2, 1, 3), 1), ((2, 2, 3), 1 / 2), ((2, 3, 3), 0)])
def test_most_bids_made_win_a_tie_where_they_are_counted(hits, share):
    finish = finish_of((40, 40, 0), (), flat, hits)

    assert share == finish.equity(0, (20, 20, 20), (0, 0, 0))


def test_bid_made_in_this_round_counts_for_a_tie_too():
    finish = finish_of((40, 30, 0), (), flat, (1, 1, 1))

    assert 0 == finish.equity(0, (-10, 0, 0), (1, 0, 1))
    assert 1 / 2 == finish.equity(0, (-10, 0, 0), (1, 1, 1))


def test_bids_made_never_outweigh_a_point():
    finish = finish_of((41, 40, 0), (), flat, (0, 20, 0))

    assert 1 == finish.equity(0, (0, 0, 0), (1, 0, 1))


def test_standings_are_told_in_order_of_play():
    assert (30.0, 10.0, 20.0) == Finish((10.0, 20.0, 30.0), 0.0, 0.0).by_place((2, 0, 1)).standings
