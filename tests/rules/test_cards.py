"""Cards are read and written in one way, and there is one object for each."""

from __future__ import annotations

import copy
import pickle

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.cards import ACE, DECK, JACK, JESTER, KING, WIZARD, Card, Suit, cards, pack, sorted_hand
from lilygames_rules.kit import Malformed

every_card = st.sampled_from((*DECK, JESTER, WIZARD))


@given(every_card)
def test_card_reads_as_it_prints(card):
    assert card is Card.parse(str(card))


@given(every_card)
def test_there_is_one_object_for_each_card(card):
    """So copies of several decks are equal, even pickled and copied ones."""
    same = [Card(card.suit, card.rank), copy.deepcopy(card), copy.copy(card), pickle.loads(pickle.dumps(card))]

    assert all(card is other for other in same)


def test_card_cannot_be_changed():
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        DECK[0].rank = 3
    assert "2C" == str(DECK[0])


@pytest.mark.parametrize("text", ["10C", "TC", "10c", "tc", " 10C ", "10♣"])
def test_ten_reads_both_ways_and_prints_as_ten(text):
    assert Card(Suit.CLUBS, 10) is Card.parse(text)
    assert "10C" == str(Card.parse(text))


@pytest.mark.parametrize("text", ["", "1C", "11C", "0C", "C", "10", "KHH", "HK", "XH", "2X", "WC", "K H"])
def test_text_that_isnt_a_card_is_malformed(text):
    with pytest.raises(Malformed):
        Card.parse(text)


@pytest.mark.parametrize(("suit", "rank"), [(Suit.CLUBS, 1), (Suit.CLUBS, 15), (None, 11), (None, 2)])
def test_card_that_no_pack_has_cannot_be_made(suit, rank):
    with pytest.raises(ValueError, match="no card has"):
        Card(suit, rank)


@pytest.mark.parametrize(
    ("text", "card"),
    [("w", WIZARD), ("wizard", WIZARD), ("j", JESTER), ("Jester", JESTER), ("JC", Card(Suit.CLUBS, JACK))],
)
def test_jack_always_carries_a_suit(text, card):
    """So J alone is a jester (pbmserv's Wizard help)."""
    assert card is Card.parse(text)


def test_card_has_words_and_symbols():
    king = Card(Suit.HEARTS, KING)

    assert ("king of hearts", "K♥") == (king.words, king.symbols)
    assert ("wizard", "W") == (WIZARD.words, WIZARD.symbols)
    assert "10 of spades" == Card.parse("TS").words


@pytest.mark.parametrize(
    ("text", "suit"), [("h", Suit.HEARTS), ("Hearts", Suit.HEARTS), ("sp", Suit.SPADES), ("♦", Suit.DIAMONDS)]
)
def test_suit_parses_from_its_start_or_symbol(text, suit):
    assert suit is Suit.parse(text)


@pytest.mark.parametrize("text", ["", "x", "heartsx"])
def test_text_that_isnt_a_suit_is_malformed(text):
    with pytest.raises(Malformed):
        Suit.parse(text)


def test_deck_goes_by_clubs_diamonds_hearts_spades_from_two_to_ace():
    assert cards("2C 3C") == DECK[:2]
    assert "AC 2D" == " ".join(map(str, DECK[12:14]))
    assert (52, ACE) == (len(set(DECK)), DECK[-1].rank)


def test_pack_of_two_decks_is_one_deck_after_the_other():
    assert (*DECK, *DECK) == pack(2)


@given(st.lists(every_card))
def test_hand_is_sorted_by_suit_then_rank(held):
    hand = sorted_hand(held)
    places = [(card.suit or "Z", card.rank) for card in hand]

    assert sorted(places) == places
    assert sorted(map(str, held)) == sorted(map(str, hand))
