"""Moves in sequence share a row, in the words of each game. Rows leave out what the reader's turn shows next."""

import attrs
import pytest

from lilygames.game import InSequence, Reader
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.layout import side_by_side
from lilygames.text import Voice
from lilygames_rules.bidding import ladder
from lilygames_rules.cards import WIZARD, Card, Suit
from lilygames_rules.dice.claims import Claim
from lilygames_rules.dice.cup import Accepted, Looked, Rolled
from lilygames_rules.dice.passing import Challenged, ClaimMade
from lilygames_rules.lair import moves as lair
from lilygames_rules.tricks.exactbid import BidMade, CardPlayed, Deal, Dealt, HandDealt, Sight, TrickCancelled, TrickWon

NAMES = ("ann", "Ada", "Max", "Ida")
GAMES = games()
HIDDEN = (None,) * 5


@attrs.frozen
class View:
    """The part of a view that rows need."""

    round: Sight | None = None


def rows(name, *events, view=None, seat=0, asked=False, person=None, narrow=False):
    """Return a game's rows for events; skip the test where the game has been deleted."""
    if name not in GAMES:
        pytest.skip(f"{name} isn't installed")
    reader = Reader(seat, NAMES, Voice(narrow=narrow))
    return [*GAMES[name].merging.rows(InSequence(lambda: view or View(), events, reader, asked, person))]


def cards(text):
    return tuple(map(Card.parse, text.split()))


def second_trick(played="", turn=1):
    """Return the view of a round of three cards in its second trick."""
    deal = Deal(1, 3, (0, 1, 2, 3), 0, None, Suit.SPADES)
    first = (None,)
    return View(Sight(deal, (), (1, 0, 0, 1), (0, 0, 0, 1), first, cards(played), turn))


def bids(*made):
    return [BidMade(seat, tricks) for seat, tricks in enumerate(made)]


def plays(text, first=1):
    return [CardPlayed((first + place) % 4, card) for place, card in enumerate(cards(text))]


# Ohell and Wizard


def test_bids_of_several_players_are_one_row():
    assert ["You bid 1, Ada 0, Max 2."] == rows("ohell", *bids(1, 0, 2))


def test_cards_of_several_players_are_one_row():
    assert ["Ada plays 9H, Max KH."] == rows("ohell", *plays("9H KH"), view=second_trick())


@pytest.mark.parametrize("events", [bids(1, 0, 2), plays("9H KH")])
def test_there_is_no_row_for_moves_that_the_reader_s_turn_shows(events):
    assert [] == rows("ohell", *events, view=second_trick(), asked=True)


def test_another_person_s_move_has_a_row_even_if_the_turn_shows_it():
    assert ["Ada plays 9H."] == rows("ohell", *plays("9H KH"), view=second_trick(), asked=True, person=1)


def test_the_end_of_a_trick_repeats_all_its_cards():
    """The first two were played before these events; the winning card stands in brackets."""
    won = TrickWon(2, Card.parse("KH"), 1, 0)
    expected = "Trick 2/3: Ada 9H  Max [KH]  Ida 4H  you AH. Max takes it: 1 of 0."

    assert [expected] == rows("ohell", *plays("4H AH", first=3), won, view=second_trick("9H KH", turn=3))


def test_the_end_of_a_trick_is_short_on_a_narrow_screen():
    """The row of a trick that fits a screen of 40 columns ends with the tricks taken and bid."""
    deal = Deal(1, 3, (0, 1, 2), 0, None, Suit.SPADES)
    view = View(Sight(deal, (), (1, 0, 0), (0, 0, 0), (None,), (), 1))
    won = TrickWon(0, Card.parse("AH"), 1, 1)
    played = [CardPlayed(seat, card) for seat, card in zip((1, 2, 0), cards("9H KH AH"), strict=True)]

    assert ["Ada 9H Max KH you [AH]. You 1/1."] == rows("ohell", *played, won, view=view, narrow=True)


def test_a_narrow_screen_says_in_a_row_of_its_own_who_takes_a_trick_that_fills_the_first():
    won = TrickWon(0, Card.parse("AH"), 1, 1)

    assert ["Ada 9H Max KH Ida 4H you [AH].", "  You take it: 1 of 1."] == rows(
        "ohell", *plays("9H KH 4H AH"), won, view=second_trick(), narrow=True
    )


def test_a_trick_that_nobody_takes_has_no_winning_card():
    (row,) = rows("ohell", *plays("9H 9H"), TrickCancelled(1), view=second_trick())

    assert "2/3: Ada 9H  Max 9H. The trick is cancelled" in row


def test_a_new_deal_has_rows_unless_the_reader_bids_next():
    deal = (Dealt(Deal(2, 2, (0, 1, 2, 3), 0, None, None), 5), HandDealt(0, cards("9H KH")))
    asked = rows("ohell", *deal, *bids(None, 0)[1:], asked=True)

    assert [] == asked
    assert ["Your hand: 9H KH", "Ada bids 0."] == rows("ohell", *deal, *bids(None, 0)[1:])[1:]


