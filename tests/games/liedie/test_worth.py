"""The costs of moves in Lie Die, compared with a count of all throws."""

from collections import Counter
from functools import cache
from itertools import combinations, product

import pytest

from lilygames.games.liedie import GAME
from lilygames.games.liedie.ladder import OPEN, learned
from lilygames.games.liedie.master_steps import solved
from lilygames.gametest.plays import luck_of
from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.throws import Throw, ladder, rungs
from lilygames_rules.kit import KeyedLuck, Scripted
from lilygames_rules.liedie import Claim, Options

LUCK, ROUNDS = luck_of(1, 0, "hint"), GAME.judge.budget.iterations


def after(seats, dice, *moves):
    """Return the state after seat 0 threw these dice and the seats in turn made these moves; texts are claims."""
    state = liedie.start(seats, Options(first="host"), (), Scripted(*map(int, dice))).state
    for move in moves:
        made = Claim(Throw.parse(move)) if isinstance(move, str) else move
        state = liedie.apply(state, state.turn.seat, made, KeyedLuck(b"dice")).state
    return state


def judged(state, move):
    """Return the judgement of a move against all other legal moves."""
    made, seat = Claim(Throw.parse(move)) if isinstance(move, str) else move, state.turn.seat
    moves = liedie.moves(state, seat)
    return GAME.judge(liedie.view(state, seat), [made, *(other for other in moves if other != made)], LUCK)


def rung(text):
    return rungs()[Throw.parse(text)]


@cache
def thrown(kept):
    """Return the rung of every throw of the dice that are not kept."""
    return [rungs()[Throw.of((*kept, *dice))] for dice in product(range(1, 7), repeat=5 - len(kept))]


def passed(step, said, own):
    """Return the points of a claim with two players: the other takes the dice, or challenges."""
    believed = step.believed.get(said, 0.0)
    return -believed * learned().worth[said][own] + (1 - believed) * (1 if said == own else -1)


@pytest.mark.parametrize("claim", ["22643", "33145"])
def test_challenge_of_two_players_costs_what_all_first_throws_say(claim):
    step, said = solved(OPEN, (1,) * 5, 5, ROUNDS), rung(claim)
    often = {own: falls * step.told(own, OPEN).get(said, 0.0) for own, falls in Counter(thrown(())).items()}
    true = often[said] / sum(often.values())
    worth = sum(learned().worth[said][own] * share for own, share in often.items()) / sum(often.values())
    advice = judged(after(2, "33145", claim), Challenge())

    assert Accept() == advice.move
    assert pytest.approx(100 * true) == advice.facts["true"]
    assert pytest.approx(worth - (1 - 2 * true)) == advice.facts["cost"]


def test_first_lie_of_two_players_costs_what_the_solution_gives_the_truth():
    step, own, said = solved(OPEN, (1,) * 5, 5, ROUNDS), rung("33145"), rung("66666")
    advice = judged(after(2, "33145"), "66666")
    better = rungs()[advice.move.throw]

    assert step.told(own, OPEN)[better] > 0
    assert pytest.approx(100 * step.believed[said]) == advice.facts["your_believed"]
    assert pytest.approx(passed(step, better, own) - passed(step, said, own)) == advice.facts["cost"]


def test_throw_of_the_wrong_dice_costs_what_the_solution_gives_the_right_ones():
    """Three threes are kept, not the one and the two, against three threes with a five."""
    state = after(2, "33312", "33354", Accept())
    advice, claim = judged(state, Roll((1, 2, 3))), rung("33354")
    places = [place for place in range(1, 6) if place not in advice.move.places]
    right = tuple(sorted(state.cup.dice[place - 1] for place in places))

    def points(kept):
        step, sums = solved(claim, (1, 2, 3, 3, 3), 5 - len(kept), ROUNDS), []
        for own in thrown(kept):
            told = step.told(own, claim)
            sums.append(sum(share * passed(step, said, own) for said, share in told.items()) / sum(told.values()))
        return sum(sums) / len(sums)

    assert pytest.approx(100 * sum(own > claim for own in thrown((1, 2))) / 6**3) == advice.facts["your_reached"]
    assert pytest.approx(points(right) - points((1, 2))) == advice.facts["cost"]


