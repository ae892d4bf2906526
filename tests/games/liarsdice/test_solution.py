"""The shark of Liars Dice with two players: its table, its steps, and what a best response wins from it."""

from __future__ import annotations

import subprocess
import sys
import zlib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from lilygames.games.liarsdice import GAME
from lilygames.games.liarsdice.bots.beliefs import category, four_kept
from lilygames.games.liarsdice.bots.headsup import solution, solves
from lilygames.games.liarsdice.bots.house import odds
from lilygames.games.liarsdice.bots.steps import best_kept, opening, past, seen, step, step_from, truth_of
from lilygames.games.liarsdice.solved.fresh import plan, planned
from lilygames.games.liarsdice.solved.mixes import answers, beaten, mixes, reached
from lilygames.games.liarsdice.solved.solution import KNOTS, hands, keep_places, keeps, learned, places, worth
from lilygames.gametest.plays import luck_of
from lilygames.testing import play
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.passing import Claim, Peek
from lilygames_rules.kit import Scripted
from tests.games.liarsdice.test_novice import after, dice
from tests.house.small import small

ROOT = Path(__file__).resolve().parents[3]
TABLES = sorted((ROOT / "lilygames/games/liarsdice").rglob("*.bin"))
STEPS = [("three K", "KKK9J", "KKK"), ("KK99A", "KK99A", "KK"), ("AAAQQ", "AAAQQ", "AAA"), ("four 9", "A", "")]


def number(claim):
    return truth_of(Hand.parse(claim))


def kept(text):
    return keep_places()[tuple(sorted(dice(text)))]


def test_tables_fit_in_400_kilobytes():
    assert sum(table.stat().st_size for table in TABLES) < 400_000


def test_table_has_values_for_each_claim_and_lies_for_the_highest_of_each_group():
    known = learned()

    assert (len(hands()), len(KNOTS)) == (len(known.values), len(known.liars))
    assert len(hands()) - 1 == KNOTS[-1]
    assert all(-1 <= one <= 1 for row in (*known.values, *known.liars) for one in row)


def test_dice_are_worth_less_under_a_higher_claim():
    """The table is right to a few hundredths of the stake."""
    falls = [low - high for rows in pairwise(worth()) for low, high in zip(*rows, strict=True)]

    assert -0.05 < min(falls)
    assert {-1.0} == set(worth()[-1])


@pytest.mark.parametrize(
    ("claim", "truth", "beaten"), [("KK99A", "KK99A", "KK99A"), ("three", "three 9 + JT", "AAKKQ")]
)
def test_vague_claim_is_as_true_as_the_lowest_hand_it_fits(claim, truth, beaten):
    """Three of a kind is true of three nines, and three nines can still be claimed after it."""
    hand = Hand.parse(claim)

    assert number(truth) == truth_of(hand)
    assert number(beaten) == past(hand)


@pytest.mark.parametrize(("claim", "_", "keep"), STEPS)
def test_shares_of_a_step_sum_to_one(claim, _, keep):
    asked = step(number(claim), kept(keep))
    reached = [(way, hand) for way, fell in asked.ends.items() for hand in fell]

    assert pytest.approx(1) == sum(share for fell in asked.ends.values() for share in fell.values())
    assert pytest.approx([1] * len(reached)) == [sum(asked.told(*one).values()) for one in reached]
    assert all(said > number(claim) for one in reached for said in asked.told(*one))


@pytest.mark.parametrize(("claim", "_", "keep"), STEPS)
def test_claims_are_the_truth_or_higher(claim, _, keep):
    """So nobody gains by passing the dice on unseen."""
    asked = step(number(claim), kept(keep))

    assert all(said >= hand for way, fell in asked.ends.items() for hand in fell for said in asked.told(way, hand))


def test_each_step_that_keeps_pairs_or_better_is_in_the_table():
    """Those are the only dice that a shark keeps, unless it bluffs."""
    steps = {(claim, best_kept(claim, hand)) for claim in range(len(hands()) - 1) for hand in range(len(hands()))}
    keeping = {(one, beaten(claim, one)) for claim, one in steps if one}

    assert {*mixes()} == keeping
    assert all(min(Counter(keeps()[one]).values()) > 1 for one, _ in keeping)


