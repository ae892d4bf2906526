"""The reason of a hint for Ohell: the chance to make the bid, compared with a count of all possible cards."""

import pytest

from lilygames.games.ohell import GAME
from lilygames.gametest.plays import luck_of
from lilygames_rules import ohell
from lilygames_rules.cards import DECK, Card
from lilygames_rules.kit import Scripted
from lilygames_rules.tricks.exactbid import Bid

WITHIN = 6
"""Tolerance, in times of 100, for a count over some 600 deals; its standard error is 2."""


def first_bid(own, trump):
    """Return the view and the moves of the first bidder of two with one card each."""
    other = next(card for card in DECK if card not in (own, trump))
    state = ohell.start(2, ohell.Options(max=3), (), Scripted(1, (own, other, trump))).state
    return ohell.view(state, 0), ohell.moves(state, 0)


def beaten(own, trump):
    """Return how many of the 50 cards that the other may hold beat a card that is led."""
    others = [card for card in DECK if card not in (own, trump)]
    return sum(
        (card.suit is own.suit and card.rank > own.rank) or (card.suit is trump.suit is not own.suit) for card in others
    )


@pytest.mark.parametrize(("own", "trump"), [("AH", "5S"), ("KS", "5S"), ("2D", "9C"), ("10C", "JD"), ("9H", "2H")])
def test_chance_to_make_the_bid_is_that_of_all_deals(own, trump):
    own, trump = Card.parse(own), Card.parse(trump)
    advice = GAME.advise(*first_bid(own, trump), luck_of(1, "hint"))
    lost = 100 * beaten(own, trump) / 50

    assert (lost if advice.move == Bid(0) else 100 - lost) == pytest.approx(advice.facts["made"], abs=WITHIN)
    assert advice.move.tricks == advice.facts["bid"]
