"""Hints for Liars Dice by the odds of a roll and of a claim, compared with a count of all rolls."""

from itertools import islice, product

import pytest

from lilygames.games.liarsdice import GAME
from lilygames.games.liarsdice.bots.house import passed, wanted
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import liarsdice
from lilygames_rules.dice.cup import Accept, Challenge, Roll, others


def counted(kept, good):
    """Return how many of 100 rolls of the dice that are not kept are good, by trying all of them."""
    rolls = [tuple(sorted((*kept, *rolled))) for rolled in product(range(1, 7), repeat=5 - len(kept))]
    return 100 * sum(map(good, rolls)) / len(rolls)


def hints(kinds):
    """Yield views with the advice for them, in random games with options that the solution isn't about."""
    for seed in range(60):
        for turn in play(GAME, 3, liarsdice.Options(kickers="strict"), seed):
            seat = liarsdice.turn(turn.state)
            if seat is None:
                continue
            view, moves = liarsdice.view(turn.state, seat), liarsdice.moves(turn.state, seat)
            advice = GAME.advise(view, moves, luck_of(seed, seat, "hint"))
            if isinstance(advice.move, kinds) and advice.facts:
                yield view, advice


def test_odds_of_a_roll_are_those_of_all_rolls():
    found = [*islice(hints(Roll), 30)]
    for view, advice in found:
        kept = [view.cup.seen[place - 1] for place in others(advice.move.places)]
        assert counted(kept, wanted(view.passing).true_of) == pytest.approx(advice.facts["reached"])
        assert len(advice.move.places) == advice.facts["dice"]
    assert found


def test_odds_of_a_claim_are_those_of_all_rolls():
    found = [*islice(hints((Accept, Challenge)), 30)]
    for view, advice in found:
        kept = passed(view.cup, view.passing, view.seat)
        assert counted(kept, view.passing.hand.true_of) == pytest.approx(advice.facts["reached"])
        assert 5 - len(kept) == advice.facts["dice"]
    assert found
