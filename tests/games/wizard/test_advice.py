"""The reason of a hint for Wizard: the chance to make the bid, if it is certain."""

import pytest

from lilygames.games.wizard import GAME
from lilygames.gametest.plays import luck_of
from lilygames_rules import wizard
from lilygames_rules.cards import cards
from lilygames_rules.kit import Scripted
from lilygames_rules.tricks.exactbid import Bid


@pytest.mark.parametrize(("own", "bid"), [("W", 1), ("J", 0)])
def test_wizard_that_is_led_always_wins_and_a_jester_hardly_ever(own, bid):
    state = wizard.start(3, wizard.Options(order="inorder"), (), Scripted(cards(f"{own} 2H 3H 4C"))).state
    advice = GAME.advise(wizard.view(state, 0), wizard.moves(state, 0), luck_of(1, "hint"))

    assert Bid(bid) == advice.move
    assert advice.facts["made"] == pytest.approx(100, abs=1)


def test_bid_of_no_trick_with_a_wizard_costs_forty_points():
    """Made, a bid of one brings 30; missed by one, a bid of none costs 10. The others' play makes no difference."""
    state = wizard.start(3, wizard.Options(order="inorder"), (), Scripted(cards("W 2H 3H 4C"))).state
    judged = GAME.judge(wizard.view(state, 0), [Bid(0), Bid(1)], luck_of(1, "hint"))

    assert Bid(1) == judged.move
    assert judged.facts["cost"] == pytest.approx(40)
