"""The rows of a turn: what gets shorter first, what stays, and what is left out at last."""

import pytest

from lilygames.game import Reader
from lilygames.scene import BREAK, Choice, Fact, Listing, Place, Strip, Turn, numbered
from lilygames.scene_rows import aloud, turn_rows
from lilygames.text import Voice

NAMES = ("ann", "Bartholomew", "Catharina", "Maximilian", "Winifred", "Theodora")
WIDE, SLIM = Voice(), Voice(narrow=True)
TO_CALL = (
    Choice("call", "call 4", least="call"),
    Choice("raise", "raise to 12", brief="raise 12", least="raise"),
    Choice("fold", "fold"),
)


def rows(turn, voice=WIDE, names=NAMES):
    return list(turn_rows(turn, Reader(0, names, voice)))


def strip(*seats):
    """Return seats that all have something to say, of which the first one has bet."""
    stands = ("95 drew 3 bet 4", "95 bet 4", "bet 4")
    places = tuple(Place(seat, stands, minor=seat != seats[0]) for seat in seats)
    return Strip("", "", places, ("Pot 16",), ("", "", ""), f"{len(seats)} opponents")


def poker(*seats, **parts):
    held = ("AS AD KH 7C 2D\n(a pair)", "AS AD KH 7C 2D")
    return Turn(
        "4 to call", choices=tuple(numbered(TO_CALL)), cards=held, strip=strip(*seats), state_first=True, **parts
    )


@pytest.mark.parametrize(
    ("seats", "shown"),
    [
        ((1, 2), "Pot 16   Bartholo 95 drew 3 bet 4   Catharin 95 drew 3 bet 4"),
        ((1, 2, 3), "Pot 16  Bar 95 drew 3 bet 4  Cat 95 drew 3 bet 4  Max 95 drew 3 bet 4"),
        ((1, 2, 3, 4), "Pot 16  Bar 95 bet 4  Cat 95 bet 4  Max 95 bet 4  Win 95 bet 4"),
        ((1, 2, 3, 4, 5, 5), "Pot 16  Bar bet 4  Cat bet 4  Max bet 4  Win bet 4  The bet 4  The bet 4"),
    ],
)
def test_strip_has_narrower_gaps_and_names_before_it_says_less(seats, shown):
    assert shown == rows(poker(*seats))[0]


def test_seats_that_have_not_bet_are_counted_where_not_even_their_names_fit():
    crowd = tuple(range(1, 12))

    assert "Pot 16  b bet 4  11 opponents" == rows(poker(*crowd), WIDE, ("a", "b", *"cdefghijkl"))[0]


def test_cards_stand_before_the_choices_on_a_wide_screen_and_above_them_on_a_narrow_one():
    assert "Your turn: AS AD KH 7C 2D (a pair). 1. call 4  2. raise to 12  3. fold" == rows(poker(1))[-1]
    assert ["AS AD KH 7C 2D (a pair)", "Your turn: 1. call 4  2. raise to 12", "  3. fold"] == rows(poker(1), SLIM)[1:]


def test_amounts_of_choices_are_left_out_where_nothing_else_helps():
    assert "Your turn: 1. call  2. raise  3. fold" == rows(poker(1, rooms=(2, 3)), SLIM)[-1]


def bids(*earlier, news=0, **parts):
    standing = Fact(("Max 5 fives (wins 2 or pays 1)", "Max 5 fives (wins 2)"), line=True, earlier=earlier, news=news)
    return Turn("Believe it?", (standing,), choices=tuple(numbered([Choice("no", "challenge")])), **parts)


def test_as_many_earlier_ones_as_fit_stand_before_a_fact_on_its_own_row():
    climbed = [f"Catharin {number} sevens" for number in range(1, 9)]

    assert "ann 4 fives, Max 5 fives (wins 2 or pays 1)" == rows(bids("ann 4 fives"))[0]
    assert "..., Catharin 7 sevens, Catharin 8 sevens, Max 5 fives (wins 2 or pays 1)" == rows(bids(*climbed))[0]
    assert "Max 5 fives (wins 2 or pays 1)" == rows(bids(*climbed), SLIM)[0]


def test_fact_gets_shorter_before_news_is_left_out():
    climbed = [f"Catharin {number} sevens" for number in range(1, 9)]

    assert f"..., {', '.join(climbed[-2:])}, Max 5 fives (wins 2 or pays 1)" == rows(bids(*climbed, news=2))[0]
    assert f"{', '.join(climbed[:3])}, Max 5 fives (wins 2)" == rows(bids(*climbed[:3], news=3))[0]


def test_lists_are_shown_whole_with_their_texts_aligned():
    table = Listing("Table:", ((5, "Max", "Onions weep when nobody is looking."), (12, "you", "Bishops juggle.")))

    assert [
        "Table:",
        "  5 Max  Onions weep when nobody is",
        "     looking.",
        " 12 you  Bishops juggle.",
    ] == rows(Turn("Play", lists=(table,), choices=(Choice(5, "play 5", 5, plain="5 T"),), leads=("play",)), SLIM)[:-1]


def test_choice_that_is_a_number_itself_is_not_numbered_again():
    cards = tuple(Choice(card, f"play {card}", card, plain=f"{card} T") for card in (5, 12))

    assert ["Your turn: play: 5 T  12 T"] == rows(Turn("Play", choices=cards, leads=("play:",)))


def test_choices_go_on_below_the_first_one_if_there_is_room():
    turn = Turn("Call", choices=tuple(numbered(TO_CALL)), under=True)

    assert ["Your turn: 1. call 4  2. raise to 12", "           3. fold"] == rows(turn, SLIM)


def test_groups_of_choices_are_read_in_their_order():
    cards = [
        Choice(card, f"play {card}", card, plain=str(card), group=group) for card, group in ((3, "false"), (5, "true"))
    ]

    assert "Your turn: play true 5; false 3." == aloud(
        Turn("Play", choices=tuple(cards), leads=("play",), groups=("true", "false"))
    )


def test_prompt_that_is_read_aloud_has_its_lead_its_choices_and_what_else_can_be_done():
    turn = Turn("Open", choices=tuple(numbered([Choice("a", "bid 3 tens")])), leads=("open:",), others=("or any bid",))

    assert "Your turn: open: 1 bid 3 tens, or any bid." == aloud(turn)


def test_words_before_a_prompt_get_shorter_before_the_choices_do_not_fit():
    long = tuple(f"you hold {'a lot of ' * times}fives:" for times in (8, 0))

    assert ["Your turn: you hold fives: 1. challenge"] == rows(bids(leads=long, rooms=(2, 4)))[1:]
    assert BREAK not in rows(bids(leads=long))[1]