@pytest.mark.parametrize(("claim", "keep"), [("three K", "KKK"), ("AAAQQ", "AAA")])
def test_player_who_keeps_dice_gives_none_of_them_up(claim, keep):
    asked = step(number(claim), kept(keep))
    again = {more for hand in reached(kept(keep)) for more in asked.rolls(0, hand) if more is not None}

    assert all(not Counter(dice(keep)) - Counter(keeps()[more]) for more in again)


def test_claims_too_low_to_matter_lead_to_the_same_step():
    """Three kings beat a pair and two pairs just as surely."""
    low, high = (step(number(claim), kept("KKK")) for claim in ("pair 9", "two pair J"))

    assert low.ends == high.ends
    assert [low.told(0, hand) for hand in low.ends[0]] == [high.told(0, hand) for hand in high.ends[0]]


def test_rare_first_claims_are_never_believed():
    """Taking five kings loses, and they almost never come up: a challenge costs nothing."""
    assert 0 == opening().believed(0, number("KKKKK"))
    assert opening().believed(0, number("three A + KQ")) > 0.5


@pytest.mark.parametrize(("counts", "keep", "way"), [((2,), "KKK", 0), ((2, 1), "KKK", 1), ((5, 1, 3), "", 8)])
def test_number_of_rolled_dice_tells_what_was_kept(counts, keep, way):
    """With three kings known to both, two dice rolled once keep the kings; three rolls began with all five."""
    found = seen(number("three K"), places()[tuple(sorted(dice("KKK9J")))], counts)

    assert (kept(keep), way) == (found[0].kept, found[1])


def test_order_of_rolls_is_told_apart():
    """One die and then two isn't two dice and then one: only the second fits three kings that were kept."""
    claim, hand = number("three K"), places()[tuple(sorted(dice("KKK9J")))]
    (one, _), (other, _) = seen(claim, hand, (1, 2)), seen(claim, hand, (2, 1))

    assert kept("KKK") == other.kept
    assert kept("KKK") != one.kept


@pytest.mark.parametrize("counts", [(), (2, 1, 1), (5, 1, 1, 1)])
def test_impossible_rolls_belong_to_nothing(counts):
    assert seen(number("three K"), places()[tuple(sorted(dice("KKK9J")))], counts) is None


def test_shares_of_a_step_that_rolls_all_dice_sum_to_one():
    asked = step(number("three Q + JT"), kept(""))
    reached = [(way, hand) for way, fell in asked.ends.items() for hand in fell]

    assert pytest.approx(1) == sum(share for fell in asked.ends.values() for share in fell.values())
    assert pytest.approx([1] * len(reached)) == [sum(asked.told(*one).values()) for one in reached]
    assert all(said > max(number("three Q + JT"), hand - 1) for way, hand in reached for said in asked.told(way, hand))


def test_claim_without_a_plan_of_its_own_uses_the_next_higher_one():
    lowest, second, *_, last = planned()

    assert [lowest, lowest, second, last] == [plan(one).claim for one in (0, lowest, lowest + 1, len(hands()) - 1)]


def test_plan_beats_each_claim_it_is_for():
    """The highest claim but one can only be beaten by five aces."""
    lowest, *_, last = planned()

    assert len(hands()) - 2 == last
    assert all(min(plan(one).told(0, 0)) > one for one in (lowest, last))


def test_four_of_a_kind_is_sometimes_broken_up_to_bluff():
    """Otherwise one rolled die would always be honest."""
    asked = step_from(number("AAAAJ"), places()[tuple(sorted(dice("AAAA9")))])
    often = asked.first_kept()

    assert {kept("AAAA"), kept("AAA9")} == set(often)
    assert 0.1 < often[kept("AAA9")] < 0.5


def test_claims_about_broken_dice_are_lies_that_the_others_could_be():
    asked = step_from(number("AAAAJ"), places()[tuple(sorted(dice("AAAA9")))])
    bluff = places()[tuple(sorted(dice("AAA99")))]

    assert set(asked.told(1, bluff)) <= {number(f"AAAA{one}") for one in "QK"} | {number("AAAAA")}


def test_responder_believes_a_claim_as_often_as_the_table_says():
    found = mixes()[kept("KKKK"), 0]
    said = number("KKKKA")

    assert found.believed(1, said) == step(number("pair 9"), kept("KKKK")).believed(1, said)


