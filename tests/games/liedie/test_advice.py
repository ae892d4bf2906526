"""The reasons of hints for Lie Die: odds of a throw and of a claim, compared with a count of all throws."""

from itertools import combinations, islice, product

import pytest

from lilygames.games.liedie import GAME
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Challenge, Roll, others
from lilygames_rules.dice.throws import Throw


def counted(kept, good):
    """Return how many of 100 throws of the dice that are not kept are good, by trying all of them."""
    thrown = [Throw.of((*kept, *dice)) for dice in product(range(1, 7), repeat=5 - len(kept))]
    return 100 * sum(map(good, thrown)) / len(thrown)


def hints(kinds):
    """Yield views with the advice for them, in random games."""
    for seed in range(60):
        for turn in play(GAME, 3, None, seed):
            seat = turn.state.turn.seat if turn.state.turn else None
            if seat is None:
                continue
            view, moves = liedie.view(turn.state, seat), liedie.moves(turn.state, seat)
            advice = GAME.advise(view, moves, luck_of(seed, seat, "hint"))
            if isinstance(advice.move, kinds) and advice.facts:
                yield view, advice


def test_odds_of_a_throw_are_those_of_all_throws():
    found = [*islice(hints(Roll), 20)]
    for view, advice in found:
        kept = [view.cup.seen[place - 1] for place in others(advice.move.places)]
        expected = counted(kept, lambda throw, claim=view.turn.claim: throw.beats(claim))
        assert expected == pytest.approx(advice.facts["reached"])
    assert found


def test_odds_of_a_claim_are_those_of_all_throws():
    found = [*islice(hints((Accept, Challenge)), 20)]
    for view, advice in found:
        dice, claim = int(advice.facts["dice"]), view.turn.claim
        keeps = set(combinations(sorted(view.cup.last), 5 - dice)) if view.cup.last else {()}
        expected = max(counted(kept, lambda throw, claim=claim: not claim.beats(throw)) for kept in keeps)
        assert expected == pytest.approx(advice.facts["reached"])
    assert found
