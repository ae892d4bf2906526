"""Bots of Lie Die with more than two players."""

from __future__ import annotations

import pytest

from lilygames.games.liedie import ring
from lilygames_rules.dice.throws import Throw, rungs


def rung(text):
    return rungs()[Throw.parse(text)]


def test_dice_are_thrown_for_the_best_chance_to_beat_the_claim():
    """Three threes are kept to beat three twos and a kicker; all others are thrown."""
    assert (2, 5) == ring.roll((3, 1, 3, 3, 2), rung("33354"))


@pytest.mark.parametrize("thrown", range(1, 6))
@pytest.mark.parametrize("over", ["22361", "33361", "55561"])
def test_claim_is_true_with_some_chance(over, thrown):
    shares = [ring.honest(claim, rung(over), thrown) for claim in range(rung(over) + 1, 252)]

    assert all(0 <= share <= 1 for share in shares)


def test_impossible_claim_is_a_lie():
    """One die thrown with a pair makes no Yahtzee."""
    assert ring.honest(rung("66666"), rung("22361"), 1) == 0
    assert not ring.believes(rung("66666"), rung("22361"), 1)


def test_lie_is_above_the_claim_and_could_be_true():
    claim = rung("33361")
    lies = ring.lie(claim, 2)

    assert min(lies) > claim
    assert set(lies) <= {one for one, share in ring.chances(claim, 2).items() if share}


def test_player_who_cannot_beat_the_claim_lies_a_little():
    """All the dice are kept, so no throw could have improved them, and the lie is one of the next throws."""
    claim = rung("33361")

    assert set(range(claim + 1, claim + 14)) == set(ring.lie(claim, 0))
