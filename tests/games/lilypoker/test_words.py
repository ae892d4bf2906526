"""lily-poker passes the checks of every game with every option, and its texts are exact."""

from __future__ import annotations

from typing import get_args

import pytest

from lilygames.codec import from_text, to_text
from lilygames.commands import Misread
from lilygames.game import Reader
from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.words import hand, score, show, spell, tell
from lilygames.gametest.stage import Stage
from lilygames.scene_rows import asking
from lilygames.testing import check_game, play, position
from lilygames.text import Voice
from lilygames_rules import lilypoker
from lilygames_rules.cards import cards
from lilygames_rules.kit import Join, KeyedLuck, Leave, Refused, Step
from lilygames_rules.lilypoker import Choose, HandBegun
from lilygames_rules.poker.bets import (
    AntesPaid,
    Bet,
    BetMade,
    BlindPosted,
    BroughtIn,
    Call,
    Called,
    Raise,
    Raised,
    Returned,
)
from lilygames_rules.poker.cards import BoardDealt, CardsDrawn, Reshuffled, UpDealt
from lilygames_rules.poker.deal import Discard, HandMucked, PotWon, Show, ThrownIn
from lilygames_rules.poker.session import GotUp, SatDown, WentBroke
from lilygames_rules.poker.table import Options
from tests.games.lilypoker.hands import NEVER, begun, said, script
from tests.games.lilypoker.worlds import hide

EVENTS = set(get_args(lilypoker.Event))
TABLES = [
    (Options(hands=5), (2, 4)),
    (Options(hands=3, max_draw=3, showdown="ask", limit="pot"), (8,)),
    (Options(hands=6, openers="jacks", heads_up_cap=False), (2, 3)),
    (Options(variant="stud7", hands=3), (2, 8)),
    (Options(variant="stud7", hands=3, limit="no", showdown="all"), (5,)),
    (Options(variant="holdem", hands=4), (2, 10)),
    (Options(variant="holdem", hands=3, limit="no", ante=1, buyin=20), (4,)),
    (Options(variant="choice", hands=5, cap="none", showdown="ask"), (3,)),
]


@pytest.mark.parametrize(("chosen", "sizes"), TABLES)
def test_lily_poker_keeps_its_promises(chosen, sizes):
    """It passes every check of `check_game`, with each value of each option; losses equal wins."""
    check_game(GAME, hide=hide, bound=5000, options=[chosen], sizes=sizes, deals=1, rare=EVENTS, zero_sum=True)


def test_every_event_occurs_except_the_tables_own():
    """No move makes a player join or leave."""
    plays = [play(GAME, sizes[-1], chosen, seed) for chosen, sizes in TABLES for seed in range(4)]
    plays.append(play(GAME, 8, Options(hands=1), 0, lambda view, moves, _: moves[-(view.deal.phase == "draw")]))

    assert {SatDown, GotUp} == EVENTS - {type(event) for turns in plays for turn in turns for event in turn.events}


@pytest.mark.parametrize("variant", ["draw", "stud7", "holdem"])
@pytest.mark.parametrize("phase", ["bet", "draw", "show"])
def test_hidden_differences_never_show_in_any_phase(variant, phase):
    """Others' hands and discards, the stock, burned and mucked cards may differ: the screen is the same."""
    if phase == "draw" and variant != "draw":
        return
    state = position(
        GAME,
        4,
        lambda state: lilypoker.phase(state) == phase and state.last and (phase != "bet" or state.deal.street),
        Options(variant=variant, showdown="ask", hands=9),
    )
    for seat in (*range(4), None):
        other = hide(state, seat, KeyedLuck(phase.encode()))
        reader = Reader(seat, NAMES)
        here, there = (lilypoker.view(world, seat) for world in (state, other))

        assert other != state
        assert here == there
        assert [*show(here, reader), *score(here, reader)] == [*show(there, reader), *score(there, reader)]


def test_joining_and_leaving_reveal_nothing():
    """With a newcomer and a player who left, views, samples and JSON stay complete."""
    state = begun(THREE).state
    for seat, move in ((3, Join(70)), (1, Leave())):
        state = lilypoker.apply(state, seat, move, NEVER).state
    for seat in (*range(4), None):
        seen, luck = lilypoker.view(state, seat), KeyedLuck(b"company")

        assert seen == lilypoker.view(lilypoker.sample(seen, luck), seat)
        assert seen == lilypoker.view(hide(state, seat, luck), seat)
    assert state == from_text(to_text(state), lilypoker.State)


NAMES = ("ann", "bob", "cat", "dan")
ANN, BOB, CAT, WATCHER = (Reader(seat, NAMES[:3]) for seat in (0, 1, 2, None))
SPOKEN = Reader(0, NAMES[:3], Voice(spoken=True))
THREE = "AS AD KH 7C 2D | 9S 9H 9D 5C 4C | QS JD 10H 8C 3S"


