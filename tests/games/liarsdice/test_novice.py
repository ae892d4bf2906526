"""The novice of Liars Dice: legal, not silly, and no wiser than its view."""

from __future__ import annotations

import attrs
import pytest

from lilygames.games.liarsdice import GAME
from lilygames.games.liarsdice.bots.house import LEVELS, Mood, mood, moody, novice, said
from lilygames.testing import at_random, play
from lilygames_rules import liarsdice
from lilygames_rules.dice import claim_text
from lilygames_rules.dice.claims import Claim as Hand
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.passing import Challenged, Claim, Peek
from lilygames_rules.kit import KeyedLuck, Scripted
from lilygames_rules.liarsdice import Options
from tests.rules.dice.worlds import hide


def dice(text):
    return tuple(claim_text.faces(text.casefold()))


def after(text, *moves, luck=None, seats=3, **options):
    """Return the state after seat 0 began with these dice and the seats in turn made these moves."""
    state = liarsdice.start(seats, Options(first="host", **options), (), Scripted(*dice(text))).state
    for move in moves:
        made = Claim(Hand.parse(move)) if isinstance(move, str) else move
        state = liarsdice.apply(state, liarsdice.turn(state), made, luck or KeyedLuck(b"dice")).state
    return state


def decided(state, luck=None):
    seat = liarsdice.turn(state)
    return novice(liarsdice.view(state, seat), liarsdice.moves(state, seat), luck or KeyedLuck(b"calm"))


def test_novice_rolls_for_a_first_claim():
    assert Roll((3, 4, 5)) == decided(after("AAKJ9"))


def test_novice_looks_at_the_dice_it_took():
    assert Peek() == decided(after("AAKJ9", "pair", Accept()))


def test_novice_tells_the_truth_when_it_is_high_enough():
    assert Claim(Hand.parse("three A")) == decided(after("AAAJ9", "pair", Accept(), Peek()), Scripted(2))


def test_novice_rolls_when_the_truth_is_too_low():
    assert Roll((4, 5)) == decided(after("AAAJ9", "full", Accept(), Peek()))


def test_novice_makes_the_lowest_claim_when_it_has_to_lie():
    lying = after("AAKJ9", "four K", Accept(), Roll((3, 4, 5)), Roll((4, 5)), luck=KeyedLuck(b"ill"))

    assert Claim(Hand.parse("four K + 9")) == decided(lying, Scripted(2))


def test_novice_challenges_claims_too_good_to_be_true():
    assert Challenge() == decided(after("AAKJ9", "AAAAK"))
    assert Challenge() == decided(after("AAKJ9", "AAAAA"))


def test_novice_accepts_claims_that_open_dice_prove():
    """The opener has kept two open aces."""
    assert Accept() == decided(after("AAKJ9", Roll((3, 4, 5)), "pair A"), KeyedLuck(b"no pass"))


def test_novice_challenges_lies_about_known_dice():
    """Two players: the one who passed three aces is offered them back unseen as four."""
    state = liarsdice.start(2, Options(first="host"), (), Scripted(*dice("AAAJ9"))).state
    for move in ("three", "four"):
        state = liarsdice.apply(state, liarsdice.turn(state), Claim(Hand.parse(move)), Scripted()).state

    assert Challenge() == decided(state)


@pytest.mark.parametrize(
    ("fallen", "least", "more", "claim"),
    [
        ("AAKJ9", "high", False, "pair A"),
        ("AAKJ9", "pair A + K", False, "pair A + KJ9"),
        ("AAKJ9", "high", True, "two pair"),
        ("AAKJ9", "three T", False, "three T"),
        ("AAAAA", "five", True, "AAAAA"),
    ],
)
def test_novice_claims_the_expected_hand(fallen, least, more, claim):
    assert claim == str(said(tuple(sorted(dice(fallen))), Hand.parse(least), more=more))