def test_claim_that_the_kept_dice_cannot_become_is_as_true_as_the_next_higher_one():
    """Four jacks and four aces aren't four kings; four jacks or better are still true then."""
    asked = step(number("pair 9"), kept("KKKK"))

    assert asked.believed(1, number("KKKK9")) == asked.believed(1, number("JJJJ9"))
    assert 0 == asked.believed(1, number("AAAAA"))


def test_player_who_rolls_more_dice_the_second_time_is_not_believed_if_they_hardly_beat_the_claim():
    two = step(number("three K"), kept("KKK"))

    assert 0 == two.believed(3, number("KKK99")) < two.believed(2, number("KKK99"))


def test_player_who_rolls_more_dice_the_second_time_is_believed_if_they_likely_beat_the_claim():
    """Two kings are higher than a pair of nines already."""
    assert step(number("pair 9"), kept("KKK")).believed(3, number("KKK99")) > 0


def test_player_who_rolls_one_die_and_then_all_counts_as_having_rolled_all_twice():
    """Nobody who stopped after a lucky roll rolls all dice again, so a lie about them isn't simply believed."""
    one, all_rolled, low = step(number("pair 9"), kept("KKQJ")), step(number("pair 9"), kept("")), number("three A")

    assert all_rolled.believed(5, low) == one.believed(5, low) < 1


def test_truth_about_low_dice_is_believed_under_a_low_claim():
    """Someone who challenged it would lose more than the dice are worth to the other."""
    asked = step(number("pair 9"), kept(""))

    assert [1, 1, 1] == [asked.believed(way, number("pair J")) for way in (0, 5, 30)]


def test_player_who_rolls_all_dice_is_not_always_believed_under_a_low_claim():
    """A shark would never claim three tens then, but others may do it to lie."""
    asked = step(number("three T + AQ"), kept(""))

    assert 0 < asked.believed(asked.way((5, 5, 5)), number("three T + AK")) < 1


def test_claims_about_dice_that_no_shark_keeps_are_believed_as_the_table_says():
    """With three kings and an ace, one rolled die makes four kings or a full house."""
    asked = step(number("KKKAJ"), kept("KKKA"))

    assert answers()[kept("KKKA"), 3].believed(0, number("KKKAA")) == asked.believed(0, number("KKKAA"))
    assert 0 < asked.believed(0, number("KKKAA")) < 1


def test_player_who_rolls_one_die_and_then_two_may_have_three_of_a_kind():
    """The die may have made a full house of two pairs: never to believe a claim then would lose against each."""
    asked = step(number("QQKK9"), kept("QQKK"))

    assert 0 < asked.believed(2, number("KKKAQ")) < 1


def test_claim_after_one_die_is_believed_like_the_next_higher_one_in_the_table():
    """No four dice that beat a pair can be told apart after two more have been rolled."""
    asked = step(number("QQKK9"), kept("QQKK"))

    assert asked.believed(2, number("three 9")) == asked.believed(2, number("AAAKQ"))


def test_beliefs_about_four_dice_are_what_linear_programming_finds():
    beliefs = pytest.importorskip("lab.solving.beliefs", reason="it needs scipy")
    claim, hand = number("KKQQ9"), places()[tuple(sorted(dice("KKQQ9")))]
    asked = best_kept(claim, hand, 1)
    table = four_kept(claim, asked)
    steps = beliefs.steps(beliefs.np.array(learned().values), {*mixes()})

    taken = steps[asked, beaten(claim, asked), category(claim)]

    found = beliefs.Linear(asked, taken, beliefs.np.array(worth())).solved()

    assert [[round(255 * one) for one in trust] for trust in found] == [[*trust] for trust in table.trust]


def test_step_in_the_table_is_what_linear_programming_finds():
    exact = pytest.importorskip("lab.solving.exact", reason="it needs scipy")

    found, table = exact.played(kept("AAAA"), 3, exact.np.array(worth())), mixes()[kept("AAAA"), 3]

    assert pytest.approx([*table.trust[1].values()], abs=1e-4) == found.trust[1].tolist()


