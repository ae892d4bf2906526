"""The options of a lily-poker table: streets, bets, caps and their bounds, from its help."""

from __future__ import annotations

import pytest

from lilygames_rules import lilypoker
from lilygames_rules.kit import Refused
from lilygames_rules.poker.table import STREETS, Blinds, Options
from tests.games.lilypoker.hands import NEVER, begun

DEALT = {
    "draw": [(5, 0, 0), (0, 0, 0)],
    "stud7": [(2, 1, 0), (0, 1, 0), (0, 1, 0), (0, 1, 0), (1, 0, 0)],
    "holdem": [(2, 0, 0), (0, 0, 3), (0, 0, 1), (0, 0, 1)],
}
"""By game and street, the cards that each seat gets face down and face up, and those for the board."""
BIG = {
    "draw": [False, True],
    "stud7": [False, False, True, True, True],
    "holdem": [False, False, True, True],
}
"""By game and street, whether it has the big bet."""


@pytest.mark.parametrize("variant", STREETS)
def test_streets_deal_the_right_number_of_cards(variant):
    assert DEALT[variant] == [(street.down, street.up, street.board) for street in STREETS[variant]]


@pytest.mark.parametrize("variant", STREETS)
def test_with_fixed_limit_the_later_streets_have_the_big_bet(variant):
    """Stud from the third open card on, hold'em from the turn on, draw after the draw."""
    least = [Options().least(street) for street in STREETS[variant]]

    assert [4 if big else 2 for big in BIG[variant]] == least


@pytest.mark.parametrize("limit", ["pot", "no"])
def test_without_fixed_limit_the_least_bet_is_the_small_bet(limit):
    assert [2, 2] == [Options(limit=limit).least(street) for street in STREETS["draw"]]


def test_only_draw_draws():
    drawn = {variant: [street.draw for street in streets] for variant, streets in STREETS.items()}

    assert {"draw": [False, True], "stud7": [False] * 5, "holdem": [False] * 4} == drawn


def test_street_has_one_bet_and_three_raises_also_where_two_are_left():
    assert (4, True) == (Options().terms.cap, Options().terms.heads_up_cap)


@pytest.mark.parametrize("options", [{"cap": "none"}, {"limit": "pot"}, {"limit": "no"}, {"limit": "no", "cap": 6}])
def test_no_cap_when_it_is_off_or_without_fixed_limit(options):
    assert Options(**options).terms.cap is None


def test_session_is_unlimited_and_losers_muck_unless_the_table_says_otherwise():
    assert ("unlimited", "muck") == (Options().hands, Options().showdown)


def test_ante_is_one_by_default_and_zero_in_holdem():
    assert [1, 1, 0] == [Options().ante_of(variant) for variant in ("draw", "stud7", "holdem")]
    assert [3, 3, 3] == [Options(ante=3).ante_of(variant) for variant in ("draw", "stud7", "holdem")]


@pytest.mark.parametrize(("variant", "most"), [("draw", 8), ("stud7", 8), ("holdem", 10), ("choice", 8)])
def test_number_of_seats_depends_on_the_game(variant, most):
    options = Options(variant=variant)
    with pytest.raises(Refused) as no:
        lilypoker.start(most + 1, options, (), NEVER)

    assert (range(2, most + 1), {"low": 2, "high": most}) == (options.seats, no.value.facts)


@pytest.mark.parametrize(
    ("options", "name", "low", "high"),
    [
        ({"small_bet": 0}, "small-bet", 1, None),
        ({"small_bet": 1, "variant": "stud7"}, "small-bet", 2, None),
        ({"small_bet": 1, "variant": "choice"}, "small-bet", 2, None),
        ({"big_bet": 1}, "big-bet", 2, None),
        ({"ante": -1}, "ante", 0, None),
        ({"cap": 0}, "cap", 1, None),
        ({"max_draw": 0}, "max-draw", 1, 5),
        ({"max_draw": 6}, "max-draw", 1, 5),
        ({"buyin": 0}, "buyin", 1, None),
        ({"hands": 0}, "hands", 1, None),
        ({"variant": "stud7", "bring_in": 0}, "bring-in", 1, 1),
        ({"variant": "stud7", "bring_in": 2}, "bring-in", 1, 1),
        ({"variant": "stud7", "bring_in": 6, "small_bet": 5, "big_bet": 5}, "bring-in", 1, 4),
        ({"variant": "holdem", "blinds": Blinds(0, 0)}, "big blind", 1, 2),
        ({"variant": "holdem", "blinds": Blinds(2, 4)}, "big blind", 1, 2),
        ({"variant": "holdem", "blinds": Blinds(2, 1)}, "small blind", 0, 1),
    ],
)
def test_impossible_options_are_refused_with_the_allowed_ones(options, name, low, high):
    with pytest.raises(Refused) as no:
        lilypoker.start(3, Options(**options), (), NEVER)

    assert ("bad-option", name, low) == (no.value.code, no.value.facts["option"], no.value.facts["low"])
    assert high in (None, no.value.facts["high"])


@pytest.mark.parametrize(
    "options",
    [
        {"small_bet": 1, "big_bet": 1, "ante": 0, "cap": 1, "max_draw": 1, "buyin": 1, "hands": 1},
        {"bring_in": 50, "blinds": Blinds(60, 50)},
    ],
)
def test_options_of_other_games_are_ignored(options):
    """They may have their minimum, and at draw also the bounds of stud and hold'em."""
    assert "bet" == lilypoker.phase(begun("AS AD KH 7C 2D | 9S 9D 9H 4C 5C", **options).state)


@pytest.mark.parametrize("text", ["1 2", "12", "¹/²", "1/12345678", "٣/٤"])
def test_blinds_are_two_plain_numbers(text):
    with pytest.raises(ValueError, match=r"."):
        Blinds.parse(text)


def test_blinds_may_have_seven_digits():
    assert Blinds(1, 1234567) == Blinds.parse("1/1234567")
