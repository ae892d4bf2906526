"""Turns, the table and the last sheet of lily-poker, on wide and narrow screens."""

from itertools import product

import pytest

from lilygames.drawing import rows
from lilygames.game import Reader
from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.screens import final_sheet, picture, score, worth_in
from lilygames.layout import SLIM, WIDE
from lilygames.scene_rows import asking
from lilygames.tables.sight.menu import Menu
from lilygames.testing import play
from lilygames.text import Voice, columns
from lilygames_rules import lilypoker
from lilygames_rules.cards import cards
from lilygames_rules.poker import hands
from lilygames_rules.poker.bets import Bet, Call, Check, Fold, Raise
from lilygames_rules.poker.deal import Discard
from lilygames_rules.poker.session import HandScored
from lilygames_rules.poker.table import Options
from tests.games.lilypoker.hands import begun, said, script

NAMES = ("Winifred", "Ada", "Max", "Catharina", "Bartholomew", "Ida", "Dave", "Eve", "Fay", "Gil")
SIGNS, NARROW = Voice(suits="symbols"), Voice(suits="symbols", narrow=True)
FIVES = "QS 9S 7C 5D 5C | KD QH 9H 8S 2D | AS AH AD KH 2C"


def asked(step, voice=SIGNS):
    seat = lilypoker.turn(step.state)
    return asking(GAME, lilypoker.view(step.state, seat), lilypoker.moves(step.state, seat), Reader(seat, NAMES, voice))


def test_turn_shows_the_pot_the_stacks_and_what_each_has_done():
    step = said(begun(FIVES), "check, bet 2, raise 4")

    assert [
        "Pot 9   you 99   Ada 97 bet 2   Max 95 raise 4",
        "Your turn: Q♠ 9♠ 7♣ 5♦ 5♣ (pair of 5s). 1. call 4  2. raise to 6  3. fold",
    ] == asked(step)


def test_picture_has_the_pot_and_the_chips_in_front_of_each():
    step = said(begun(FIVES), "check, bet 2, raise 4")
    shown = picture(lilypoker.view(step.state, 0), Reader(0, NAMES, SIGNS))

    assert [("Pot", "9")] == [(zone.label, piece.face) for zone in shown.zones for piece in zone.pieces]
    assert [(0, 0), (1, 2), (2, 4)] == [(one.seat, one.bet) for one in shown.seats]


def test_narrow_turn_has_the_chips_with_the_hand():
    step = said(begun(FIVES), "check, bet 2, raise 4")

    assert [
        "Pot 9   Ada 97 bet 2   Max 95 raise 4",
        "Q♠ 9♠ 7♣ 5♦ 5♣ (pair of 5s), 99 chips",
        "Your turn: 1. call 4  2. raise to 6",
        "  3. fold",
    ] == asked(step, NARROW)


def test_narrow_turn_shortens_the_hand_before_the_amounts():
    step = said(begun("8S 8H 8D 6S 6D | KD QH 9H 7S 2D | AS AH AD KH 2C"), "check, bet 2, raise 4")

    assert [
        "Pot 9   Ada 97 bet 2   Max 95 raise 4",
        "8♠ 8♥ 8♦ 6♠ 6♦ (full house), 99 chips",
        "Your turn: 1. call 4  2. raise to 6",
        "  3. fold",
    ] == asked(step, NARROW)


def test_fold_is_not_offered_while_a_check_is_free():
    assert "Your turn: Q♠ 9♠ 7♣ 5♦ 5♣ (pair of 5s). 1. check  2. bet 2" == asked(begun(FIVES))[-1]


def test_draw_offers_what_to_keep_and_then_to_stand():
    step = said(begun(FIVES), "check, check, check")

    assert "Your turn: Q♠ 9♠ 7♣ 5♦ 5♣ (pair of 5s). 1. keep 5♦ 5♣  2. stand  (or discard)" == asked(step)[-1]
    assert (
        "Your turn: A♠ A♥ A♦ K♥ 2♣ (three As). 1. discard K♥ 2♣  2. stand  (or discard)"
        == asked(said(step, "stand, stand"))[-1]
    )


def test_value_of_a_hand_is_cut_to_its_kind_before_the_moves_are():
    step = said(begun("10S 10H 5D 5C 2S | KD QH 9H 8S 2D"), "check, check")

    assert "Your turn: 10♠ 10♥ 5♦ 5♣ 2♠ (two pair). 1. discard 2♠  2. stand  (or discard)" == asked(step)[-1]


def test_pat_hand_is_not_offered_a_draw():
    step = said(begun("QS 9S 7S 5S 3S | KD QH 9H 8S 2D"), "check, check")

    assert "Your turn: Q♠ 9♠ 7♠ 5♠ 3♠ (flush, Q high). 2. stand  (or discard)" == asked(step)[-1]