@pytest.mark.parametrize(
    ("seat", "passer", "honest", "feels"),
    [
        (0, 1, True, Mood(forgets=16, trust=0.25)),
        (1, 0, False, Mood(forgets=16)),
        (0, 1, False, Mood(bluffs=6, unseen=8, forgets=16)),
        (1, 0, True, Mood(bluffs=6, unseen=8, forgets=16)),
        (1, 2, True, Mood(bluffs=24, forgets=16)),
    ],
)
def test_mood_of_a_novice_follows_from_the_last_round(seat, passer, honest, feels):
    """It trusts after a wrong doubt, is honest after it was caught, and is bold after a win."""
    view = liarsdice.view(after("AAKJ9"), 0)
    last = Challenged(seat, passer, Hand.parse("pair"), dice("AAKJ9"), honest)

    assert feels == mood(attrs.evolve(view, match=attrs.evolve(view.match, sheet=(last,))))


def test_novice_that_won_bluffs_once_in_six_claims():
    """The dice are known, and the truth is high enough."""
    state = after("AAAJ9", "pair", Accept(), Peek())
    seat = liarsdice.turn(state)
    view, moves = liarsdice.view(state, seat), liarsdice.moves(state, seat)
    won = Challenged(seat, 0, Hand.parse("pair"), dice("AAKJ9"), honest=False)
    view = attrs.evolve(view, match=attrs.evolve(view.match, sheet=(won,)))

    claims = [novice(view, moves, KeyedLuck(b"%d" % number)).hand for number in range(600)]

    assert 60 < sum(not claim.true_of(dice("AAAJ9")) for claim in claims) < 125


def test_novice_sometimes_forgets_which_dice_it_passed():
    state = after("AAAJ9", "three", Accept(), Peek(), "four", seats=2)
    seat = liarsdice.turn(state)
    view, moves = liarsdice.view(state, seat), liarsdice.moves(state, seat)

    assert Challenge() == moody(view, moves, KeyedLuck(b"any"), Mood())
    assert Accept() == moody(view, moves, KeyedLuck(b"any"), Mood(forgets=1))


def test_novice_that_trusts_more_accepts_more():
    state = after("AAKJ9", "four K")
    seat = liarsdice.turn(state)
    view, moves = liarsdice.view(state, seat), liarsdice.moves(state, seat)
    answers = [
        [moody(view, moves, KeyedLuck(b"%d" % number), Mood(trust=trust)) for number in range(9)]
        for trust in (0.0, 0.9)
    ]

    assert answers[0].count(Accept()) < answers[1].count(Accept()) == 9


@pytest.mark.parametrize(("seats", "lead"), [(2, 1), (4, 0.5)])
def test_novice_beats_random_players(seats, lead):
    """The bound is in points per round above the mean of the others, over a few dozen rounds."""
    points, rounds = [0] * seats, 0
    for seed in range(10):

        def choose(view, moves, luck):
            return (novice if view.seat == 0 else at_random)(view, moves, luck)

        match = play(GAME, seats, Options(), seed, choose)[-1].state.match
        points = [total + won for total, won in zip(points, match.scores, strict=True)]
        rounds += len(match.sheet)

    assert points[0] / rounds - sum(points[1:]) / (seats - 1) / rounds > lead


def test_novices_sometimes_lie_and_are_caught():
    """A table where nobody ever lied or was believed would be dull."""
    sheet = [event for seed in range(6) for event in play(GAME, 4, Options(), seed, novice)[-1].state.match.sheet]
    honest = sum(event.honest for event in sheet) / len(sheet)

    assert 0.2 < honest < 0.8


@pytest.mark.parametrize("level", LEVELS)
def test_bot_makes_the_same_move_in_states_it_cannot_tell_apart(level):
    """Only dice that it has not seen differ; the same view and the same luck give the same move."""
    differed = 0
    for number, turn in enumerate(play(GAME, 4, Options(points=3), 1, novice)):
        seat = liarsdice.turn(turn.state)
        if seat is None:
            continue
        other = hide(turn.state, seat, KeyedLuck(b"%d" % number))
        differed += other != turn.state
        here, there = (
            LEVELS[level](liarsdice.view(world, seat), liarsdice.moves(world, seat), KeyedLuck(b"same"))
            for world in (turn.state, other)
        )

        assert here == there
    assert differed > 20
