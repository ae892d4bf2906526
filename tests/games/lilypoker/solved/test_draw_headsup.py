"""The table of two players' fixed-limit five-card draw: groups and lines, and when it is used."""

from __future__ import annotations

from collections import Counter

import pytest

from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.house import LEVELS
from lilygames.games.lilypoker.solved.draw_groups import GROUPS, STRENGTHS, discarded, group_after, group_before
from lilygames.games.lilypoker.solved.draw_headsup import draws, mix
from lilygames.games.lilypoker.solved.draw_solution import SIZES, DrawSolution, learned, packed, unpacked
from lilygames.games.lilypoker.solved.solution import STEPS
from lilygames.gametest.plays import luck_of
from lilygames_rules import lilypoker
from lilygames_rules.cards import cards
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker import hands
from lilygames_rules.poker.bets import Fold
from lilygames_rules.poker.deal import Discard
from lilygames_rules.poker.table import Options
from tests.games.lilypoker.hands import at_random, begun, said

DEAL = "KS 10H 7C 4D 2S | AS AD AC 9H 5D"
"""The dealer has three aces, and acts second."""


def view(text="", dealt=DEAL, /, **options):
    step = begun(dealt, "", **{"variant": "draw", **options})
    state = said(step, text).state if text else step.state
    return lilypoker.view(state, lilypoker.turn(state))


def moves_of(state):
    return lilypoker.moves(state, lilypoker.turn(state))


def test_better_final_hands_are_in_no_lower_group():
    groups = [group_after(strength) for strength in range(len(hands.classes()))]

    assert sorted(groups) == groups
    assert {*range(STRENGTHS)} == {*groups}


@pytest.mark.parametrize(
    ("hand", "drawn"), [("AS AD AC 9H 5D", 2), ("AS AD KC 9H 5D", 3), ("AS AD KC KH 5D", 1), ("2S 4S 6S 8S 9S", 0)]
)
def test_groups_before_the_draw_tell_the_usual_discards(hand, drawn):
    group = group_before(tuple(cards(hand)))

    assert group in range(GROUPS)
    assert drawn == group // STRENGTHS


def test_choices_of_a_draw_are_pat_the_usual_one_and_a_kicker():
    hand = tuple(cards("AS AD AC 9H 5D"))

    assert [(), tuple(cards("9H 5D")), tuple(cards("5D"))] == [discarded(hand, choice) for choice in range(3)]


def test_every_situation_of_two_players_is_in_the_table():
    """So are hands of people who have drawn four or five cards."""
    streets = set()
    for seed in range(60):
        for step in at_random(2, Options(variant="draw", hands=1, buyin=1000), seed):
            if lilypoker.turn(step.state) is not None:
                seen = lilypoker.view(step.state, lilypoker.turn(step.state))
                streets.add((seen.deal.phase, seen.deal.street))
                assert STEPS == sum((draws(seen) if seen.deal.phase == "draw" else mix(seen)) or ())

    assert {("bet", 0), ("draw", 1), ("bet", 1)} <= streets


def test_second_player_sees_how_many_cards_the_first_one_drew():
    """So the table has a row for each draw of the first player."""
    found = learned()
    hand = tuple(cards("KS KH 7C 4D 2S"))

    assert 1 < len({found.draw(hand, 1, first) for first in (None, 0, 1, 2, 3)})


def test_betting_after_the_draw_depends_on_both_draws():
    hand, found = tuple(cards("KS KH 7C 4D 2S")), learned()

    assert 4 < len({found.after(hand, 2, 1, (one, other)) for one in range(4) for other in range(4)})


def test_three_aces_are_not_folded_and_the_worst_hand_is():
    assert 0 == mix(view("bet 2"))[0]
    assert 15 < mix(view("bet 2", "KS KH KC 4D 2C | 2S 3D 4C 7H 8D"))[0]


@pytest.mark.parametrize(
    "options",
    [
        {"limit": "no"},
        {"limit": "pot"},
        {"cap": 3},
        {"heads_up_cap": False},
        {"big_bet": 6},
        {"ante": 2},
        {"max_draw": 2},
        {"openers": "jacks"},
        {"buyin": 20},
        {"variant": "stud7"},
    ],
    ids=str,
)
def test_other_tables_are_left_to_search(options):
    assert mix(view(**options)) is None


def test_larger_bets_of_the_same_shape_are_in_the_table():
    assert mix(view()) == mix(view(small_bet=10, big_bet=20, ante=5, buyin=500))


def test_hands_of_three_are_left_to_search():
    assert mix(view("", f"{DEAL} | QS QH 8C 6D 3S")) is None


def test_table_is_read_as_it_was_written():
    parts = [bytes(place % 253 for place in range(size)) for size in SIZES]

    assert parts == unpacked(packed(DrawSolution(parts))).parts


def test_shark_bets_and_draws_by_the_table():
    state = begun(DEAL, "", variant="draw").state
    seen = lilypoker.view(state, lilypoker.turn(state))
    found = Counter(type(LEVELS["shark"](seen, moves_of(state), KeyedLuck(b"%d" % number))) for number in range(210))
    drawing = said(begun(DEAL, "", variant="draw"), "bet 2, call").state
    view_of_draw = lilypoker.view(drawing, lilypoker.turn(drawing))
    drawn = LEVELS["shark"](view_of_draw, moves_of(drawing), luck_of(1, 1))

    assert Fold not in found
    assert drawn in moves_of(drawing)
    assert isinstance(drawn, Discard)


def test_hint_is_the_likeliest_draw_of_the_table():
    drawing = said(begun(DEAL, "", variant="draw"), "check, bet 2, call").state
    hint = GAME.advise(lilypoker.view(drawing, lilypoker.turn(drawing)), moves_of(drawing), luck_of(1, 1))

    assert hint.move in moves_of(drawing)
    assert "table" in hint.why
