"""Wizard passes the checks of every game with every option, and its story is right."""

from __future__ import annotations

import attrs
import pytest

from lilygames.commands import Misread
from lilygames.game import Reader
from lilygames.games.families.tricks.words import hand
from lilygames.games.wizard import GAME
from lilygames.games.wizard.words import score, show, tell
from lilygames.scene_rows import asking
from lilygames.testing import check_game
from lilygames.text import Voice
from lilygames_rules import wizard
from lilygames_rules.cards import JESTER, WIZARD, Suit, cards
from lilygames_rules.kit import Refused, Scripted
from lilygames_rules.tricks.exactbid import Bid, Play
from lilygames_rules.wizard import CoinFlipped, NameTrump, Options, TopTied
from tests.games.wizard.positions import begun, position
from tests.games.wizard.worlds import hide

OPTIONS = (
    Options(),
    Options(style="german", order="inorder"),
    Options(style="german", wizard_up="none"),
    Options(style="canadian"),
    Options(style="canadian", canadian_zero=True),
)


def test_wizard_keeps_its_promises():
    """It passes every check of `check_game`, with each value of each option; only ties at the end are rare."""
    check_game(GAME, hide=hide, bound=1500, options=OPTIONS, sizes=(3, 4, 6), deals=1, rare=(TopTied, CoinFlipped))


NAMES = ("ann", "bob", "cat", "dan")
ANN, BOB, CAT, DAN, WATCHER = (Reader(seat, NAMES) for seat in (0, 1, 2, 3, None))
SPOKEN = Reader(0, NAMES, Voice(spoken=True))


def lines(reader, step):
    seen = (event.seen_by(reader.seat) for event in step.events)
    return [tell(event, reader) for event in seen if event is not None]


def asked(state, reader):
    return asking(GAME, wizard.view(state, reader.seat), wizard.moves(state, reader.seat), reader)


def aloud(state, reader):
    return asked(state, attrs.evolve(reader, voice=Voice(spoken=True)))


def shown(state, reader):
    return show(wizard.view(state, reader.seat), reader)


def test_game_begins_with_its_order_of_play():
    """The default is to randomize player order; seats keep their names, and the last in the order deals."""
    step = wizard.start(4, Options(), (), Scripted((2, 0, 3, 1), cards("2H 9H KH 4C 5D")))

    assert [
        "Order of play: cat, ann, dan and bob. bob deals first.",
        "Round 1 of 15: one card each. Trump is diamonds (5D turned up).",
    ] == lines(WATCHER, step)
    assert ["Order of play: cat, ann, dan and you. You deal first.", "Your hand: 4C"] == lines(BOB, step)[::2]
    assert ["cat", "ann", "dan", "bob"] == [row.partition(":")[0] for row in shown(step.state, WATCHER)[1:5]]


def test_dealer_is_asked_for_the_trump_after_a_turned_wizard():
    step = begun(3, "2H 9H KH W")
    named = wizard.apply(step.state, 2, NameTrump(Suit.HEARTS), Scripted())

    assert "Round 1 of 20: one card each. W turned up. cat deals and names the trump." == lines(ANN, step)[1]
    assert "Round 1 of 20: one card each. W turned up. You deal and name the trump." == lines(CAT, step)[1]
    assert [
        "Round 1 of 20: 1 card, trump unnamed (W). Hand: KH",
        "Your turn: name the trump: 1. clubs  2. diamonds  3. hearts  4. spades",
    ] == asked(step.state, CAT)
    assert ["Your turn: name the trump, 1 for clubs, 2 for diamonds, 3 for hearts, 4 for spades."] == aloud(
        step.state, CAT
    )
    assert "Trump: wizard, you name it." in lines(attrs.evolve(CAT, voice=Voice(spoken=True)), step)[1]
    assert "Trump: wizard, cat names it." in lines(SPOKEN, step)[1]
    assert ["cat names hearts as trump."] == lines(ANN, named)
    assert "Trump is hearts (W turned up, named by cat)." in shown(named.state, ANN)[0]


@pytest.mark.parametrize(
    ("turned", "words"),
    [("J", "There is no trump (J turned up)."), ("W", "There is no trump (W turned up)."), ("", "There is no trump.")],
)
def test_round_without_trump_says_so(turned, words):
    """That is after a jester, after a wizard if the table plays so, and in the last round."""
    state = position("2C | 3C | 4C", turned=turned, wizard_up="none")

    assert f"Round 1 of 20: one card each. {words}" == shown(state, ANN)[0]


def test_small_hand_says_which_letters_are_cards_without_a_suit():
    state = position("2C 3C 4C | JH J J | W JS 4H", turned="5D", bids=(0,))

    assert "Hand: JH J J (jester)" == asked(state, BOB)[-1].partition(". ")[2]
    assert "J is a jester" == GAME.asks(wizard.view(state, 1), wizard.moves(state, 1), BOB).held.worth


def test_barred_bid_is_told_to_everyone():
    """4 seats, round 4, German style, bids 1, 1, 1."""
    state = position("2C 3C 4C 5C | 2D 3D 4D 5D | 2H 3H 4H 5H | 2S 3S 4S 5S", style="german", bids=(1, 1))
    step = wizard.apply(state, 2, Bid(1), Scripted())

    assert ["cat bids 1.", "The dealer may not bid 1."] == lines(ANN, step)
    assert "You deal and may not bid 1." == lines(DAN, step)[-1]
    assert "Your turn: bid 0, 2, 3 or 4 (not 1). Hand: 2S 3S 4S 5S" == asked(step.state, DAN)[-1]
    assert ["Your turn: bid 0 to 4, but not 1."] == aloud(step.state, DAN)


