"""Statistics of Liars Dice for `/stats`: bluffs caught, and bluffs that worked."""

from lilygames.game import Attempt
from lilygames.games.liarsdice import GAME
from lilygames_rules.dice.claims import Claim
from lilygames_rules.dice.cup import Accepted, Rolled
from lilygames_rules.dice.passing import Challenged, ClaimMade
from lilygames_rules.liarsdice import Options

CAUGHT, WORKED = "bluffs caught", "bluffs that worked"
PAIR, NOTHING = (6, 6, 1, 2, 3), (1, 2, 3, 5, 6)


def rolled(seat, dice):
    return Rolled(seat, 5, 1, (None,) * 5, dice)


def claims(seat, hand, to, *, unseen=False):
    return ClaimMade(seat, Claim.parse(hand), to, looked=not unseen, unseen=unseen)


def counted(*events):
    return [*GAME.attempts(events, Options())]


def test_lie_that_is_challenged_is_caught_and_did_not_work():
    hand = Claim.parse("KK")

    assert [Attempt(1, CAUGHT, success=True), Attempt(0, WORKED, success=False)] == counted(
        rolled(0, NOTHING), claims(0, "KK", 1), Challenged(1, 0, hand, NOTHING, honest=False)
    )


def test_challenge_of_the_truth_catches_nobody():
    assert [Attempt(1, CAUGHT, success=False)] == counted(
        rolled(0, PAIR), claims(0, "AA", 1), Challenged(1, 0, Claim.parse("AA"), PAIR, honest=True)
    )


def test_lie_that_is_accepted_has_worked_and_a_truth_isnt_a_bluff():
    assert [Attempt(0, WORKED, success=True)] == counted(rolled(0, NOTHING), claims(0, "KK", 1), Accepted(1))
    assert [] == counted(rolled(0, PAIR), claims(0, "KK", 1), Accepted(1))


def test_lie_that_is_passed_on_unseen_has_worked():
    events = (rolled(0, NOTHING), claims(0, "KK", 1), claims(1, "AA", 2, unseen=True), Accepted(2))

    assert [Attempt(0, WORKED, success=True), Attempt(1, WORKED, success=True)] == counted(*events)
