"""The costs of moves in Liars Dice, compared with a count of all rolls."""

from collections import Counter
from functools import cache, partial
from itertools import product

import pytest

from lilygames.games.liarsdice import GAME
from lilygames.games.liarsdice.bots.house import odds
from lilygames.games.liarsdice.bots.worth import Scale
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import best, ladder
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.passing import Claim, Peek
from lilygames_rules.kit import Scripted
from tests.games.liarsdice.test_novice import after, dice

LUCK = luck_of(1, 0, "hint")
after = partial(after, kickers="strict")
"""With other options the solution judges."""


def judged(state, move):
    """Return the judgement of a move against all other legal moves."""
    seat = liarsdice.turn(state)
    view, moves = liarsdice.view(state, seat), liarsdice.moves(state, seat)
    return GAME.judge(view, [move, *(other for other in moves if other != move)], LUCK)


@cache
def rolled(kept):
    """Return how often each truth comes up if the dice that are not kept are rolled: all rolls, one by one."""
    ends = [best(tuple(sorted((*kept, *some)))).rung for some in product(range(1, 7), repeat=5 - len(kept))]
    return {rung: count / len(ends) for rung, count in Counter(ends).items()}


def above(kept, rung, end=1000):
    """Return how often the truth is on this rung or above, and below the end."""
    return sum(share for one, share in rolled(kept).items() if rung <= one < end)


def credible(claim, over, kept, rolls):
    """Return how often such a claim is true: truths against lies, with every probability from the rolls."""
    least = over.rung + 1 if over else 0
    good, bluff = above(kept, least), 0.1 if over else 0.5
    reached = 1 - (1 - good) ** rolls
    told = [
        one.rung for one in ladder() if one.key[: 1 + len(claim.ranks[:1])] == claim.key[: 1 + len(claim.ranks[:1])]
    ]
    honest = reached * (1 - bluff) * above(kept, claim.rung, told[-1] + 1) / good if good else 0.0
    aim = max(least, Hand.parse("three").rung)
    plain = [sum(not one.kickers for one in ladder()[:rung]) for rung in (least, claim.rung, len(ladder()))]
    hoped = above(kept, max(aim, claim.rung), told[-1] + 1) / above(kept, aim) if above(kept, aim) else 0.0
    lie = 0.3 * 0.25 * 0.75 ** (plain[1] - plain[0]) + 0.4 / (plain[2] - plain[0])
    lie += 0.3 * hoped if claim.rung >= aim else 0.0
    lying = (1 - reached + reached * bluff * (1 - above(kept, claim.rung))) * lie
    return honest / (honest + lying)


def lost(kept, over, shown, rolls):
    """Return how often such a roll, repeated, ends in a lie that is challenged."""
    least = over.rung + 1
    lies = {rung: share for rung, share in rolled(kept).items() if rung >= least}
    doubts = sum(share * (1 - credible(ladder()[rung], over, shown, rolls)) for rung, share in lies.items())
    return (1 - above(kept, least)) ** rolls * doubts / sum(lies.values())


def test_first_lie_costs_as_often_as_such_a_claim_is_false():
    """Two aces lay open for two rolls, and the truth would have risked nothing."""
    state = after("AAKJ9", Roll((3, 4, 5)), Roll((3, 4, 5)), luck=Scripted(2, 3, 4, 1, 3, 5))
    advice = judged(state, Claim(Hand.parse("AAAAA")))
    true = credible(Hand.parse("AAAAA"), None, dice("AA"), 3)

    assert Claim(best(state.cup.dice)) == advice.move
    assert pytest.approx(100 * true) == advice.facts["your_credible"]
    assert pytest.approx(1 - true) == advice.facts["cost"]


def test_challenge_of_a_likely_claim_costs_what_the_odds_say():
    advice, claim = judged(after("AAKJ9", "pair A"), Challenge()), Hand.parse("pair A")
    true, pair = credible(claim, None, (), 1), dice("AA")
    taken = true * lost(pair, claim, pair, 2) + (1 - true) * lost((), claim, pair, 2)

    assert Accept() == advice.move
    assert pytest.approx(100 * true) == advice.facts["true"]
    assert pytest.approx(-taken - (1 - 2 * true)) == advice.facts["cost"]


def test_accepting_a_claim_known_as_a_lie_costs_the_point_that_a_challenge_wins():
    state = after("AAKJ9", "pair", Accept(), Peek(), Claim(Hand.parse("four A"), 0))
    advice, four = judged(state, Accept()), Hand.parse("four A")

    assert Challenge() == advice.move
    assert pytest.approx(1 + lost((), four, dice("AAAA"), 2)) == advice.facts["cost"]
    assert advice.sentence.startswith("You knew that the claim of four aces was a lie. A challenge is worth ")


def test_roll_of_the_wrong_dice_costs_what_it_reaches_less():
    """A pair of aces is kept to beat three kings, not a king, a jack and a nine."""
    three = Hand.parse("three K")
    advice = judged(after("AAKJ9", "three K", Accept(), Peek()), Roll((1, 2)))
    wrong, right = dice("9JK"), dice("AA")
    shown = dice("KKK")

    assert Roll((3, 4, 5)) == advice.move
    assert pytest.approx(100 * above(wrong, three.rung + 1)) == advice.facts["your_reached"]
    assert pytest.approx(100 * above(right, three.rung + 1)) == advice.facts["reached"]
    assert pytest.approx(lost(wrong, three, shown, 2) - lost(right, three, shown, 2)) == advice.facts["cost"]


def test_pass_unseen_is_true_as_often_as_the_dice_support_it():
    """A truthful player said the category and the first rank of the whole truth."""
    pair, higher = Hand.parse("pair A"), Hand.parse("pair A + K")
    view = liarsdice.view(state := after("AAKJ9", "pair A"), liarsdice.turn(state))
    told = [one.rung for one in ladder() if one.key[:2] == pair.key[:2]]
    share = above((), higher.rung, told[-1] + 1) / above((), pair.rung, told[-1] + 1)

    assert pytest.approx(credible(pair, None, (), 1) * share) == Scale(view, LUCK).worth(Claim(higher)).odds["held"]


def test_moves_by_the_odds_cost_nothing():
    """Only its bluffs may cost something: they win by not being expected.

    With more than two players it trusts later claims more than these odds do, which measure each move alone. The
    solution judges, unless no dice are shown.
    """
    found = 0
    for seed in range(6):
        for turn in play(GAME, 2, liarsdice.Options(reveal="never"), seed):
            seat = liarsdice.turn(turn.state)
            view, moves = liarsdice.view(turn.state, seat), liarsdice.moves(turn.state, seat)
            if len(moves) > 1 and not isinstance(move := odds(view, moves, LUCK), Claim):
                found += 1
                assert 0 == GAME.judge(view, [move, *moves[:2]], LUCK).facts["cost"]
    assert found