def honest(claim, over, dice, count):
    """Return how often a claim above `over` is true if that many dice are thrown well, from all throws."""
    keeps = [()] if over == OPEN else sorted(set(combinations(dice, 5 - count)))
    throws = max(map(thrown, keeps), key=lambda some: sum(own > over for own in some) / len(some))
    above, fell = sum(own > over for own in throws) / len(throws), throws.count(claim) / len(throws)
    near = 0.6 / 12 if over != OPEN and claim - over <= 12 else 0.0
    lie = (1 - above + 0.12 * above) * (near + (1.0 if over == OPEN else 0.4) * fell / above)
    return 0.88 * fell / (0.88 * fell + lie) if fell else 0.0


def test_first_lie_among_three_costs_as_often_as_the_solution_challenges_it():
    advice, true = judged(after(3, "34566"), "66666"), solved(OPEN, (), 5, ROUNDS).believed[rung("66666")]

    assert Claim(Throw.parse("34566")) == advice.move
    assert pytest.approx(100 * true) == advice.facts["your_believed"]
    assert pytest.approx(1 - true) == advice.facts["cost"]


def test_challenge_among_three_costs_what_the_odds_say():
    claim = rung("22643")
    advice, true = judged(after(3, "33145", "22643"), Challenge()), honest(claim, OPEN, (), 5)
    lower = [learned().worth[claim][own] for own in range(0, claim, 12)]
    taken = true * learned().worth[claim][claim] + (1 - true) * sum(lower) / len(lower)

    assert Accept() == advice.move
    assert pytest.approx(100 * true) == advice.facts["true"]
    assert pytest.approx(taken - (1 - 2 * true)) == advice.facts["cost"]


def test_throw_of_the_wrong_dice_among_three_costs_the_lies_that_are_challenged():
    advice, claim = judged(after(3, "33312", "33354", Accept()), Roll((1, 2, 3))), rung("33354")
    dice = ladder()[claim].dice

    def lost(kept):
        good, count = [own for own in thrown(kept) if own > claim], 5 - len(kept)
        keeps = map(thrown, sorted(set(combinations(dice, 5 - count))))
        fell = max(keeps, key=lambda some: sum(own > claim for own in some))
        lies = {own for own in fell if own > claim}
        shares = {own: fell.count(own) * max(0.02, honest(own, claim, dice, count)) for own in lies}
        doubts = sum(share * (1 - honest(own, claim, dice, count)) for own, share in shares.items())
        return (1 - len(good) / len(thrown(kept))) * doubts / sum(shares.values())

    assert Roll((4, 5)) == advice.move
    assert pytest.approx(100 * sum(own > claim for own in thrown((1, 2))) / 6**3) == advice.facts["your_reached"]
    assert pytest.approx(100 * sum(own > claim for own in thrown((3, 3, 3))) / 6**2) == advice.facts["reached"]
    assert pytest.approx(lost((1, 2)) - lost((3, 3, 3))) == advice.facts["cost"]


def test_accepting_a_lie_among_three_costs_the_point_that_a_challenge_wins():
    """One die was thrown, and no die makes four threes of two."""
    claim = rung("33336")
    state = after(3, "33145", "33145", Accept(), Roll((1,)), "33336")
    advice, dice = judged(state, Accept()), ladder()[rung("33145")].dice
    lower = [learned().worth[claim][own] for own in range(0, claim, 12)]

    assert 0 == honest(claim, rung("33145"), dice, 1) == advice.facts["true"]
    assert Challenge() == advice.move
    assert pytest.approx(1 - sum(lower) / len(lower)) == advice.facts["cost"]
