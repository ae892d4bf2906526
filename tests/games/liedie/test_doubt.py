"""Moves of Lie Die that `/set confirm` asks about: slips of the finger, and never a bot's usual move."""

import pytest

from lilygames.games.liedie import GAME
from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.throws import Throw
from lilygames_rules.liedie import Claim
from tests.games.doubts import doubted
from tests.games.liedie.test_novice import after


def doubt(state, move):
    """Return why the seat in turn is asked about a move; a text is a claim."""
    made = Claim(Throw.parse(move)) if isinstance(move, str) else move
    return GAME.doubt(liedie.view(state, state.turn.seat), made)


def handed_back(text, *claims, **options):
    """Return the state of a game of two in which nobody throws a die after the first throw."""
    first, *later = claims
    return after(text, first, *(move for claim in later for move in (Accept(), Roll(()), claim)), seats=2, **options)


def test_challenge_of_a_claim_that_is_known_to_be_true_is_asked_about():
    assert "You know the dice, and this claim is true." == doubt(handed_back("33145", "22145", "33145"), Challenge())
    assert not doubt(handed_back("33145", "22145", "33146"), Challenge())


def test_accepting_a_claim_that_is_known_to_be_a_lie_is_asked_about():
    asked = "You know the dice, and this claim is a lie, so a challenge wins."

    assert asked == doubt(handed_back("33145", "22145", "33146"), Accept())
    assert not doubt(handed_back("33145", "22145", "33145"), Accept())


def test_lower_claim_is_true_only_at_a_table_that_says_so():
    lower = ("22145", "22136")

    assert doubt(handed_back("33145", *lower, truth="atleast"), Challenge())
    assert doubt(handed_back("33145", *lower, truth="exact"), Accept())


@pytest.mark.parametrize("answer", [Accept(), Challenge()])
def test_no_answer_to_a_claim_about_hidden_dice_is_asked_about(answer):
    assert not doubt(after("33145", "66665"), answer)


def test_claim_below_a_throw_that_would_do_is_asked_about():
    asked = "Your dice are 66331, which is better. Here a lower claim is a lie, too."

    assert asked == doubt(after("66331"), "66321")
    assert not doubt(after("66331"), "66331")
    assert not doubt(after("66331", truth="atleast"), "66321")


def test_lie_of_five_sixes_is_asked_about():
    asked = "Nobody can beat five sixes, so the next player has to challenge. You know that it is a lie."

    assert asked == doubt(after("66331"), "66666")
    assert not doubt(after("66666"), "66666")


def test_five_sixes_are_usual_for_a_seat_that_can_claim_nothing_else():
    assert not doubt(after("33145", "55555", Accept(), Roll(())), "66666")


def test_lie_far_above_the_dice_and_the_claim_to_beat_is_asked_about():
    assert "Your dice are 33541, so 33333 is a lie. A much lower claim would do." == doubt(after("33145"), "33333")
    assert not doubt(after("33145"), "12345")
    assert not doubt(after("33145", "44444", Accept(), Roll(())), "55555")


def test_sharks_are_hardly_ever_asked():
    assert doubted(GAME, "shark", 12) < 0.01
