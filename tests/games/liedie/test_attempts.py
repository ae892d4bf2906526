"""Statistics of Lie Die for `/stats`: bluffs caught, and bluffs that worked."""

import pytest

from lilygames.game import Attempt
from lilygames.games.liedie import GAME
from lilygames_rules.dice.cup import Accepted, Looked, Rolled
from lilygames_rules.dice.throws import Throw
from lilygames_rules.liedie import Challenged, ClaimMade, Options

CAUGHT, WORKED = "bluffs caught", "bluffs that worked"
DICE = (1, 3, 3, 4, 4)


def counted(*events, truth="exact"):
    return [*GAME.attempts((Rolled(0, 5, 0, (None,) * 5, DICE), *events), Options(truth=truth))]


@pytest.mark.parametrize(("claim", "lied"), [("44331", False), ("44332", True)])
def test_challenge_catches_a_lie(claim, lied):
    throw = Throw.parse(claim)
    events = (ClaimMade(0, throw, 1), Challenged(1, 0, throw, Throw.of(DICE), lied))

    assert [Attempt(1, CAUGHT, lied), *([Attempt(0, WORKED, success=False)] if lied else [])] == counted(*events)


@pytest.mark.parametrize(("claim", "truth", "lied"), [
    ("44331", "exact", False),
    ("44332", "exact", True),
    ("33221", "exact", True),
    ("33221", "atleast", False),
])  # fmt: skip
def test_accepted_lie_has_worked(claim, truth, lied):
    """An understatement is a lie only if claims have to be exact."""
    events = (ClaimMade(0, Throw.parse(claim), 1), Accepted(1), Looked(1, DICE))

    assert ([Attempt(0, WORKED, success=True)] if lied else []) == counted(*events, truth=truth)
