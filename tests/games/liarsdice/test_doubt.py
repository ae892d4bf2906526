"""Moves of Liars Dice that `/set confirm` asks about: slips of the finger, and never a bot's usual move."""

import pytest

from lilygames.games.liarsdice import GAME
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.passing import Claim, Peek
from tests.games.doubts import doubted
from tests.games.liarsdice.test_novice import after


def doubt(state, move):
    """Return why the seat in turn is asked about a move; a text is a claim."""
    made = Claim(Hand.parse(move)) if isinstance(move, str) else move
    return GAME.doubt(liarsdice.view(state, liarsdice.turn(state)), made)


OFFERED_BACK = (*["pair"], Accept(), Peek(), "pair 9", "pair T", "pair J")
"""Seat 1 looks and passes the dice, the others pass them on unseen, and they come back to it."""


def test_challenge_of_a_claim_that_the_dice_make_true_is_asked_about():
    assert "The dice that you see already make this claim true." == doubt(after("JJK9A", *OFFERED_BACK), Challenge())


def test_challenge_of_a_claim_that_the_open_dice_make_true_is_asked_about():
    """Two queens lie open; the other dice are hidden."""
    assert doubt(after("QQK9A", Roll((3, 4, 5)), "pair Q"), Challenge())
    assert not doubt(after("QQK9A", Roll((3, 4, 5)), "three Q"), Challenge())


def test_accepting_a_claim_that_the_dice_make_a_lie_is_asked_about():
    asked = "The dice that you see make this claim a lie, so a challenge wins."

    assert asked == doubt(after("99TJK", *OFFERED_BACK), Accept())


@pytest.mark.parametrize("answer", [Accept(), Challenge()])
def test_no_answer_to_a_claim_about_hidden_dice_is_asked_about(answer):
    assert not doubt(after("AAKJ9", "four kings"), answer)


def test_lie_of_five_aces_is_asked_about():
    asked = "Nobody can beat five aces, so the next player has to challenge. You see that it is a lie."

    assert asked == doubt(after("AAAJ9"), "AAAAA")
    assert not doubt(after("AAAAA"), "AAAAA")


def test_five_aces_are_usual_for_a_seat_that_has_to_claim_five_of_a_kind():
    assert not doubt(after("AAAJ9", "KKKKK", Accept(), Peek()), "AAAAA")


def test_lie_far_above_the_dice_and_the_claim_to_beat_is_asked_about():
    """Four kings instead of a pair of kings."""
    assert "You see that four kings is a lie. A much lower claim would do." == doubt(after("KKJT9"), "KKKK")
    assert doubt(after("KKJT9", "pair", Accept(), Peek()), "KKKK")


@pytest.mark.parametrize("claim", ["pair 9", "KKJT9", "KKK", "three aces", "high straight"])
def test_truth_and_usual_lie_are_not_asked_about(claim):
    assert not doubt(after("KKJT9"), claim)


def test_high_lie_is_not_asked_about_if_the_claim_to_beat_is_high_or_the_dice_are_hidden():
    assert not doubt(after("KKJT9", "full", Accept(), Peek()), "KKKK")
    assert not doubt(after("KKJT9", "pair"), "KKKK")


def test_sharks_are_seldom_asked():
    """Now and then, lies far above the dice are part of the solution."""
    assert doubted(GAME, "shark", 8) < 0.02
