"""Following suit and winning a trick: lily's Ohell help, and pbmserv's Wizard help for suitless cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules.cards import DECK, JESTER, WIZARD, Card, Suit, cards, sorted_hand
from lilygames_rules.tricks.trick import led_suit, playable, winning

HEARTS, DIAMONDS = Suit.HEARTS, Suit.DIAMONDS
NINE_OF_HEARTS = Card(HEARTS, 9)
tricks = st.lists(st.sampled_from(DECK), min_size=1, max_size=12)


def winner(text, trump=HEARTS, crowned=NINE_OF_HEARTS, dupes="cancel-pair"):
    place = winning(cards(text), trump, crowned, dupes)
    return None if place is None else "ABCDEFGHIJKL"[place]


def test_leader_may_play_any_card():
    hand = cards("2C 9D KS")

    assert hand == playable(hand, ())


def test_player_with_the_suit_led_must_follow():
    assert cards("2C 9C") == playable(cards("2C 9C KD AH"), cards("5C KD"))


def test_player_without_the_suit_led_may_play_anything():
    """You may play a trump at any time unless you can follow suit."""
    hand = cards("2D 9H KS")

    assert hand == playable(hand, cards("5C"))


def test_highest_card_of_the_suit_led_wins():
    assert "C" == winner("5C 2C KC AD", crowned=None)


def test_trump_beats_any_other_card_but_a_higher_trump():
    assert "C" == winner("AC 2H 3H KC", crowned=None)


def test_other_suits_cannot_win():
    assert "A" == winner("2C AD AS", crowned=None)


def test_super_trump_beats_even_the_ace_of_trumps():
    """5H turned up: A leads AH, B plays the other 5H, C KH (lily's Ohell help)."""
    assert "B" == winner("AH 5H KH", crowned=Card(HEARTS, 5))


def test_without_a_super_trump_the_ace_of_trumps_wins():
    assert "A" == winner("AH 5H KH", crowned=None)


@pytest.mark.parametrize(
    ("dupes", "taker"), [("cancel-pair", "B"), ("cancel-trick", None), ("first", "A"), ("last", "C")]
)
def test_two_aces_of_clubs_meet(dupes, taker):
    """A AC, B KC, C AC, D 3C, under each reading of what identical cards do."""
    assert taker == winner("AC KC AC 3C", dupes=dupes)


def test_two_pairs_cancel_the_trick():
    assert winner("5C 5C KC KC") is None


def test_card_off_suit_does_not_win_after_a_pair_cancels():
    """Of 7D AC 7D 8S no diamond and no trump is left."""
    assert winner("7D AC 7D 8S") is None


def test_of_three_copies_the_last_one_played_stands():
    assert "D" == winner("AC AC 3C AC")


def test_third_copy_survives_right_after_the_second():
    assert "D" == winner("AC 3C AC AC")


def test_two_super_trumps_cancel_like_any_pair():
    assert "C" == winner("9H 9H 2H KC")


def test_pair_elsewhere_does_not_cancel_the_trick():
    """`cancel-trick` looks at the best card only."""
    assert "C" == winner("5C 5C KC", dupes="cancel-trick")


@given(tricks, st.sampled_from([*Suit, None]), st.sampled_from(["cancel-pair", "cancel-trick", "first", "last"]))
def test_no_card_that_could_win_beats_the_winner(trick, trump, dupes):
    place = winning(trick, trump, None, dupes)
    able = [card for card in trick if card.suit in (trick[0].suit, trump) and card.suit is not None]
    alone = [card for card in able if trick.count(card) == 1]

    assert place is None or trick[place] in able
    rivals = alone if dupes.startswith("cancel") else able
    assert place is not None or not alone or dupes == "cancel-trick"
    for rival in rivals if place is not None else ():
        won = trick[place]
        assert (rival.suit is trump, rival.rank) <= (won.suit is trump, won.rank)


@given(st.permutations(DECK).map(lambda deck: deck[:5]), st.sampled_from([*Suit, None]))
def test_with_one_deck_the_reading_of_copies_does_not_matter(trick, trump):
    assert 1 == len({winning(trick, trump, None, dupes) for dupes in ("cancel-pair", "cancel-trick", "first", "last")})


@given(st.lists(st.sampled_from(DECK), min_size=1), st.lists(st.sampled_from(DECK), max_size=4))
def test_player_with_cards_always_has_a_legal_one(held, trick):
    hand = sorted_hand(held)

    assert playable(hand, trick)


def test_wizard_and_a_jester_may_always_be_played():
    """A leads 7C; B holds KC, W, J, 2D."""
    assert {*cards("KC W J")} == {*playable(sorted_hand(cards("KC W J 2D")), cards("7C"))}


def test_suitless_cards_alone_do_not_bind():
    hand = sorted_hand(cards("2D W J"))

    assert hand == playable(hand, cards("7C"))


def test_led_jester_leaves_the_suit_to_the_next_card():
    assert Suit.CLUBS is led_suit(cards("J 7C 2D"))
    assert led_suit((JESTER,)) is None


def test_led_wizard_frees_everyone():
    assert led_suit(cards("W 7C")) is None
    assert cards("2D KC") == playable(cards("2D KC"), cards("W 7C"))


def test_after_a_led_wizard_anything_may_be_played_a_jester_or_not():
    """No suit is led, so a hand with suitless cards isn't restricted either."""
    hand = sorted_hand(cards("KC AH J W"))

    assert hand == playable(hand, cards("W 7C"))


@pytest.mark.parametrize("dupes", ["cancel-pair", "cancel-trick", "first", "last"])
def test_trick_of_jesters_goes_to_the_first_whatever_copies_do(dupes):
    assert "A" == winner("J J", crowned=None, dupes=dupes)


@pytest.mark.parametrize(
    ("text", "taker"), [("AD W W 2D", "B"), ("J J J J", "A"), ("10C KH 2S J", "A"), ("J W 2D", "B")]
)
def test_first_wizard_wins_and_a_trick_of_jesters_goes_to_the_first(text, taker):
    """Wizard's own rules fit the same engine, with its wizards as the highest cards."""
    trump = DIAMONDS if "D" in text else None

    assert taker == winner(text, trump, WIZARD, "first")
