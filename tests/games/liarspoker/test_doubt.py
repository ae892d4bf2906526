"""Moves of Liar's Poker that `/set confirm` asks about: slips of the finger, and never a bot's usual move."""

from lilygames.games.liarspoker import GAME
from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Bid, Challenge, Stand
from tests.games.doubts import doubted
from tests.games.liarspoker.talk import begun, said

NUMBERS = "77123456 | 77701234 | 11111111"
"""Two sevens in the first number, three in the second."""


def doubt(text, move):
    """Return why the seat in turn is asked about a move after these calls; a text is a bid."""
    state = begun(NUMBERS).state
    state = said(state, text).state if text else state
    made = Bid.parse(move) if isinstance(move, str) else move
    return GAME.doubt(liarspoker.view(state, liarspoker.turn(state)), made)


def test_challenge_of_a_bid_that_the_own_digits_make_true_is_asked_about():
    assert "You hold 3 sevens yourself, so this bid is true." == doubt("3 sevens", Challenge())
    assert not doubt("4 sevens", Challenge())


def test_bid_of_more_digits_than_there_can_be_is_asked_about():
    asked = "You hold 2 sevens, so the others need 17 among 16 digits. That is impossible."

    assert asked == doubt("", "19 sevens")


def test_bid_that_the_own_digits_make_next_to_impossible_is_asked_about():
    """Of 16 digits six are a seven in 33 of 10,000 hands, five in 170."""
    asked = "You hold 2 sevens, so the others need 6 among 16 digits. That happens less than 1 time in 100."

    assert asked == doubt("", "8 sevens")
    assert not doubt("", "7 sevens")
    assert "You hold no eights, so" in doubt("", "6 eights")


def test_bid_of_a_rank_that_another_has_bid_may_go_one_higher():
    """Others tell what they hold by what they bid."""
    assert not doubt("7 tens", "8 tens")
    assert doubt("7 tens", "9 tens")


def test_standing_is_not_asked_about():
    assert not doubt("9 sevens, x, x", Stand())


def test_sharks_are_hardly_ever_asked():
    assert doubted(GAME, "shark", 10) < 0.01