@pytest.mark.parametrize(
    ("name", "turned", "crowned", "shown"),
    [("wizard", "9H", WIZARD, True), ("wizard", "W", WIZARD, False), ("ohell", "9H", Card.parse("9H"), False)],
)
def test_a_turn_shows_the_deal_unless_the_card_turned_up_beats_all_others(name, turned, crowned, shown):
    """In Ohell that card is a super-trump; in Wizard the dealer names the trump."""
    card = crowned if str(crowned) == turned else Card.parse(turned)
    deal = Deal(2, 2, (0, 1, 2, 3), 0, card, card.suit, crowned)
    told = rows(name, Dealt(deal, 5), HandDealt(0, cards("9H KH")), asked=True)

    assert shown == (told == [])


# Liars Dice and Lie Die


def claim(seat, text, **how):
    return ClaimMade(seat, Claim.parse(text), (seat + 1) % 4, **({"looked": True, "unseen": False} | how))


def test_passes_of_several_bots_are_one_row():
    passes = (
        Rolled(1, 5, 2, HIDDEN, None),
        claim(1, "KK"),
        Accepted(2),
        Looked(2, None),
        Rolled(2, 2, 1, HIDDEN, None),
        Rolled(2, 1, 0, HIDDEN, None),
        claim(2, "KKQQ"),
        claim(3, "KKQQA", looked=False, unseen=True),
    )

    assert [
        "Ada rolled 5: pair K; Max rolled 2, then 1: KKQQ; Ida passed on unseen: KKQQA,",
    ] == [row.rpartition(" to ")[0] for row in rows("liarsdice", *passes, seat=None)]


def test_the_pass_to_the_reader_is_left_to_their_turn():
    passes = (Accepted(2), claim(2, "KK"), Accepted(3), claim(3, "KKQQ"))

    assert ["Max looked: pair K."] == rows("liarsdice", *passes, asked=True)
    assert [] == rows("liarsdice", *passes[2:], asked=True)


def test_dice_that_lie_open_are_told():
    passes = (Rolled(1, 3, 1, (6, 6, None, None, None), None), claim(1, "AA"))

    assert ["Ada rolled 3 (A A ? ? ?): pair A, to Max."] == rows("liarsdice", *passes)


def test_a_claim_and_what_comes_of_it_share_a_row_if_they_fit():
    claimed, challenged = claim(0, "KK"), Challenged(1, 0, Claim.parse("KK"), (5, 5, 4, 3, 2), honest=True)
    told = rows("liarsdice", claimed, challenged)

    assert ["You pass to Ada: a pair of kings."] == rows("liarsdice", claimed)
    assert 1 == len(rows("liarsdice", claimed, Accepted(1), claim(1, "AA")))
    assert "True!" in told[-1]


# the other games


def plays_of_the_lair(*seats):
    return [lair.CardPlayed(seat, (10 + seat, "Wallpaper listens.")) for seat in seats]


def test_cards_that_a_turn_of_liar_s_lair_lists_have_no_row():
    assert [] == rows("liarslair", *plays_of_the_lair(1, 2), asked=True)
    assert ["Ada plays 11: Wallpaper listens."] == rows("liarslair", *plays_of_the_lair(1, 2), asked=True, person=1)
    assert 2 == len(rows("liarslair", *plays_of_the_lair(1, 2)))


def test_cards_that_have_left_the_table_before_a_turn_have_rows():
    contradicted = lair.Contradicted((11, "Wallpaper listens."), (12, "Wallpaper does not listen."), 1, 2)
    reclaimed = lair.CardReclaimed(2, (12, "Wallpaper listens."))

    assert 3 == len(rows("liarslair", *plays_of_the_lair(1, 2), contradicted, asked=True))
    assert 3 == len(rows("liarslair", *plays_of_the_lair(1, 2), reclaimed, asked=True))


def test_answers_of_several_players_are_one_row():
    assert ["Ada passes. Max volunteers."] == rows("liarslair", lair.Passed(1), lair.Volunteered(2))


def test_sentences_of_some_events_stand_side_by_side():
    merging = side_by_side(lambda event, _: f"{event}.", str)

    def said(*events):
        return merging.rows(InSequence(View, events, Reader(0, NAMES), asked=True))

    assert ["a. b.", "3.", "c."] == said("a", "b", 3, "c")


def test_bids_that_a_turn_of_liar_s_poker_shows_have_no_row():
    bid = ladder.BidMade(1, ladder.Bid(3, 6), 1, 1, rebid=False)

    assert [] == rows("liarspoker", bid, asked=True)
    assert 1 == len(rows("liarspoker", bid))
    assert 1 == len(rows("liarspoker", bid, asked=True, narrow=True))


@pytest.mark.skipif("liarsdice" not in GAMES, reason="it isn't installed")
async def test_a_game_begins_without_the_dice_that_the_first_turn_shows():
    stage = await Stage.open(GAMES)
    stage.enter("ann")
    await stage.type("ann", "/new liarsdice first=host")
    await stage.type("ann", "/house 2")
    shown = await stage.type("ann", "/start")

    assert [] == [row for row in shown if row.startswith("You roll")]
    assert any(row.startswith("Your dice: ") for row in shown)