def test_prompt_offers_the_suit_to_follow_wizards_and_jesters():
    """A leads 7C; B holds KC, W, J, 2D."""
    state = position("7C 2S 3S 4S | 2D KC J W | 5S 6S 7S 8S", bids=(0, 0, 0))
    state = wizard.apply(state, 0, Play(cards("7C")[0]), Scripted()).state

    assert "Your turn: follow C, or W or J: 1. KC  2. J  3. W  (2D)" == asked(state, BOB)[-1]
    assert ["Your turn: follow clubs, 1 for the king, 2 for a jester, 3 for a wizard."] == aloud(state, BOB)


def test_table_names_who_played_which_card_in_the_order_of_play():
    state = position("2C | 9C | 4C", order=(2, 1, 0), dealer=0, bids=(0, 0, 0))
    for card in cards("4C 9C"):
        state = wizard.apply(state, wizard.turn(state), Play(card), Scripted()).state

    assert "Trick: cat 4C, you [9C]" == shown(state, BOB)[-1]


def test_screen_reader_hears_wizards_and_jesters_by_name():
    state = position("KC 2D J W | 7C 2S 3S 4S | 5S 6S 7S 8S")

    assert ["Hand: clubs king; diamonds two; jester, wizard."] == hand(wizard.view(state, 0), SPOKEN)


@pytest.mark.parametrize(
    ("seat", "move", "sentence"),
    [
        (0, Bid(0), "wait for bob to play a card."),
        (1, Bid(0), "you have to play a card now; /moves lists your choices."),
        (1, NameTrump(Suit.CLUBS), "you have to play a card now; /moves lists your choices."),
        (1, Play(cards("2D")[0]), "you must follow clubs: KC, or play J W."),
        (1, Play(cards("AS")[0]), "you don't have AS; you can play KC J W."),
    ],
)
def test_refusal_says_what_can_be_done(seat, move, sentence):
    state = position("7C 2S 3S 4S | 2D KC J W | 5S 6S 7S 8S", bids=(0, 0, 0))
    state = wizard.apply(state, 0, Play(cards("7C")[0]), Scripted()).state
    with pytest.raises(Refused) as refused:
        wizard.apply(state, seat, move, Scripted())

    assert sentence == GAME.refusal(refused.value.code, refused.value.facts, Reader(seat, NAMES))


def test_barred_bid_is_refused_with_the_others():
    state = position("2C 3C 4C 5C | 2D 3D 4D 5D | 2S 3S 4S 5S", style="german", bids=(1, 1))
    with pytest.raises(Refused) as refused:
        wizard.apply(state, 2, Bid(2), Scripted())

    assert "the bids can't add up to 4 tricks: bid 0-4, but not 2." == GAME.refusal(
        refused.value.code, refused.value.facts, CAT
    )


def test_refusal_waits_for_the_dealer_to_name_the_trump():
    with pytest.raises(Refused) as refused:
        wizard.apply(begun(3, "2H 9H KH W").state, 0, Bid(0), Scripted())

    assert "wait for cat to name the trump." == GAME.refusal(refused.value.code, refused.value.facts, ANN)


def test_sheet_counts_the_rounds_bid_correctly():
    """The player with the most correct bids wins a tie."""
    state = position("2C | AC | KC", bids=(0, 1, 1))
    for card in cards("2C AC KC"):
        state = wizard.apply(state, wizard.turn(state), Play(card), Scripted(())).state

    assert [
        "Totals: ann 20, bob 30 and cat -10.",
        "Bids made: ann 1, bob 1 and cat 0.",
        "Round 1, 1 card: ann 0 of 0 +20, bob 1 of 1 +30, cat 0 of 1 -10",
    ] == score(wizard.view(state, None), WATCHER)


def test_broken_tie_says_how():
    assert "A tie for the highest total. Bids made: ann 9 rounds and you 1 round." == tell(TopTied((0, 1), (9, 1)), BOB)
    assert "Still a tie: a coin flip between ann and bob goes to ann." == tell(CoinFlipped((0, 1), 0), CAT)


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("AD", "AD"),
        ("10C", "10C"),
        ("tc", "10C"),
        ("kh", "KH"),
        ("w", "W"),
        ("wizard", "W"),
        ("J", "J"),
        ("Jester", "J"),
    ],
)
def test_cards_are_typed_as_on_the_mail_server(typed, card):
    """Rank and suit; a jack always carries its suit, so that J is a jester."""
    play = next(command for command in GAME.commands if command.name == "play")

    assert cards(card) == play.read(typed)


def test_text_that_isnt_a_card_is_answered_with_an_example():
    play = next(command for command in GAME.commands if command.name == "play")

    with pytest.raises(Misread, match="a card is like KH or 10C, W a wizard, J a jester"):
        play.read("11C")
    assert (WIZARD, JESTER) == cards("W J")


@pytest.mark.parametrize("typed", ["h", "Hearts", "♥"])
def test_suit_is_typed_by_its_start_or_symbol(typed):
    trump = next(command for command in GAME.commands if command.name == "trump")

    assert (Suit.HEARTS,) == trump.read(typed)
