"""Ohell passes the checks of every game, with every option."""

from __future__ import annotations

import pytest

from lilygames.commands import Misread
from lilygames.game import Reader
from lilygames.games.families.tricks.words import hand, score
from lilygames.games.ohell import GAME
from lilygames.games.ohell.words import show, tell
from lilygames.picture import TrickTaken
from lilygames.scene_rows import asking
from lilygames.testing import check_game
from lilygames.text import Voice
from lilygames_rules import ohell
from lilygames_rules.cards import Card
from lilygames_rules.kit import Refused, Scripted
from lilygames_rules.ohell import ChooseMax, Options, TrickWon
from lilygames_rules.tricks.exactbid import Bid, Play, TrickCancelled
from tests.games.ohell.worlds import hide

RARE = (TrickCancelled,)
"""Events that never happen with one deck."""


def options(**changed):
    return Options(**{"max": 3, **changed})


@pytest.mark.parametrize(
    ("chosen", "sizes", "rare"),
    [
        (Options(), (4,), RARE),
        (options(), (2, 5), RARE),
        (options(hook=False, first_dealer="host"), (3,), RARE),
        (options(decks=4, dupes="cancel-pair", max=20), (2,), ()),
        (options(decks=4), (12,), RARE),
        (options(decks=3, dupes="cancel-trick", max=8), (6,), ()),
        (options(decks=2, dupes="first", supertrump=False), (7,), RARE),
        (options(decks=2, dupes="last"), (4,), RARE),
    ],
)
def test_ohell_keeps_its_promises(chosen, sizes, rare):
    """It passes every check of `check_game`, with each value of each option."""
    check_game(GAME, hide=hide, bound=5000, options=[chosen], sizes=sizes, deals=1, rare=rare)


NAMES = ("ann", "bob", "cat")


def lines(reader, step):
    seen = (event.seen_by(reader.seat) for event in step.events)
    return [tell(event, reader) for event in seen if event is not None]


def cards(text):
    return tuple(map(Card.parse, text.split()))


def at_the_second_round(*moves):
    """Ann deals first; after the round of one card bob deals: KS JC 3C go to cat, ann, bob and 2S QD 9D."""
    lucks = iter([Scripted(cards("2H 9H KH 5D")), *[Scripted(cards("KS JC 3C 2S QD 9D 7C"))] * 9])
    step = ohell.start(3, options(first_dealer="host"), (), next(lucks))
    first = [Bid(0), Bid(0), Bid(0), *map(Play, cards("2H 9H KH"))]
    later = next(lucks)
    for move in [*first, *moves]:
        step = ohell.apply(step.state, ohell.turn(step.state), move, later)
    return step


ANN, BOB, CAT, WATCHER = (Reader(seat, NAMES) for seat in (0, 1, 2, None))
SLIM, EARS = Voice(narrow=True), Voice(spoken=True)


def asked(state, seat, voice=None):
    """Return the rows of a turn, or the one that is read aloud."""
    return asking(GAME, ohell.view(state, seat), ohell.moves(state, seat), Reader(seat, NAMES, voice or Voice()))


def test_round_begins_with_the_trump_and_your_cards():
    """Nobody else learns the hand."""
    step = ohell.start(3, options(first_dealer="host"), (), Scripted(cards("2H 9H KH 5D")))

    assert [
        "ann deals first.",
        "Hands of 1 to 3 cards and back to 1: 5 rounds, 1 deck.",
        "Round 1 of 5: one card each. Trump is diamonds (5D turned up).",
    ] == lines(WATCHER, step)
    assert "Your hand: KH" == lines(ANN, step)[-1]


def test_first_dealer_is_asked_for_the_largest_hand():
    """The maximum is picked by the dealer (lily's Ohell help)."""
    step = ohell.start(3, Options(first_dealer="host"), (), Scripted())

    assert ["You deal first and pick the largest hand, 3 to 20 cards."] == lines(ANN, step)
    assert ["Your turn: pick the largest hand: 3-20 (3 makes the shortest game)."] == asked(step.state, 0)
    assert ["Your turn: pick the largest hand, 3 to 20."] == asked(step.state, 0, EARS)
    assert ["ann picks the largest hand.", "Totals: ann 0, you 0 and cat 0."] == show(ohell.view(step.state, 1), BOB)


def test_picking_the_largest_hand_is_told():
    step = ohell.start(3, Options(first_dealer="host"), (), Scripted())
    step = ohell.apply(step.state, 0, ChooseMax(5), Scripted(()))

    assert "ann picks 5. Hands of 1 to 5 cards and back to 1: 9 rounds, 1 deck." == lines(BOB, step)[0]


def test_end_of_a_round_tells_points_and_totals_and_deals_on():
    step = at_the_second_round()

    assert [
        "You play KH.",
        "You take the trick with KH (1 taken, 0 bid).",
        (
            "Round 1  bid  took  points  total  why\n"
            " bob       0     0     +11     11  made 0: 10 + 1 card\n"
            " cat       0     0     +11     11  made 0: 10 + 1 card\n"
            " you       0     1      -1     -1  missed by 1: -1"
        ),
        "Round 2 of 5: 2 cards each. Trump is clubs (7C turned up).",
        "Your hand: JC QD",
    ] == lines(ANN, step)


