"""Place points, and the standings with all tie-breaks."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.tournaments.pairing.points import (
    Row,
    TableResult,
    lot,
    lots_hash,
    place_points,
    shown,
    standings,
)


def points(*scores, left=()):
    return " ".join(shown(one) for one in place_points(scores, left))


@pytest.mark.parametrize(
    ("seats", "expected"), [(2, "12 0"), (3, "12 6 0"), (4, "12 8 4 0"), (5, "12 9 6 3 0")], ids=str
)
def test_places_at_each_table_size_are_on_one_scale(seats, expected):
    assert expected == points(*range(seats, 0, -1))


@pytest.mark.parametrize(
    ("scores", "expected"),
    [((9, 7, 7, 3), "12 6 6 0"), ((5, 5, 3, 2, 1), "10.5 10.5 6 3 0"), ((4, 4, 4, 4), "6 6 6 6")],
    ids=["G1", "G2", "G3"],
)
def test_equal_scores_share_the_points_of_their_places(scores, expected):
    assert expected == points(*scores)


def test_player_who_left_comes_last_whatever_their_seat_scored():
    assert "0 12 8 4" == points(99, 7, 5, 3, left={0})


def test_two_who_left_share_the_last_places():
    assert "2 12 2 8" == points(99, 7, 5, 3, left={0, 2})


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=5))
def test_every_table_averages_six_points(scores):
    assert 12 * len(scores) == sum(place_points(scores))


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=5), st.randoms())
def test_place_points_don_t_depend_on_the_order_of_seats(scores, draw):
    order = draw.sample(range(len(scores)), len(scores))

    assert [place_points(scores)[seat] for seat in order] == [*place_points([scores[seat] for seat in order])]


def test_bot_takes_a_place_and_gets_no_row():
    table = TableResult(1, ("ann", "", "bob"), (3, 9, 1))

    assert {"ann": 12, "bob": 0} == table.points
    assert {} == table.wins
    assert ["ann", "bob"] == names([table])


def names(results, given=None, people=None):
    people = people or sorted({name for result in results for name in result.points})
    rows = standings(people, results, given or {}, {name: name for name in people})
    return [row.name for row in rows]


def test_more_points_are_ahead():
    assert ["bob", "ann"] == names([TableResult(1, ("ann", "bob"), (1, 2))])


def test_with_equal_points_more_tables_won_are_ahead():
    """Ann: 12 and 0. Bob: 6 and 6."""
    results = [
        TableResult(1, ("ann", "bob", "cat"), (9, 5, 1)),
        TableResult(2, ("bob", "ann", "cat"), (5, 1, 9)),
    ]

    rows = {row.name: row for row in standings(["ann", "bob"], results, {}, {"ann": "2", "bob": "1"})}

    assert [24, 24] == [rows["ann"].points, rows["bob"].points]
    assert names(results).index("ann") < names(results).index("bob")


def test_won_table_is_shared_among_those_who_tied():
    table = TableResult(1, ("ann", "bob", "cat"), (7, 7, 1))

    assert {"ann": Fraction(1, 2), "bob": Fraction(1, 2)} == table.wins


def test_opponents_average_is_of_their_points_per_round_played():
    """G4: A met people with 12 8 4 20 8 0 points after two rounds, except the 4 (dropped after one): 4.67.

    B's opponents average 5 6 7 8 2 3 = 5.17, so B is ahead.
    """
    results = [
        TableResult(1, ("A", "with8", "dropped4", "with12"), (9, 7, 5, 3)),
        TableResult(1, ("x", "with20", "also8", "with0"), (9, 7, 5, 3)),
        TableResult(2, ("with20", "A", "also8", "with0"), (9, 7, 5, 3)),
        TableResult(2, ("with12", "y", "z", "with8"), (9, 7, 5, 3)),
    ]
    people = {name: "" for result in results for name in result.points}
    rows = {row.name: row for row in standings(people, results, {}, people)}
    other = Row("B", 2 * 20, Fraction(1), 2 * Fraction(5 + 6 + 7 + 8 + 2 + 3, 6))

    assert [24, 16, 8, 40, 16, 0] == [
        rows[name].points for name in ("with12", "with8", "dropped4", "with20", "also8", "with0")
    ]
    assert (40, 1, 2 * Fraction(14, 3)) == (rows["A"].points, rows["A"].wins, rows["A"].opponents)
    assert other.order < rows["A"].order


def test_opponents_who_dropped_out_don_t_distort_the_average():
    """Ann meets bob, who wins and leaves; cat meets dan, who wins and then loses. Bob's rate is 12, dan's is 6."""
    results = [
        TableResult(1, ("ann", "bob"), (1, 2)),
        TableResult(1, ("cat", "dan"), (1, 2)),
        TableResult(2, ("dan", "eve"), (1, 2)),
    ]
    rows = {row.name: row for row in standings(["ann", "bob", "cat", "dan", "eve"], results, {}, lots())}

    assert (24, 12) == (rows["ann"].opponents, rows["cat"].opponents)
    assert rows["ann"].order < rows["cat"].order


def lots():
    return {name: name for name in ("ann", "bob", "cat", "dan", "eve")}


def test_byes_count_as_points_and_in_no_tie_break():
    results = [TableResult(1, ("ann", "bob"), (2, 1)), TableResult(2, ("bob", "cat"), (2, 1))]
    rows = {row.name: row for row in standings(["ann", "bob", "cat"], results, {"cat": 24}, lots())}

    assert 24 == rows["cat"].points
    assert (0, 12) == (rows["cat"].wins, rows["cat"].opponents)
    assert 6 == rows["bob"].opponents // 2


def test_bots_don_t_count_as_opponents():
    (row,) = standings(["ann"], [TableResult(1, ("ann", "", ""), (5, 3, 1))], {}, lots())

    assert 0 == row.opponents


def test_then_the_sum_of_scores_less_the_table_means_decides():
    results = [TableResult(1, ("ann", "bob"), (5, 5)), TableResult(2, ("cat", "dan"), (20, 10))]
    results += [TableResult(3, ("eve", "ann"), (9, 1)), TableResult(3, ("eve", "bob"), (3, 1))]
    rows = {row.name: row for row in standings(["ann", "bob"], results, {}, lots())}

    assert (Fraction(-4), Fraction(-1)) == (rows["ann"].margin, rows["bob"].margin)
    assert ["bob", "ann"] == [name for name in names(results) if name in ("ann", "bob")]


def test_the_lot_decides_last():
    results = [TableResult(1, ("ann", "bob"), (5, 5))]

    assert ["ann", "bob"] == [row.name for row in standings(["bob", "ann"], results, {}, {"ann": "1", "bob": "2"})]
    assert ["bob", "ann"] == [row.name for row in standings(["ann", "bob"], results, {}, {"ann": "2", "bob": "1"})]


def test_lots_follow_from_a_seed_whose_hash_is_published():
    assert lot("seed", "ann") != lot("seed", "bob") != lot("other", "bob")
    assert lots_hash("seed") not in (lot("seed", ""), lots_hash("other"))


tables = st.lists(st.tuples(*[st.integers(-9, 9)] * 4), min_size=1, max_size=6)


@given(tables, st.randoms())
def test_standings_don_t_depend_on_the_order_of_results(scores, draw):
    seats = [*permutations(("ann", "bob", "cat", "dan"))]
    results = [TableResult(number, draw.choice(seats), row) for number, row in enumerate(scores)]
    other = draw.sample(results, len(results))

    assert standings(lots(), results, {}, lots()) == standings(lots(), other, {}, lots())
