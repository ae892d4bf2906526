"""The bot that plays Liars Dice by the odds: it judges claims by the dice, and its lies look like its truths."""

from __future__ import annotations

import pytest

from lilygames import codec
from lilygames.games import games
from lilygames.games.families.dice.chances import chance
from lilygames.games.liarsdice.bots.house import STYLES, odds
from lilygames.games.liarsdice.solved.chances import Passed, another_fall, at_least, credible, named, names_all, vaguer
from lilygames.gametest.duel import Match, results, rotations
from lilygames_rules import liarsdice
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.claims import ladder
from lilygames_rules.dice.cup import Accept, Roll
from lilygames_rules.dice.passing import Peek
from lilygames_rules.kit import KeyedLuck, Scripted
from tests.games.liarsdice.test_novice import after, dice

LUCKS = [KeyedLuck(b"%d" % number) for number in range(300)]


def decisions(state):
    """Return the moves of a shark in this position, in many games."""
    seat = liarsdice.turn(state)
    return [odds(liarsdice.view(state, seat), liarsdice.moves(state, seat), luck) for luck in LUCKS]


def taken(state):
    """Return how often a shark takes the offered dice."""
    return decisions(state).count(Accept()) / len(LUCKS)


def claims(state):
    return [move.hand for move in decisions(state)]


LIAR = after("AAKJ9", "three 9", Accept(), Roll((3, 4, 5)), Roll((3, 4, 5)), luck=Scripted(2, 3, 4, 1, 3, 5))
"""Two aces and nothing else, with three nines to beat."""
HONEST = after("AAAJ9", "pair", Accept(), Peek())
"""Three aces, with a pair to beat."""


@pytest.mark.parametrize("claim", ["KKKKK", "KKKKQ", "AAAAK", "AAAKK", "five"])
def test_shark_challenges_a_rare_first_claim(claim):
    """Five kings, or a claim that is just as rare next time."""
    assert taken(after("AAKJ9", claim)) < 0.1


@pytest.mark.parametrize("claim", ["pair", "pair A", "pair A + KJ9", "two pair", "KK99"])
def test_shark_accepts_a_likely_first_claim(claim):
    assert taken(after("AAKJ9", claim)) > 0.9


def test_shark_accepts_a_high_first_claim_that_visible_dice_support():
    """The opener has kept four open kings, or none."""
    kept, none = (taken(after("KKKKJ", Roll(places), "KKKKQ")) for places in ((5,), (1, 2, 3, 4, 5)))

    assert kept > 0.9
    assert none < 0.1


def test_shark_sometimes_lies_as_the_opener():
    """It kept two aces, and two rolls brought nothing better."""
    state = after("AAKJ9", Roll((3, 4, 5)), Roll((3, 4, 5)), luck=Scripted(2, 3, 4, 1, 3, 5))
    true = [hand.true_of(state.cup.dice) for hand in claims(state)]

    assert 0.1 < true.count(False) / len(true) < 0.5


def test_forced_lies_are_not_always_the_lowest_claim():
    assert len({hand.category for hand in claims(LIAR)}) >= 3


@pytest.mark.parametrize(("state", "true"), [(LIAR, False), (HONEST, True)])
def test_form_of_a_claim_does_not_tell_whether_it_is_true(state, true):
    """Most truths and most lies name all five dice, and some do not."""
    said = claims(state)
    told = [hand for hand in said if hand.true_of(state.cup.dice) == true]

    assert len(told) > 0.8 * len(said)
    assert 0.75 < sum(map(names_all, told)) / len(told) < 0.95


def test_lie_is_a_possible_result_of_the_roll():
    """Two aces are kept, so the roll may give three aces or two pair with aces, but never four kings."""
    told = {another_fall((6, 6), Hand.parse("two pair").rung, luck) for luck in LUCKS}

    assert all(6 in hand.ranks for hand in told)
    assert all(names_all(hand) for hand in told)
    assert min(hand.rung for hand in told) >= Hand.parse("two pair").rung
    assert another_fall((1, 2), Hand.parse("AAAAK").rung, KeyedLuck(b"any")) is None


def test_vaguer_claims_are_still_legal():
    hand = Hand.parse("KK99A")

    assert ["KK99A", "KK99", "two pair K", "two pair"] == [str(one) for one in vaguer(hand, 0)]
    assert ["KK99A", "KK99"] == [str(one) for one in vaguer(hand, Hand.parse("KK99").rung)]


@pytest.mark.parametrize("kept", ["", "9", "AA", "KKK", "KKKK", "AAKJ9"])
@pytest.mark.parametrize("least", ["pair A", "low straight", "AAAKK"])
def test_chance_of_a_rung_is_counted_roll_by_roll(kept, least):
    hand, some = Hand.parse(least), tuple(sorted(dice(kept)))

    assert pytest.approx(chance(some, hand.true_of)) == at_least(some, hand.rung)


def test_higher_the_first_claim_the_less_it_is_believed():
    """It is about claims that five dice fulfil less and less often."""
    rare = [credible(Hand.parse(one), Passed(None, (), 1)) for one in ("pair A", "three A", "four A", "AAAAA")]

    assert sorted(rare, reverse=True) == rare
    assert rare[0] > 0.5
    assert rare[-1] < 0.2


@pytest.mark.parametrize(
    ("claim", "kept"), [("pair", ""), ("pair K", "KK"), ("KK99A", "99KK"), ("TTT99", "99TTT"), ("low straight", "")]
)
def test_dice_that_the_next_holder_may_keep(claim, kept):
    assert dice(kept) == named(Hand.parse(claim))


def test_any_claim_can_be_judged_after_any_other():
    """Every claim has some probability, never 0 or 1 for lack of a number."""
    for over in (None, *ladder()[::40]):
        for kept in ((), (6, 6), (1, 3, 5)):
            for claim in ladder()[over.rung + 1 if over else 0 :: 25]:
                assert 0 <= credible(claim, Passed(over, kept, 2)) <= 1


@pytest.mark.parametrize("style", STYLES)
def test_shark_is_ahead_of_each_standing_opponent(style):
    """This is a quick check over a few deals; `scripts/duel` measures it."""
    match = Match("liarsdice", codec.dump(games()["liarsdice"].rules.Options(points=3)), ("shark", style))
    ahead, behind = results(match.players, [rotations(match, seed) for seed in range(1, 9)])

    assert ahead.ahead > 0 > behind.ahead
