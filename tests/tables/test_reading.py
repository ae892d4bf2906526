"""Lists of moves that fit a screen, and names where rules know seats."""

import pytest

from lilygames.tables.reading import listed, number_verb, with_seat


def test_a_short_list_is_shown_whole():
    assert ["1. play 2H", "2. play KS"] == listed(["play 2H", "play KS"])


def test_where_every_move_is_a_number_the_list_shows_that_number():
    assert ["0. bid 0", "1. bid 1"] == listed(["bid 0", "bid 1"])
    assert "bid" == number_verb(["bid 0", "bid 3"])


@pytest.mark.parametrize("spelled", [["bid 0", "pass"], ["bid 0", "max 3"], ["play 2H"], []])
def test_otherwise_a_number_is_a_place_in_the_list(spelled):
    assert number_verb(spelled) is None


def test_a_long_list_shows_the_first_of_each_kind_and_how_far_it_goes():
    """Lowest first, by kind, at most 20 lines."""
    claims = [f"claim pair of {n}s" for n in range(500)]

    assert [
        "1. accept",
        "2. challenge",
        "3. claim pair of 0s",
        "4. claim pair of 1s",
        "5. claim pair of 2s",
        "6. claim pair of 3s",
        "   ... 496 more, the last is claim pair of 499s",
    ] == listed(["accept", "challenge", *claims])


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("pair to bob", "pair to 2"),
        ("full T to AD", "full T to 3"),
        ("pair to Ada (house)", "pair to 3"),
        ("pair to bo", "pair to bo"),
        ("pair to 3", "pair to 3"),
        ("pair", "pair"),
        ("to", "to"),
    ],
)
def test_a_name_behind_to_becomes_a_seat_counted_from_1(typed, read):
    """Rules know seats, never names; a name that fits two stays as it was typed."""
    assert read == with_seat(typed, ("ann", "bob", "Ada (house)", "bobby"))
