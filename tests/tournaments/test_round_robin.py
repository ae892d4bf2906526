"""Round robin: Berger tables, and designs for tables of three and four."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.tournaments.pairing.points import TableResult
from lilygames.tournaments.pairing.round_robin import is_struck, schedule, without


def shown(found):
    return " / ".join(" ".join("".join(str(one + 1) for one in table) for table in tables) for tables in found.rounds)


def meetings(found, people):
    met = dict.fromkeys(combinations(range(people), 2), 0)
    for tables in found.rounds:
        for table in tables:
            for pair in combinations(sorted(table), 2):
                met[pair] += 1
    return set(met.values())


def test_duels_follow_the_berger_tables():
    """G10."""
    found = schedule(5, 2, "")

    assert "25 34 / 53 12 / 31 45 / 14 23 / 42 51" == shown(found)
    assert [(0,), (3,), (1,), (4,), (2,)] == [*found.byes]


@given(st.integers(2, 16))
def test_everyone_meets_everyone_once_in_duels(people):
    found = schedule(people, 2, "")

    assert {1} == meetings(found, people)
    assert (1, 1) == (found.fewest, found.most)


def test_nine_people_meet_once_at_tables_of_three():
    """G11."""
    found = schedule(9, 3, "")

    assert "123 456 789 / 147 258 369 / 159 267 348 / 168 249 357" == shown(found)
    assert {1} == meetings(found, 9)


def test_seven_people_meet_three_times_at_tables_of_three_and_four():
    """G12."""
    found = schedule(7, 4, "")

    assert ["137", "241", "352", "463", "574", "615", "726"] == [
        "".join(str(one + 1) for one in tables[1]) for tables in found.rounds
    ]
    assert {3} == meetings(found, 7)
    assert all(sorted(one for table in tables for one in table) == [*range(7)] for tables in found.rounds)


def test_sixteen_people_meet_once_at_tables_of_four():
    found = schedule(16, 4, "")

    assert 5 == len(found.rounds)
    assert {1} == meetings(found, 16)


@pytest.mark.parametrize(("people", "seats"), [(6, 3), (8, 4), (10, 4)])
def test_schedule_from_a_search_follows_from_its_seed(people, seats):
    found = schedule.__wrapped__(people, seats, "seed")

    assert found == schedule(people, seats, "seed")
    assert (min(meetings(found, people)), max(meetings(found, people))) == (found.fewest, found.most)
    assert found.most - found.fewest <= 2
    for tables, byes in zip(found.rounds, found.byes, strict=True):
        assert [*range(people)] == sorted([*byes, *(one for table in tables for one in table)])


@pytest.mark.parametrize(("played", "rounds", "struck"), [(0, 5, True), (2, 5, True), (3, 5, False), (2, 4, False)])
def test_results_of_a_leaver_are_struck_before_half_of_their_games(played, rounds, struck):
    assert struck == is_struck(played, rounds)


def test_table_is_compared_without_a_struck_player():
    table = TableResult(1, ("ann", "bob", "cat"), (1, 9, 3), frozenset({2}))

    assert TableResult(1, ("ann", "cat"), (1, 3), frozenset({1})) == without(table, "bob")
    assert None is without(TableResult(1, ("ann", "bob"), (1, 9)), "bob")
