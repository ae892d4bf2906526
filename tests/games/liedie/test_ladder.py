"""Bots of Lie Die for two: their table, their steps, and the script that makes both."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lilygames.games.liedie.ladder import OPEN, RUNGS, fallen, learned, solved
from lilygames.house.regrets import solve
from lilygames_rules.dice.throws import Throw, rungs
from tests.house import variants
from tests.house.small import small

pytest.importorskip("numpy", reason="the script that makes the table needs numpy")
PLACES = [(60, "22361", 2), (110, "33361", 2), (180, "33361", 2), (200, "55561", 1), (30, "66431", 3)]


def rung(text):
    return rungs()[Throw.parse(text)]


def step(claim, text, thrown, rounds=10):
    return solved(claim, Throw.parse(text).dice, thrown, rounds)


def test_table_is_small():
    """The values of dice, how many to throw, and the first step fit in less than a fifth of a megabyte."""
    known = learned()

    assert (RUNGS, RUNGS * RUNGS) == (len(known.worth), len(known.throws))
    assert {RUNGS} == {len(row) for row in known.worth}
    assert set(known.throws) <= set(range(6))


def test_dice_are_worth_less_under_a_higher_claim():
    """Dice that beat it beat the lower one too; the table is right to a few hundredths of the stake."""
    known = learned().worth
    falls = [low - high for rows in pairwise(known) for low, high in zip(*rows, strict=True)]

    assert -0.05 < min(falls)
    assert {-1.0} == set(known[-1])


def test_no_dice_beat_five_sixes():
    assert {1.0} == {share for dice in ("11111", "66666") for share in [-learned().worth[RUNGS - 1][rung(dice)]]}


@pytest.mark.parametrize("place", PLACES)
def test_shares_of_a_step_sum_to_one(place):
    claim, told = place[0], step(*place)

    assert pytest.approx(1) == sum(told.kept.values())
    assert pytest.approx(1) == sum(told.mass.values())
    assert all(0 <= often <= 1 for often in told.believed.values())
    for own in told.mass:
        said = told.told(own, claim)
        assert pytest.approx(1) == sum(said.values())
        assert min(said) > claim


def test_first_step_is_in_the_table():
    """The first player may claim any throw from any throw; the step is the same at every budget."""
    first = solved(OPEN, (1,) * 5, 5, 4)

    assert solved(OPEN, (1,) * 5, 5, 30) is first
    assert set(range(RUNGS)) == set(first.believed)
    assert pytest.approx([1] * RUNGS) == [sum(first.told(own, OPEN).values()) for own in range(RUNGS)]


def test_first_claim_that_seldom_falls_is_believed_less():
    believed = solved(OPEN, (1,) * 5, 5, 4).believed

    assert believed[rung("66666")] < 0.1 < believed[rung("33145")]


def test_impossible_claim_is_not_believed():
    """One die thrown with 5 5 5 6 never makes a Yahtzee, and no thrown dice make nothing new."""
    assert rung("66666") not in step(100, "55561", 1).believed


def test_player_who_cannot_beat_the_claim_lies_with_any_higher_one():
    told = step(rung("55555"), "11112", 1).told(rung("11112"), rung("55555"))

    assert {rung("66666"): 1.0} == told


@pytest.mark.parametrize(("dice", "left"), [("66661", 1), ("12345", 0)])
def test_probabilities_of_all_rolls_add_up_to_one(dice, left):
    kept = Throw.parse(dice).dice[left:]

    assert pytest.approx(1) == sum(fallen(kept).values())
    assert 6 ** (5 - len(kept)) == pytest.approx(1 / min(fallen(kept).values()))


def test_matching_pennies_is_played_at_even_odds():
    """One claim, true half the time. A believed lie pays 1 more than a caught one; a true claim pays nothing."""
    kept, believed, says = solve([[1.0], [1.0]], 1, [[0.5, 0.5]], 400)

    assert ([1.0], [[1.0], [1.0]]) == (kept, says)
    assert 0 <= believed[0] <= 1


def test_honest_player_is_believed():
    """The claim is true nine times in ten, so a doubt loses."""
    _, believed, _ = solve([[1.0], [1.0]], 1, [[0.9, 0.1]], 200)

    assert believed[0] > 0.99


def test_table_comes_out_the_same_twice():
    """The script uses no randomness."""
    script = variants._liedie(2, 3)[-1]

    assert script.whole(20) == script.whole(20)


def exploited(table):
    """Return the gain of a best response over a shark who trusts this table, with one die of four faces."""
    *_, knows, script = variants._liedie(1, 4)
    knows.TABLE = table(script)
    return script.exploited(30)


def test_best_response_knows_that_the_highest_claim_is_always_challenged():
    """It wins with a true one, and loses with a lie, however a solved step would believe it."""
    rules, throws, *_, knows, script = variants._liedie(1, 4)
    ladder = throws.ladder()
    answers = rules.Turn(1, ladder[-1], taken=False, thrown=False, over=ladder[-2])
    state = rules.State(rules.Match(rules.Options(), (0, 0)), answers, None)
    step = knows.Step({(): 1.0}, knows.fallen(()), (), (), {len(ladder) - 1: 1.0})

    assert (rules.Challenge(),) == rules.moves(state, 1)
    assert 1 / 4 - 3 / 4 == script.best_claims(step, len(ladder) - 2, script.np.ones((4, 4)))


def solved_table(script):
    worth, thrown = script.table(0, 200)
    return script.packed(worth).tobytes() + thrown.tobytes()


def test_best_response_wins_next_to_nothing_from_a_shark_who_knows_the_table():
    assert 0 <= exploited(solved_table) < 0.01


def test_best_response_wins_much_from_a_shark_with_a_wrong_table():
    """All dice are worth the same to either player, and one is always thrown."""
    assert exploited(lambda _: bytes([127] * 16 + [1] * 16)) > 0.05


@pytest.mark.slow
def test_shipped_table_is_what_the_script_makes():
    (script,) = small({}, "lab/solve-liedie")

    assert script.whole() == script.TABLE.read_bytes()