def test_hand_that_beats_the_claim_far_enough_is_passed_on_at_once():
    assert best_kept(number("pair 9"), places()[tuple(sorted(dice("AAAAA")))]) is None


def test_shark_looks_first_and_remembers_the_dice_it_took():
    """After two rolls it has to know which dice it kept in the first."""
    state = after("AAKJ9", "pair", Accept(), seats=2)
    view = liarsdice.view(state, liarsdice.turn(state))
    again = after("AAKJ9", "pair", Accept(), Peek(), Roll((3, 4)), Roll((3,)), luck=Scripted(2, 3, 4), seats=2)
    cup = liarsdice.view(again, liarsdice.turn(again)).cup

    assert Peek() == solution(view, luck_of(1, 0))
    assert dice("AAKJ9") == cup.first
    assert cup.first != cup.before


def test_shark_challenges_a_lie_it_knows():
    """It passed on two aces and takes its opponent's word for what it passes back unseen."""
    state = after("AAKJ9", "pair", Claim(Hand.parse("three A")), seats=2)
    view = liarsdice.view(state, liarsdice.turn(state))

    assert Challenge() == solution(view, luck_of(1, 0))


def test_solution_is_about_the_usual_options():
    assert solves(liarsdice.Options())
    assert not solves(liarsdice.Options(kickers="strict"))
    assert not solves(liarsdice.Options(reveal="always"))


@pytest.mark.parametrize("seats", [2, 3])
def test_with_other_options_the_shark_goes_by_the_odds(seats):
    chosen = liarsdice.Options(points="none", max_rounds=2, reveal="never")
    for turn in play(GAME, seats, chosen, 3):
        seat = liarsdice.turn(turn.state)
        if seat is None:
            break
        view, moves = liarsdice.view(turn.state, seat), liarsdice.moves(turn.state, seat)

        assert odds(view, moves, luck_of(1, 0)) == GAME.players["shark"](view, moves, luck_of(1, 0))


def exploiter():
    pytest.importorskip("numpy", reason="the script needs numpy")
    return small({}, "lab/best-response", "lilygames.games.liarsdice.solved.solution")


def test_best_response_wins_little_under_a_high_claim():
    """From four aces and a king up, the mean of taking any dice in either seat."""
    script, _ = exploiter()
    gains = [gain for _, gain in script.Exploiter().down_to(244)]

    assert 0 <= min(gains)
    assert max(gains) < 0.02


def test_sources_of_what_a_best_response_wins_add_up():
    """Each step brings something, from four aces and a king up; the values of positions in between cancel."""
    script, knows = exploiter()
    best = script.Exploiter()
    assert [*best.down_to(244)]
    sources, positions = script.Sources(best, Random(1)), [(True, 244, 100), (False, 244, 100), (True, 246, 252 - 1)]
    for position in 30 * positions:
        sources.play_on(position)
    own = knows.worth()[244][100]

    won = best.taking[244, 100] - own, best.facing[244, 100] + own, best.taking[246, 251] - knows.worth()[246][251]
    assert pytest.approx(30 * sum(won)) == sum(sources.gains.values())
    assert {"it rolls 5 under four", "the bot rolls 5 under four"} <= {*sources.gains}


def test_best_response_wins_much_from_a_shark_with_a_wrong_table():
    """All dice are worth the same, and no lie is worth less."""
    script, knows = exploiter()
    table = knows.learned()
    wrong = knows.Table(*([[0.0] * len(row) for row in rows] for rows in (table.values, table.liars)))
    knows.learned = lambda: wrong

    assert max(gain for _, gain in script.Exploiter().down_to(247)) > 0.05


@pytest.mark.slow
def test_best_response_wins_no_more_in_the_whole_game_than_was_measured():
    """It was 0.1647 of the stake a round before steps were solved by linear programming; the goal is 0.02."""
    script = ROOT / "lab/best-response"
    found = subprocess.run([sys.executable, script, "liarsdice", "--most", "0.02"], check=False)

    assert 0 == found.returncode


@pytest.mark.slow
def test_shipped_tables_are_what_the_script_makes():
    (script,) = small({}, "lab/solve-liarsdice")

    tables = script.solved(script.ROUNDS)

    assert tables == {path: zlib.decompress(path.read_bytes()) for path in TABLES}
