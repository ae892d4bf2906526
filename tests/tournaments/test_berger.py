"""The Berger tables as the FIDE Handbook prints them (C.05, annex 1), and what they promise for more people."""

from itertools import combinations

import pytest

from lilygames.tournaments.pairing.berger import berger

PRINTED = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: (
        "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / "
        "3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / 4-8 5-3 6-2 7-1"
    ),
}


def printed(rounds):
    return " / ".join(" ".join(f"{one}-{other}" for one, other in pairs) for pairs in rounds)


@pytest.mark.parametrize("people", PRINTED)
def test_rounds_are_those_of_the_handbook(people):
    assert PRINTED[people] == printed(berger(people))


@pytest.mark.parametrize("people", PRINTED)
def test_one_person_fewer_has_the_same_rounds_without_the_last_number(people):
    without = [[pair for pair in pairs if people not in pair] for pairs in berger(people)]

    assert without == [[*pairs] for pairs in berger(people - 1)]


@pytest.mark.parametrize("people", range(2, 31))
def test_everyone_meets_everyone_once_and_has_at_most_one_bye(people):
    rounds = berger(people)
    pairs = [tuple(sorted(pair)) for one in rounds for pair in one]

    assert [*combinations(range(1, people + 1), 2)] == sorted(pairs)
    assert {people // 2} == {len({*sum(one, ())}) // 2 for one in rounds}
    assert people - 1 + people % 2 == len(rounds)


@pytest.mark.parametrize("people", range(2, 31))
def test_everyone_is_named_first_in_about_half_of_their_games(people):
    first = [pair[0] for one in berger(people) for pair in one]

    assert all(abs(2 * first.count(one) - (people - 1)) <= 1 for one in range(1, people + 1))