def lines(reader, step):
    seen = (event.seen_by(reader.seat) for event in step.events)
    return [text for event in seen if event is not None and (text := tell(event, reader))]


def test_hand_begins_with_your_cards():
    """Nobody else learns them."""
    step = begun(THREE, hands=9)

    begins = ["Hand 1 of 9, five-card draw. cat deals.", "Everyone antes 1."]
    assert begins == lines(WATCHER, step)
    assert [*begins, "You are dealt AS AD KH 7C 2D."] == lines(ANN, step)


def test_screen_reader_hears_cards_by_name():
    last = lines(SPOKEN, begun("QS 3S 4S 5S 6S | 9S 9H 9D 5C 4C"))[-1]

    assert "Hand: queen spades, six spades, five spades, four spades, three spades." == last


def test_hand_of_draw_is_told_as_it_goes():
    """PK-3, as the dealer reads it."""
    step = begun(THREE, "9C KD 2H", (50, 50, 50), hands=1)
    text = "check, bet 2, call, fold, discard 4C 5C, discard 3S, check, bet 4, call"

    assert [
        "ann checks.",
        "bob bets 2.",
        "You call 2.",
        "ann folds.",
        "bob draws 2.",
        "You discard 3S and draw 2H.",
        "bob checks.",
        "You bet 4.",
        "bob calls 4.",
        "You show QS JD 10H 8C 2H: queen high.",
        "bob shows KD 9S 9H 9D 9C: four nines.",
        "bob wins the pot of 15.",
        "Hand 1: bob +8 (58)  ann -1 (49)  you -7 (43)",
    ] == lines(CAT, said(step, text))


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            HandBegun(3, "unlimited", "stud7", 0, 6, ()),
            "Hand 3, seven-card stud. You deal. 6 are left in the pot.",
        ),
        (AntesPaid(((0, 3), (1, 2))), "Antes: you 3, bob 2."),
        (BlindPosted(1, 2, big=True), "bob posts the big blind, 2."),
        (BroughtIn(0, 1, all_in=False), "You bring it in for 1."),
        (BetMade(1, 5, all_in=True), "bob bets 5, all-in."),
        (Called(0, 5, all_in=True), "You call 5, all-in."),
        (Raised(1, 8, all_in=False), "bob raises to 8."),
        (Returned(1, 3), "bob takes back the uncalled 3."),
        (UpDealt(((0, cards("KD")[0]), (1, cards("2C")[0]))), "Face up: you KD, bob 2C."),
        (BoardDealt(cards("2C 3C 4C"), cards("2C 3C 4C")), "Board: 2C 3C 4C."),
        (BoardDealt(cards("5D"), cards("2C 3C 4C 5D")), "Board: 2C 3C 4C 5D (5D new)."),
        (CardsDrawn(1, 0), "bob stands pat."),
        (Reshuffled(10), "The stock is used up: 10 discarded cards are shuffled into a new one."),
        (ThrownIn(6), "Nobody opens: the hand is over, and 6 stay in the pot."),
        (HandMucked(1), "bob mucks."),
        (PotWon(7, 0, ((1, 4), (0, 3))), "A tie for the pot of 7: bob 4 and you 3."),
        (PotWon(6, 1, ((0, 6),)), "You win side pot 1 of 6."),
        (WentBroke(1), "bob is out of chips and sits out."),
        (SatDown(1), "bob plays from the next hand on."),
        (GotUp(1), "bob has left the game."),
    ],
)
def test_each_event_has_its_line(event, line):
    assert line == tell(event, ANN)


# Questions.


def question(step):
    seat = lilypoker.turn(step.state)
    rows = asking(GAME, lilypoker.view(step.state, seat), lilypoker.moves(step.state, seat), Reader(seat, NAMES))
    return rows[-1].removeprefix("Your turn: ")


@pytest.mark.parametrize(
    ("options", "text", "words"),
    [
        ({}, "", "AS AD KH 7C 2D (pair of As). 1. check  2. bet 2"),
        ({}, "bet 2", "9S 9H 9D 5C 4C (three 9s). 1. call 2  2. raise to 4  3. fold"),
        ({"limit": "no"}, "bet 2", "9S 9H 9D 5C 4C (three 9s). 1. call 2  2. raise 4 (max 99)  3. fold"),
        (
            {},
            "check, check, check",
            "AS AD KH 7C 2D (pair of As). 1. keep AS AD  2. stand  (or discard)",
        ),
        (
            {"showdown": "ask"},
            "bet 2, fold, fold",
            "AS AD KH 7C 2D (pair of As). You needn't show it: 1. muck  2. show",
        ),
    ],
)
def test_prompt_says_what_can_be_typed(options, text, words):
    step = begun(THREE, **options)

    assert words == question(said(step, text) if text else step)


