"""Knockout."""

import pytest

from lilygames.tournaments.pairing.knockout import go_on, is_final, next_round
from lilygames.tournaments.pairing.swiss import Past, Seating

FOURS = Seating(4, range(3, 6))
DUELS = Seating(2, range(2, 3))


def people(number):
    return [chr(ord("a") + one) for one in range(number)]


@pytest.mark.parametrize(("size", "number"), [(2, 1), (3, 2), (4, 2), (5, 3)])
def test_the_best_of_each_table_go_on(size, number):
    table = tuple(people(size))

    assert table[:number] == go_on(table, {name: -ord(name) for name in table}, table)


def test_better_earlier_standing_decides_a_tie_at_the_cut():
    points = {"a": 24, "b": 8, "c": 8, "d": 8}

    assert ("a", "c") == go_on(("a", "b", "c", "d"), points, ["c", "a", "b", "d"])


def test_eleven_people_play_three_rounds():
    """G13: 11: 4 4 3 -> 6: 3 3 -> 4: final."""
    order, sizes = people(11), []
    while True:
        pairing = next_round(order, FOURS, Past())
        sizes.append(" ".join(str(len(table)) for table in pairing.tables))
        if is_final(pairing):
            break
        through = {
            name for table in pairing.tables for name in table[: len(go_on(table, dict.fromkeys(table, 0), order))]
        }
        order = [name for name in order if name in through]

    assert ["4 4 3", "3 3", "4"] == sizes


@pytest.mark.parametrize(
    ("number", "seats", "expected"),
    [
        (5, 3, ["3 and 2 byes", "3 and 1 bye", "3"]),
        (4, 3, ["3 and 1 bye", "3"]),
        (5, 4, ["4 and 1 bye", "3"]),
        (10, 3, ["3 3 3 and 1 bye", "3 3 and 1 bye", "3 and 2 byes", "3 and 1 bye", "3"]),
        (3, 3, ["3"]),
    ],
)
def test_each_round_before_the_final_eliminates(number, seats, expected):
    """Also when the people would fit at one table with more seats than the tournament has."""
    order, rounds, played = people(number), [], []
    while not rounds or not is_final(rounds[-1]):
        rounds.append(next_round(order, Seating(seats, range(3, 6)), Past(rounds)))
        byes = f" and {len(rounds[-1].byes)} bye{'s' * (len(rounds[-1].byes) > 1)}" if rounds[-1].byes else ""
        played.append(" ".join(str(len(table)) for table in rounds[-1].tables) + byes)
        through = {name for table in rounds[-1].tables for name in go_on(table, dict.fromkeys(table, 0), order)}
        assert is_final(rounds[-1]) or len(through | {*rounds[-1].byes}) < len(order)
        order = [name for name in order if name in through | {*rounds[-1].byes}]

    assert expected == played


def test_leader_has_the_bye_of_a_round_of_duels_and_only_once():
    first = next_round(people(7), DUELS, Past())

    assert ("a",) == first.byes
    assert ("b",) == next_round(["a", "b", "c"], DUELS, Past([first])).byes