def test_bidder_reads_the_round_the_bids_so_far_and_the_barred_one():
    state = at_the_second_round(Bid(1), Bid(0)).state

    assert [
        "Round 2 of 5: 2 cards, trump C (7C). You deal. Bids: cat 1, ann 0.",
        "Your turn: bid 0 or 2 (not 1: bids may not add up to 2). Hand: 3C 9D",
    ] == asked(state, 1)
    assert [
        "Round 2 of 5: 2 cards, trump C (7C).",
        "  You deal. Bids: cat 1, ann 0.",
        "Your turn: bid 0 or 2 (not 1).",
        "Hand: 3C 9D",
    ] == asked(state, 1, SLIM)
    assert ["Your turn: bid 0 or 2."] == asked(state, 1, EARS)


def test_prompt_asks_to_follow_suit():
    state = at_the_second_round(Bid(1), Bid(0), Bid(2), Play(Card.parse("2S"))).state

    assert [
        "Trick 1/2, trump C: cat [2S] 0/1   you -- 0/0   bob -- 0/2",
        "Your turn: no S, play: 1. JC  2. QD",
    ] == asked(state, 0)
    assert ["Your turn: no spades, 1 for clubs jack, 2 for diamonds queen."] == asked(state, 0, EARS)

    state = at_the_second_round(Bid(1), Bid(0), Bid(2), *map(Play, cards("2S QD 9D KS JC"))).state
    assert "Your turn: no S, play: 1. 3C" == asked(state, 1)[-1]
    assert ["Your turn: no spades, 1 for clubs three."] == asked(state, 1, EARS)


def test_table_shows_the_winning_card_in_brackets():
    """When displaying the trick, the card in [] is the current winning card (lily's Ohell help)."""
    state = at_the_second_round(Bid(1), Bid(0), Bid(2), *map(Play, cards("2S JC"))).state

    assert [
        "Round 2 of 5: 2 cards each. Trump is clubs (7C turned up).",
        "you: bid 0, took 0, -1 points",
        "bob: bid 2, took 0, 11 points, dealer",
        "cat: bid 1, took 0, 11 points",
        "Trick: cat 2S, you [JC]",
    ] == show(ohell.view(state, 0), ANN)


def test_last_trick_stays_in_sight_until_the_next_is_led():
    state = at_the_second_round(Bid(1), Bid(0), Bid(2), *map(Play, cards("2S JC 9D"))).state

    assert ["Last trick: cat 2S, ann [JC], bob 9D", "Trick: no card yet"] == show(ohell.view(state, None), WATCHER)[-2:]


def test_picture_has_the_last_trick_and_how_each_stands_to_its_bid():
    state = at_the_second_round(Bid(1), Bid(0), Bid(2), *map(Play, cards("2S JC 9D"))).state
    shown = GAME.picture(ohell.view(state, 0), ANN)

    assert TrickTaken(((2, "2S"), (0, "JC"), (1, "9D")), 0, ("2S@2", "JC", "9D@1")) == shown.last_trick
    assert ((), 0) == (shown.middle, shown.led)
    assert {0: "over", 1: "under", 2: "under"} == {one.seat: one.tone for one in shown.seats}


def test_screen_reader_hears_cards_in_words():
    state = at_the_second_round().state
    spoken = Reader(2, NAMES, Voice(spoken=True))

    assert ["Hand: spades two, king."] == hand(ohell.view(state, 2), spoken)


def test_suits_are_symbols_if_the_reader_prefers_them():
    state = at_the_second_round().state

    assert ["Your hand: 2♠ K♠"] == hand(ohell.view(state, 2), Reader(2, NAMES, Voice(suits="symbols")))


def test_sheet_shows_tricks_taken_of_bid():
    assert [
        "Totals: ann -1, bob 11 and cat 11.",
        "Round 1, 1 card: ann 1 of 0 -1, bob 0 of 0 +11, cat 0 of 0 +11",
    ] == score(ohell.view(at_the_second_round().state, None), WATCHER)


def test_trick_names_what_is_taken_and_bid():
    assert "cat takes the trick with KH (2 taken, 3 bid)." == tell(TrickWon(2, Card.parse("KH"), 2, 3), BOB)
    assert "The trick is cancelled: nobody takes it. You lead again." == tell(TrickCancelled(2), CAT)


@pytest.mark.parametrize(
    ("seat", "moves", "move", "sentence"),
    [
        (0, [], Bid(0), "wait for cat to bid."),
        (2, [], Play(Card.parse("2S")), "you have to bid now; /moves lists your choices."),
        (2, [], Bid(3), "bid 0-2."),
        (1, [Bid(1), Bid(0)], Bid(1), "the bids can't add up to 2 tricks: bid 0 or 2."),
        (2, [Bid(1), Bid(0), Bid(2)], Play(Card.parse("AD")), "you don't have AD; you can play 2S KS."),
        (2, [Bid(1), Bid(0), Bid(2)], ChooseMax(4), "you have to play a card now; /moves lists your choices."),
    ],
)
def test_refusal_says_what_can_be_done(seat, moves, move, sentence):
    state = at_the_second_round(*moves).state
    with pytest.raises(Refused) as refused:
        ohell.apply(state, seat, move, Scripted())

    assert sentence == GAME.refusal(refused.value.code, refused.value.facts, Reader(seat, NAMES))


def test_refusal_to_follow_lists_the_legal_cards():
    facts = {"card": Card.parse("2S"), "suit": Card.parse("2H").suit, "cards": cards("2H 9H KH")}

    assert "you must follow hearts: 2H 9H KH." == GAME.refusal("must-follow", facts, ANN)


def test_card_without_a_suit_is_refused():
    """A jester belongs to Wizard; a player who types J meant a jack and forgot the suit."""
    play = next(command for command in GAME.commands if command.name == "play")

    assert (Card.parse("10C"),) == play.read("tc")
    with pytest.raises(Misread, match="a card is like KH or 10C"):
        play.read("J")