def test_screen_reader_hears_the_numbers_of_moves():
    state = begun(THREE).state

    assert ["Your turn: check, bet 2."] == asking(GAME, lilypoker.view(state, 0), lilypoker.moves(state, 0), SPOKEN)


def test_lowest_card_is_asked_to_bring_it_in():
    assert "9S 9D, up 2H. Yours is the lowest card: 1. bet 1  2. bet 2" == question(
        begun("AS AD KD | 9S 9D 2H", variant="stud7")
    )


def test_dealer_is_asked_for_the_game():
    step = lilypoker.start(3, Options(variant="choice"), (), script("", dealer=1))

    assert "choose the game: 1. five-card draw  2. seven-card stud  3. hold'em" == question(step)
    assert ["bob deals and chooses the game.", "Chips: you 100, bob 100, cat 100."] == show(
        lilypoker.view(step.state, 0), ANN
    )


def test_all_in_call_is_called_all_in():
    step = said(begun(THREE, "", (50, 2, 50)), "bet 2")

    assert "9S 9H 9D 5C 4C (three 9s). 1. call 1, all-in  3. fold" == question(step)


# Screens.


def test_table_shows_the_pot_and_how_each_seat_stands():
    step = said(begun(THREE, "9C KD 2H"), "check, bet 2, call, fold, discard 4C 5C, stand, bet 4")

    assert [
        "Hand 1, five-card draw. You deal. Bets are 2 and 4.",
        "Pot: 11.",
        "ann: 99 chips, folded",
        "bob: 93 chips, bet 4, drew 2",
        "you: 97 chips, stood pat",
    ] == show(lilypoker.view(step.state, 2), CAT)


def test_table_shows_the_board_and_cards_in_sight():
    stud = begun("AS AD KD | 9S 9D 2H", variant="stud7", limit="no")
    holdem = said(begun("AS AD | KS KD", "2C 3C 4C 5C", variant="holdem"), "call, check")

    assert "bob: 99 chips, shows 2H" == show(lilypoker.view(stud.state, 0), ANN)[-1]
    assert "No limit, from 2 up." in show(lilypoker.view(stud.state, 0), ANN)[0]
    assert "Board: 3C 4C 5C." == show(lilypoker.view(holdem.state, 0), ANN)[1]


def test_hand_is_shown_with_what_it_makes():
    state = said(begun("AS AD | KS KD", "2C 3C 4C AC", variant="holdem"), "call, check").state

    assert ["Your hand: AS AD, board 3C 4C AC (three aces)"] == hand(lilypoker.view(state, 0), ANN)


def test_last_hand_is_shown_to_its_owner():
    state = said(begun(THREE), "fold, fold", script("2S 3S 4S 5S 6S | 8S 8D 8H 4C 5C | QS JD 10H 7C 3H")).state

    assert "Last hand: QS JD 10H 8C 3S (queen high)" == hand(lilypoker.view(state, 2), CAT)[-1]
    assert 1 == len(hand(lilypoker.view(state, 0), ANN))


def test_sheet_shows_what_each_hand_brought():
    state = said(begun(THREE, hands=1), "fold, fold").state

    assert [
        "Chips: you 99 (-1), bob 99 (-1), cat 102 (+2).",
        "Hand 1, five-card draw: you -1, bob -1, cat +2",
    ] == score(lilypoker.view(state, 0), ANN)
    assert "The session is over." == show(lilypoker.view(state, 0), ANN)[0]


def test_player_who_left_is_not_listed():
    state = lilypoker.apply(begun(THREE).state, 0, Leave(), NEVER).state
    step = said(Step(state, ()), "fold", script("2S 3S 4S 5S 6S | 8S 8D 8H 4C 5C"))

    assert "Hand 1: cat +2 (102)  ann -1 (99)  you -1 (99)" in lines(BOB, step)
    assert ["you: 98 chips", "cat: 101 chips"] == show(lilypoker.view(step.state, 1), BOB)[2:]
    assert "Chips: you 99 (-1), cat 102 (+2)." == score(lilypoker.view(step.state, 1), BOB)[0]


