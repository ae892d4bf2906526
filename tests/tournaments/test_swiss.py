"""Swiss pairing for two to five seats."""

import random
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lilygames.tournaments.pairing.points import TableResult
from lilygames.tournaments.pairing.swiss import (
    Pairing,
    Past,
    Seating,
    first_round,
    last_round,
    later_round,
    may_still_join,
)

FOURS = Seating(4, range(3, 6))
DUELS = Seating(2, range(2, 3))


def tables(pairing):
    return " / ".join(" ".join(table) for table in pairing.tables)


def people(number):
    return [str(one) for one in range(1, number + 1)]


def repeats(pairing, past):
    return sum(other in past.met[one] for table in pairing.tables for one, other in combinations(table, 2))


def played(pairing, draw=None):
    """Return everyone's points and wins after a round; without `draw` the order at each table is the result."""
    points, wins = {}, {}
    for table in pairing.tables:
        scores = [draw.randrange(5) for _ in table] if draw else range(len(table), 0, -1)
        result = TableResult(1, table, tuple(scores))
        points |= result.points
        wins |= result.wins
    return points | dict.fromkeys(pairing.byes, 24), wins


def order(points, wins, lots=int):
    return sorted(points, key=lambda name: (-points[name], -wins.get(name, 0), lots(name)))


def test_first_round_spreads_the_order_over_the_tables():
    """G6."""
    assert "1 4 7 10 / 2 5 8 11 / 3 6 9" == tables(first_round(people(11), FOURS, Past()))


def test_second_round_is_cut_from_the_standings_with_as_few_repeats_as_possible():
    """G6: two repeats (2-5, 4-7) is the minimum, because each table of four draws on three old tables."""
    first = first_round(people(11), FOURS, Past())
    points, wins = played(Pairing((("1", "4", "7", "10"), ("5", "2", "11", "8"), ("9", "3", "6"))))
    past = Past([first])
    second = later_round(order(points, wins), points, FOURS, past)

    assert "1 5 9 2 4 3 7 11 6 8 10" == " ".join(order(points, wins))
    assert "1 5 9 2 / 4 3 7 11 / 6 8 10" == tables(second)
    assert 2 == repeats(second, past)


@pytest.mark.parametrize(("number", "expected"), [(16, 0), (12, 3), (11, 2)])
def test_second_round_has_the_minimum_of_repeats_whatever_the_results(number, expected):
    """G7, in 100 random rounds each, ties too."""
    for seed in range(100):
        first = first_round(people(number), FOURS, Past())
        points, wins = played(first, random.Random(seed))
        past = Past([first])

        assert expected == repeats(later_round(order(points, wins), points, FOURS, past), past)


@settings(max_examples=60)
@given(st.integers(1, 60), st.integers(2, 5), st.randoms(use_true_random=False))
def test_everyone_is_at_exactly_one_table_in_every_round(number, seats, draw):
    """G7; whoever doesn't fit has a bye."""
    seating = Seating(seats, range(2, 3) if seats == 2 else range(3, 6))
    rounds, points, wins = [], dict.fromkeys(people(number), 0), {}
    for pair in (None, later_round, later_round, last_round):
        past, now = Past(rounds), order(points, wins)
        pairing = pair(now, points, seating, past) if pair else first_round(now, seating, past)
        rounds.append(pairing)

        assert sorted(people(number)) == sorted([*pairing.byes, *(one for table in pairing.tables for one in table)])
        assert [*seating.sizes(number)] == [len(table) for table in pairing.tables]
        for name, more in played(pairing, draw)[0].items():
            points[name] += more


def test_nobody_meets_twice_in_six_rounds_of_two_hundred_people():
    draw, rounds, points = random.Random(1), [], dict.fromkeys(people(200), 0)
    for number in range(5):
        past, now = Past(rounds), order(points, {})
        rounds.append(later_round(now, points, FOURS, past) if number else first_round(now, FOURS, past))
        assert 0 == repeats(rounds[-1], past)
        for name, more in played(rounds[-1], draw)[0].items():
            points[name] += more


def test_bye_goes_to_the_lowest_who_had_none():
    past = Past([Pairing((("1", "2"), ("3", "4")), ("5",))])
    points = {"1": 24, "3": 24, "5": 24, "2": 0, "4": 0}

    assert ("4",) == later_round(["1", "3", "5", "2", "4"], points, DUELS, past).byes
    past = Past([Pairing((("1", "2"), ("3", "5")), ("4",))])
    assert ("2",) == later_round(["1", "3", "5", "2", "4"], points, DUELS, past).byes


