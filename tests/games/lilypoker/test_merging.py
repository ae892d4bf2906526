"""Rows for several events of lily-poker: the end of a hand is a block, and a deal takes as few rows as fit."""

from __future__ import annotations

import pytest

from lilygames.game import InSequence, Reader
from lilygames.games.lilypoker import GAME
from lilygames.text import Voice
from lilygames_rules import lilypoker
from tests.games.lilypoker.hands import NEVER, begun, said, script

NAMES = ("ann", "bob", "cat")
HANDS = "QS JD 10H 8C 3S | KD 9S 9H 4C 9D | 9C 7C 5D 4D 2S"
"""A queen, three nines, and a nine."""


def rows(before, text, luck=NEVER, *, seat=2, asked=False, narrow=False):
    """Return the rows for the events of the last of these moves."""
    *earlier, last = text.split(", ")
    before = said(before, ", ".join(earlier)) if earlier else before
    after = said(before, last, luck)
    reader = Reader(seat, NAMES, Voice(narrow=narrow))
    seen = tuple(filter(None, (event.seen_by(seat) for event in after.events)))
    view = lilypoker.view(before.state, seat)
    return [*GAME.merging.rows(InSequence(lambda: view, seen, reader, asked))]


def test_showdown_says_who_wins_with_which_hand_and_shows_the_hands_below():
    step = begun(HANDS, hands=1, showdown="all")
    told = rows(step, "check, bet 2, call, call, stand, stand, stand, check, check, check")

    assert [
        "You check.",
        "Pot 9 to bob: three nines.",
        " bob  KD 9S 9H 9D 4C",
        " ann  QS JD 10H 8C 3S  queen high",
        " you  9C 7C 5D 4D 2S   nine high",
    ] == told[:5]


def test_only_hand_that_is_shown_is_in_the_row_of_the_pot():
    told = rows(begun(HANDS, hands=1), "check, bet 2, call, call, stand, stand, stand, check, bet 4, fold, call")

    assert [
        "ann calls 4.",
        "Pot 17 to bob: KD 9S 9H 9D 4C, three nines. ann mucks.",
        "Hand 1: bob +10 (110)  you -3 (97)  ann -7 (93)",
    ] == told[:3]


def test_pot_that_nobody_contests_is_one_sentence():
    told = rows(begun(HANDS, hands=1), "check, bet 2, fold, fold", seat=1)

    assert ["ann folds.", "You take back the uncalled 2 and win the pot of 3."] == told[:2]


def test_split_pot_names_the_shares():
    step = begun("AS KD 9C 7H 3S | AD KH 9S 7D 3C | 2C 2D 4S 5H 8H", hands=1)
    told = rows(step, "check, check, check, stand, stand, stand, bet 4, call, fold")

    assert "Pot 11 is split, ann 6 and bob 5: ace high." == told[1]


def test_deal_takes_one_row_and_leaves_the_hand_to_the_turn():
    folded = rows(begun(HANDS), "check, bet 2, fold, fold", script(HANDS), seat=1, asked=True)

    assert "Hand 2, five-card draw. ann deals. Everyone antes 1." == folded[-1]


def test_last_card_of_stud_is_told_as_the_turn_does_not_say_which_one_is_new():
    first = "2C 3D 9H | KS KD QS"
    step = begun(first, "4C 5D 6H 8S 9C 10D JH 2S", variant="stud7", hands=1)
    streets = "bet 1, call, check, check, check, check, check, check"

    assert "You are dealt JH." == rows(step, streets, seat=0, asked=True)[-1]


def test_checks_are_left_to_the_turn_of_a_seat_that_has_yet_to_act():
    start = begun(HANDS)

    assert [] == rows(start, "check, check", asked=True)
    assert ["bob checks."] == rows(said(start, "check"), "check", asked=False)


def test_check_that_ends_a_street_is_told_as_the_turn_only_asks_for_a_draw():
    step = said(begun(HANDS), "check, check")

    assert ["cat checks."] == rows(step, "check", seat=0, asked=True)


@pytest.mark.parametrize("text", ["bet 4, call, call", "bet 4, fold, call"])
def test_rows_of_a_showdown_fit_a_narrow_screen(text):
    told = rows(begun(HANDS, hands=1, showdown="all"), f"check, check, check, stand, stand, stand, {text}", narrow=True)

    assert [] == [row for row in told if len(row) > 38]


@pytest.mark.parametrize(("seat", "who"), [(0, "cat and you"), (2, "You and ann"), (1, "cat and ann")])
def test_players_who_muck_are_named_as_in_any_sentence(seat, who):
    told = rows(
        begun(HANDS, hands=1), "check, bet 2, call, call, stand, stand, stand, check, bet 4, call, call", seat=seat
    )

    assert f"{who} muck." in " ".join(told)
