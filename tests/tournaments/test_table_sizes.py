"""Table sizes and numbers of rounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.tournaments.pairing.table_sizes import default_rounds, table_sizes

ANY = range(2, 6)


@pytest.mark.parametrize(
    ("seats", "people", "sizes"),
    [
        *[(4, 11, "4 4 3"), (4, 6, "3 3"), (4, 9, "3 3 3"), (4, 13, "4 3 3 3"), (4, 5, "5")],
        *[(5, 13, "5 4 4"), (5, 6, "3 3"), (5, 7, "4 3"), (5, 11, "4 4 3")],
        *[(3, 7, "4 3"), (3, 8, "4 4"), (3, 5, "5")],
    ],
)
def test_tables_are_even_and_none_has_fewer_than_three(seats, people, sizes):
    """G5."""
    assert sizes == " ".join(map(str, table_sizes(people, seats, ANY)))


def test_someone_has_a_bye_if_the_game_can_t_seat_one_more():
    assert (4,) == table_sizes(5, 4, range(2, 5))


def test_odd_number_of_people_leaves_a_bye_in_duels():
    assert (2, 2, 2) == table_sizes(7, 2, ANY)


def test_bots_fill_up_all_tables_of_a_duplicate_round():
    """With two bots 5 people play at two full tables."""
    assert (3, 2) == table_sizes(5, 4, ANY, filled=True)


def test_two_people_can_t_play_at_tables_for_four():
    assert () == table_sizes(2, 4, ANY)


@given(st.integers(0, 300), st.integers(2, 5))
def test_nobody_is_left_over_at_tables_for_three_or_more(people, seats):
    sizes = table_sizes(people, seats, ANY)
    over = people - sum(sizes)

    assert over == (people % 2 if seats == 2 else people if people < 3 else 0)
    assert all(min(3, seats) <= size <= 5 for size in sizes)
    assert not sizes or max(sizes) - min(sizes) <= 1
    assert sorted(sizes, reverse=True) == [*sizes]


@pytest.mark.parametrize(("people", "rounds"), [(2, 3), (11, 3), (40, 4), (200, 5), (1000, 6)])
def test_default_number_of_rounds(people, rounds):
    assert rounds == default_rounds(people, 4)


@pytest.mark.parametrize(("people", "rounds"), [(2, 1), (3, 2), (8, 3), (9, 4), (1000, 10)])
def test_default_number_of_rounds_of_duels(people, rounds):
    assert rounds == default_rounds(people, 2)