def test_people_who_must_stay_apart_don_t_meet():
    past = Past(apart=[("1", "4")])

    assert "1 3 5 / 2 4 6" == tables(first_round(people(6), FOURS, Past()))
    assert not Past(apart=[("1", "4")]).kept_apart(("2", "4", "6"))
    apart = first_round(people(6), FOURS, Past(apart=[("1", "3")]))
    assert not any({"1", "3"} <= set(table) for table in apart.tables)
    points = dict.fromkeys(people(6), 0)
    later = later_round(people(6), points, FOURS, Past(apart=[("1", "2")]))
    assert not any({"1", "2"} <= set(table) for table in later.tables)
    last = last_round(people(6), points, FOURS, past)
    assert not any({"1", "4"} <= set(table) for table in last.tables)


def test_leaders_meet_in_the_last_round_although_they_have_met():
    past = Past([Pairing((("1", "2", "5", "6"), ("3", "4", "7", "8")))])
    points = {name: 24 - int(name) for name in people(8)}

    assert "1 2 3 4 / 5 6 7 8" == tables(last_round(people(8), points, FOURS, past))


def test_last_round_has_as_few_repeats_as_possible_and_then_goes_by_standing():
    past = Past([Pairing((("1", "2", "3", "4"), ("5", "6", "7", "8")))])
    points = {name: 24 - int(name) for name in people(8)}

    assert "1 2 5 6 / 3 4 7 8" == tables(last_round(people(8), points, FOURS, past))


def test_duels_of_the_last_round_are_not_repeated_if_others_are_free():
    """A-B have met, so A plays D, who is free, although B is closer."""
    past = Past([Pairing((("A", "B"), ("C", "D"))), Pairing((("A", "C"), ("B", "D")))])
    points = {"A": 48, "B": 24, "C": 24, "D": 0}

    assert "A D / B C" == tables(last_round(["A", "B", "C", "D"], points, DUELS, past))


def fewest(names, size, past):
    """Return the lowest sum of squared meetings of all pairings, by trying each."""
    if not names:
        return 0
    first, *rest = names
    return min(
        sum(past.met[one].get(other, 0) ** 2 for one, other in combinations((first, *others), 2))
        + fewest([name for name in rest if name not in others], size, past)
        for others in combinations(rest, size - 1)
    )


def met_again(pairing, past):
    """Return the sum of squared meetings before a round of those who meet in it."""
    return sum(past.met[one].get(other, 0) ** 2 for table in pairing.tables for one, other in combinations(table, 2))


def tournament(draw, seating, number, rounds):
    """Play a random tournament, and return the people of its last round, the rounds before it, and that round."""
    points, wins = dict.fromkeys(people(number), 0), {}
    lots = {name: draw.random() for name in points}
    earlier = [first_round(sorted(points, key=lots.get), seating, Past())]
    for _ in range(rounds - 1):
        for now, total in zip(played(earlier[-1], draw), (points, wins), strict=True):
            total |= {name: total.get(name, 0) + gained for name, gained in now.items()}
        standing, past = order(points, wins, lots.get), Past(earlier)
        pair = last_round if len(earlier) == rounds - 1 else later_round
        earlier.append(pair(standing, points, seating, past))
    present = [name for table in earlier[-1].tables for name in table]
    return present, past, earlier[-1]


def test_no_duel_of_a_last_round_is_an_avoidable_repeat():
    """In 3,000 random tournaments of 4 to 8 people, compared with all pairings of the last round."""
    draw = random.Random(28)
    for _ in range(3000):
        number = draw.randrange(4, 9)
        present, past, last = tournament(draw, DUELS, number, draw.randrange(2, number + 1))
        assert fewest(present, 2, past) == met_again(last, past)


@pytest.mark.parametrize(("size", "numbers"), [(3, (6, 9)), (4, (8,))])
def test_no_table_of_a_last_round_has_an_avoidable_repeat(size, numbers):
    draw, seating = random.Random(size), Seating(size, range(size, size + 1))
    for number in numbers:
        for _ in range(60):
            present, past, last = tournament(draw, seating, number, draw.randrange(2, 6))
            assert fewest(present, size, past) == met_again(last, past)


def test_large_last_round_of_duels_repeats_nothing():
    draw = random.Random(1)
    for number, rounds in ((200, 6), (1000, 3)):
        _, past, last = tournament(draw, DUELS, number, rounds)
        assert 0 == met_again(last, past)


@pytest.mark.parametrize(("rounds", "last"), [(4, 3), (11, 6), (12, 7)])
def test_joining_is_possible_until_more_than_half_of_the_rounds_have_started(rounds, last):
    """G8: with 4 rounds until round 3 starts, with 11 until round 6, with 12 until round 7."""
    assert last == next(number for number in range(1, rounds + 1) if not may_still_join(number, rounds))