def test_turn_says_how_many_cards_each_drew():
    step = said(begun(FIVES, "3H 4H 6H 8H 10H JH"), "check, check, check, discard QS 9S 7C, discard 2D, stand")

    assert "Pot 3   you 99   Ada 99 drew 1   Max 99 stood" == asked(step)[0]


def test_draws_of_the_others_that_are_all_the_same_are_said_once():
    step = said(begun(FIVES, "3H 4H 6H 8H 10H JH 2H"), "check, check, check, stand, discard 2D, discard 2C")

    assert "Pot 3   you 99   Ada 99   Max 99   (the others drew 1)" == asked(step)[0]


def test_all_have_drawn_the_same_if_the_reader_has_too():
    step = said(begun(FIVES, "3H 4H 6H 8H 10H JH 2H"), "check, check, check, discard 7C, discard 2D, discard 2C")

    assert "Pot 3   you 99   Ada 99   Max 99   (all drew 1)" == asked(step)[0]


def test_holdem_shows_the_board_and_the_blinds():
    step = begun("AS AD | KS KD | QS 7C", "2C 3C 4C 5C", variant="holdem")

    assert "Pot 3   you 100   Winifred 99 blind 1   Ada 98 blind 2" == asked(step)[0]
    assert "Board 3♣ 4♣ 5♣   pot 6   you 98   Ada 98   Max 98" == asked(said(step, "call, call, check"))[0]


def test_stud_shows_the_cards_that_lie_face_up():
    step = begun("AS AD KD | 9S 9D 2H | QS QD 3H", variant="stud7")

    assert [
        "Pot 3   you 99   Max 99 3♥   Winifred 99 K♦",
        "Your turn: 9♠ 9♦, up 2♥. Yours is the lowest card: 1. bet 1  2. bet 2",
    ] == asked(step)


def test_bets_of_any_size_say_the_largest():
    step = said(begun(FIVES, limit="no"), "bet 2")

    assert "Your turn: K♦ Q♥ 9♥ 8♠ 2♦ (K high). 1. call 2  2. raise to 4 (max 99)  3. fold" == asked(step)[-1]


def test_finished_hand_asks_whether_to_show_it():
    step = said(begun(FIVES, showdown="ask"), "bet 2, fold, fold")

    assert ["Your turn: Q♠ 9♠ 7♣ 5♦ 5♣ (pair of 5s). You needn't show it: 1. muck  2. show"] == asked(step)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("KS 9S 7C 5D 2C", "K high"),
        ("10S 10D 7C 5D 2C", "pair of 10s"),
        ("10S 10D 5C 5D 2C", "two pair, 10s and 5s"),
        ("10S 10D 10C 5D 2C", "three 10s"),
        ("9S 8D 7C 6D 5C", "straight to 9"),
        ("KS 9S 7S 5S 2S", "flush, K high"),
        ("10S 10D 10C 5D 5C", "full house, 10s over 5s"),
        ("10S 10D 10C 10H 5C", "four 10s"),
        ("9S 8S 7S 6S 5S", "straight flush to 9"),
    ],
)
def test_each_kind_of_hand_has_short_words(text, words):
    assert words == worth_in(hands.worth(cards(text)))


# Numbers keep their meaning.


@pytest.mark.parametrize("limit", ["fixed", "no"])
@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
def test_number_always_means_the_same_kind_of_move(variant, limit):
    kinds = {1: (Check, Call), 2: (Bet, Raise), 3: (Fold,)}
    for turn_ in play(GAME, 4, Options(variant=variant, limit=limit, hands=4), 2):
        seat = lilypoker.turn(turn_.state)
        if seat is None or turn_.state.deal.phase != "bet" or turn_.state.deal.betting.bring_in:
            continue
        view, moves = lilypoker.view(turn_.state, seat), lilypoker.moves(turn_.state, seat)
        menu = Menu.of(GAME, view, moves)
        for number in menu.prompted:
            assert isinstance(menu.move(number), kinds[number])


def test_number_without_a_move_is_left_out():
    """After the last raise, 2 isn't a fold."""
    step = said(begun(FIVES), "bet 2, raise 4, raise 6, raise 8")
    seat = lilypoker.turn(step.state)
    menu = Menu.of(GAME, lilypoker.view(step.state, seat), lilypoker.moves(step.state, seat))

    assert "1. call 4  3. fold" == asked(step)[-1].partition(". ")[2]
    assert frozenset({1, 3}) == menu.prompted
    assert [Call(), None, Fold()] == [menu.move(number) for number in (1, 2, 3)]
    assert [(1, "1. call"), (3, "3. fold")] == [*menu.rows()]


def test_stand_is_2_before_every_draw():
    step = said(begun(FIVES), "check, check, check")
    for _ in range(3):
        seat = lilypoker.turn(step.state)
        menu = Menu.of(GAME, lilypoker.view(step.state, seat), lilypoker.moves(step.state, seat))
        assert Discard() == menu.move(2)
        step = said(step, "stand")


