"""The reasons of hints for lily-poker: the pot's odds to the chip, and certain showdowns."""

from fractions import Fraction

import pytest

from lilygames.games.lilypoker import GAME
from lilygames.gametest.lessons import Learner
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import lilypoker
from lilygames_rules.cards import cards
from lilygames_rules.kit import Scripted
from lilygames_rules.lilypoker import Options


def test_odds_of_the_pot_are_what_is_owed_against_what_there_will_be():
    found = 0
    for turn in play(GAME, 3, Options(hands=4), 1, purses=(100,) * 3):
        seat = lilypoker.turn(turn.state)
        if seat is None:
            continue
        view = lilypoker.view(turn.state, seat)
        advice = GAME.advise(view, lilypoker.moves(turn.state, seat), luck_of(1, seat, "hint"))
        if "needed" in advice.facts:
            found += 1
            bets = view.deal.betting.bets
            owed = max(bets) - bets[seat]
            pot = sum(view.deal.betting.paid)
            assert (owed, pot) == (advice.facts["owed"], advice.facts["pot"])
            assert float(100 * Fraction(owed, owed + pot)) == pytest.approx(advice.facts["needed"])
    assert found


def test_best_hand_there_is_wins_every_showdown():
    deal = cards("10S 2H 3C JS 4H 5C QS 6H 7C KS 8H 9C AS 10H JC")
    state = lilypoker.start(3, Options(hands=1), (), Scripted(2, deal)).state
    advice = GAME.advise(lilypoker.view(state, 0), lilypoker.moves(state, 0), luck_of(1, "hint"))

    assert 100 == advice.facts["won"]


async def test_lesson_and_hint_agree_on_a_hand_to_fold():
    """It is a jack against a bet and a raise: the lesson's second hand."""
    learner = await Learner.begun(GAME)
    while learner.step().move != "fold":
        await learner.go_on()
    table = learner.table
    advice = GAME.advise(table.view(0), table.moves(0), luck_of(1, "hint"))

    assert "fold" == GAME.spell(advice.move)
    assert advice.facts["won"] < advice.facts["needed"]