@pytest.mark.parametrize(
    ("text", "seat", "move", "sentence"),
    [
        ("", 1, Call(), "wait for ann to bet, check or fold."),
        ("", 0, Call(), "nobody has bet more than you: check, bet or fold."),
        ("", 0, Raise(4), "nobody has bet yet: check or bet."),
        ("", 0, Bet(3), "the amount must be 2."),
        ("", 0, Discard(), "it's time to bet; /moves lists your choices."),
        ("bet 2", 1, Bet(2), "the bet is 2: raise it, call or fold."),
        ("bet 2", 1, Choose("draw"), "it's time to bet; /moves lists your choices."),
        ("check, check, check", 0, Show(), "discard cards (/discard 7C 10D), or stand pat."),
        (
            "check, check, check",
            0,
            Discard(cards("9S")),
            "you don't have 9S, or not that many; /hand shows your cards.",
        ),
        ("check, check, check", 1, Discard(), "wait for ann to draw."),
        ("", 0, Join(5), "you can't add chips while you have some left."),
    ],
)
def test_refusal_says_what_can_be_done(text, seat, move, sentence):
    step = begun(THREE)
    state = said(step, text).state if text else step.state
    with pytest.raises(Refused) as refused:
        lilypoker.apply(state, seat, move, NEVER)

    assert sentence == GAME.refusal(refused.value.code, refused.value.facts, Reader(seat, NAMES[:3]))


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (9, {}, "this game is for 2 to 8 players."),
        (3, {"big_bet": 1}, "big-bet must be 2 to 1000000 here."),
        (3, {"variant": "stud7", "bring_in": 2}, "bring-in must be 1 here."),
    ],
)
def test_impossible_options_are_refused_with_the_allowed_ones(seats, options, sentence):
    with pytest.raises(Refused) as refused:
        lilypoker.start(seats, Options(**options), (), NEVER)

    assert sentence == GAME.refusal(refused.value.code, refused.value.facts, ANN)


# Typing.


def typed(line, state, seat):
    word, _, rest = line.partition(" ")
    command = next(one for one in GAME.commands if word in one.names)
    return command.run(lilypoker.view(state, seat), *command.read(rest))


@pytest.mark.parametrize(
    ("options", "text", "line", "move"),
    [
        ({}, "", "bet", Bet(2)),
        ({}, "bet 2", "raise", Raise(4)),
        ({}, "bet 2", "allin", Raise(4)),
        ({"limit": "no"}, "", "allin", Bet(99)),
        ({"limit": "no"}, "bet 99", "allin", Call()),
        ({"limit": "no"}, "", "bet 17", Bet(17)),
        ({}, "check, check, check", "discard 2d 7c", Discard(cards("7C 2D"))),
        ({}, "check, check, check", "discard", Discard()),
        ({}, "check, check, check", "pat", Discard()),
    ],
)
def test_moves_may_be_typed_as_people_say_them(options, text, line, move):
    step = begun(THREE, **options)
    state = said(step, text).state if text else step.state

    assert move == typed(line, state, lilypoker.turn(state))


def test_bet_out_of_turn_is_refused_for_its_time():
    assert Bet(0) == typed("bet", begun(THREE).state, 1)


def test_text_that_isnt_a_card_is_answered_with_an_example():
    with pytest.raises(Misread, match="cards are like 7C 10D; /stand keeps all"):
        typed("discard W", begun(THREE).state, 0)


def test_every_plain_move_is_spelled_as_its_command():
    assert ["variant stud7", "show", "stand"] == [spell(move) for move in (Choose("stud7"), Show(), Discard())]


@pytest.mark.parametrize("line", ["/discard 2D 7C", "2D 7C", "7c 2d", ".d 7C 2D"])
async def test_cards_alone_are_a_discard(line):
    """The cards may have any order; the numbers of moves work as well."""
    stage = await Stage.open({"lilypoker": GAME}, seed="typed")
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker bob")
    await stage.type("bob", "/sit lilypoker")
    bot = stage.table(1)
    first, second = (bot.table.seats[seat].name for seat in bot.table.state.deal.betting.order)
    await stage.type(first, "check")
    await stage.type(second, "check")
    held = bot.table.state.deal.layout.hands[bot.table.state.deal.turn]
    words = line.upper().replace("2D", str(held[0])).replace("7C", str(held[1]))

    told = await stage.type(first, words.replace("/DISCARD", "/discard").replace(".D ", ".d "))
    assert "You discard" in " ".join(told)


async def test_evening_of_poker_moves_chips_between_accounts():
    """100 of 1000 chips come to the table; a player who leaves gets their stack back."""
    stage = await Stage.open({"lilypoker": GAME}, seed="evening")
    for name in ("ann", "bob"):
        stage.enter(name)
    await stage.type("ann", "/new lilypoker hands=1 bob")
    await stage.type("bob", "/sit lilypoker")
    assert (100, 100) == stage.table(1).table.purses
    first = stage.table(1).table.seats[stage.table(1).table.state.deal.turn].name
    await stage.type(first, "fold")
    held = {name: " ".join(await stage.type(name, "/purse")) for name in ("ann", "bob")}

    assert "You have 999 chips" in held[first]
    assert "You have 1001 chips" in held["bob" if first == "ann" else "ann"]