# Everything fits.

TABLES = [
    *product(("draw",), ("fixed", "no"), (2, 6, 8)),
    *product(("stud7", "holdem"), ("fixed", "pot"), (2, 6, 8)),
]
LOOKS = [(Voice(), WIDE, 2), (SIGNS, WIDE, 2), (NARROW, SLIM, 4), (Voice(narrow=True), SLIM, 4)]


@pytest.mark.parametrize(("variant", "limit", "seats"), TABLES)
def test_screens_fit_at_every_variant_and_limit(variant, limit, seats):
    options = Options(variant=variant, limit=limit, hands=3, showdown="ask")
    for one in play(GAME, seats, options, seats):
        seat = lilypoker.turn(one.state)
        if seat is None:
            continue
        view, moves = lilypoker.view(one.state, seat), lilypoker.moves(one.state, seat)
        for voice, width, most in LOOKS:
            reader = Reader(seat, NAMES[:seats], voice)
            shown = asking(GAME, view, moves, reader)
            assert [] == [row for row in shown if columns(row) > width]
            assert len(shown) <= most or variant == "stud7" or seats > 6, shown
            assert [] == [row for row in rows(picture(view, reader), "lily-poker #1", reader) if columns(row) > width]
            told = [GAME.tell(event, reader) for event in one.events if isinstance(event, HandScored)]
            assert [] == [row for text in told for row in text.split("\n") if columns(row) > width]


# The table and the scores.


def test_table_lists_chips_draws_and_bets():
    step = said(begun(FIVES, "3H 4H 6H 8H"), "check, bet 2, call, call, discard QS 9S 7C, stand, stand, bet 4")
    reader = Reader(1, NAMES, SIGNS)

    assert [
        "lily-poker #1   hand 1   five-card draw   bets 2 and 4   pot 13",
        "  seat      chips",
        "  Winifred     93  drew 3, bet 4",
        " >you          97  stood",
        "  Max D        97  stood",
        "Hand: K♦ Q♥ 9♥ 8♠ 2♦",
    ] == rows(picture(lilypoker.view(step.state, 1), reader), "lily-poker #1", reader)


def test_stud_is_drawn_around_the_table():
    step = begun("AS AD KD | 9S 9D 2H | QS QD 3H", variant="stud7")
    reader = Reader(0, NAMES, SIGNS)

    assert [
        "lily-poker #1   hand 1   seven-card stud   bets 2 and 4   pot 3",
        ">Ada  2♥                                           Max D  3♥",
        " 99 chips                                          99 chips",
        "                          you  K♦",
        "                          99 chips",
        "Hand: A♠ A♦",
    ] == [row.rstrip() for row in rows(picture(lilypoker.view(step.state, 0), reader), "lily-poker #1", reader)]


def test_end_of_a_hand_says_what_it_brought_and_all_chips():
    event = HandScored(3, (-9, -1, -9, 19), ((0, 91), (1, 99), (2, 91), (3, 119)))

    assert "Hand 3: Catharin +19 (119)  Ada -1 (99)  you -9 (91)  Max -9 (91)" == GAME.tell(event, Reader(0, NAMES))
    assert "Hand 3: Cathar +19 (119)  Ada -1 (99)\n  you -9 (91)  Max -9 (91)" == GAME.tell(
        event, Reader(0, NAMES, NARROW)
    )


def test_last_sheet_has_a_column_for_each_hand():
    step = said(begun(FIVES, hands=2), "bet 2, fold, fold", script("2S 3S 4S 5S 6S | 8S 8D 8H 4C 5C | QS JD 10H 7C 3H"))
    state = said(step, "bet 2, fold, call, stand, stand, bet 4, fold").state

    assert [
        "         1   2  chips  net",
        " 1 Ada  -1  +4    103   +3",
        " 2 you  +2  -3     99   -1",
        " 3 Max  -1  -1     98   -2",
    ] == final_sheet(lilypoker.view(state, 0), Reader(0, NAMES))
    assert 4 == len(final_sheet(lilypoker.view(state, 0), Reader(0, NAMES, NARROW)))


def test_score_is_the_sheet_so_far_and_sentences_for_the_ear():
    step = said(begun(FIVES), "bet 2, fold, fold", script("2S 3S 4S 5S 6S | 8S 8D 8H 4C 5C | QS JD 10H 7C 3H"))
    view = lilypoker.view(step.state, 0)

    assert [
        "         1  chips  net",
        " 1 you  +2    102   +2",
        " 2 Ada  -1     99   -1",
        " 2 Max  -1     99   -1",
    ] == score(view, Reader(0, NAMES))
    assert "Chips: you 102 (+2), Ada 99 (-1), Max 99 (-1)." == score(view, Reader(0, NAMES, Voice(spoken=True)))[0]
