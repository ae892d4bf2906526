"""The novice of Lie Die: legal, not silly, and no wiser than its view."""

from __future__ import annotations

import attrs
import pytest

from lilygames.games.liedie import GAME
from lilygames.games.liedie.house import LEVELS, Mood, likelihood, mood, moody, novice
from lilygames.testing import at_random, play
from lilygames_rules import liedie
from lilygames_rules.dice.cup import Accept, Challenge, Roll
from lilygames_rules.dice.throws import Throw, rungs
from lilygames_rules.kit import KeyedLuck, Scripted
from lilygames_rules.liedie import Challenged, Claim, Options
from tests.rules.dice.worlds import hide

OPTIONS = Options(games=20)


def after(text, *moves, seats=3, luck="", **options):
    """Return the state after seat 0 threw these dice and the seats in turn made these moves."""
    state = liedie.start(seats, Options(first="host", **options), (), Scripted(*map(int, text))).state
    draws = Scripted(*map(int, luck))
    for move in moves:
        made = Claim(Throw.parse(move)) if isinstance(move, str) else move
        state = liedie.apply(state, state.turn.seat, made, draws).state
    return state


def decided(state, *draws):
    seat = state.turn.seat
    return novice(liedie.view(state, seat), liedie.moves(state, seat), Scripted(*draws))


def test_novice_tells_the_truth_when_it_is_good_enough():
    assert Claim(Throw.parse("33145")) == decided(after("33145"), 2)


def test_novice_sometimes_exaggerates():
    told = novice(liedie.view(after("33145"), 0), liedie.moves(after("33145"), 0), Liar())

    assert 0 < rungs()[told.throw] - rungs()[Throw.parse("33145")] <= 12


class Liar(KeyedLuck):
    """Luck that always draws 1."""

    def __init__(self):
        super().__init__(b"liar")

    def roll(self, sides):
        return 1


ME = 0


def felt(last):
    """Return the mood of seat 0 after a game that ended with this challenge."""
    seat, claimant, lied = last
    state = after("33145")
    throw = Throw.parse("33145")
    sheet = (Challenged(seat, claimant, throw, throw, lied),)
    return mood(liedie.view(attrs.evolve(state, match=attrs.evolve(state.match, sheet=sheet)), ME))


def test_novice_is_bold_after_a_win():
    assert Mood(bluffs=4) == felt((ME, 1, True)) == felt((1, ME, False))


def test_novice_is_honest_after_it_was_caught():
    assert 0 == felt((1, ME, True)).bluffs


def test_novice_believes_more_after_it_doubted_a_true_claim():
    assert felt((ME, 1, False)).calm < Mood().calm


def test_novice_keeps_its_mood_when_others_quarrel():
    assert mood(liedie.view(after("33145"), ME)) == felt((1, 2, True))


def test_honest_novice_tells_the_truth_whatever_it_draws():
    view = liedie.view(after("33145"), 0)

    assert Claim(Throw.parse("33145")) == moody(view, liedie.moves(after("33145"), 0), Liar(), Mood())


def test_novice_throws_when_the_truth_is_not_better():
    assert Roll((4, 5)) == decided(after("22261", "33361", Accept()))


def test_novice_lies_a_little_after_a_bad_throw():
    lying = after("33145", "44125", Accept(), Roll((1,)), luck="1")
    told = novice(liedie.view(lying, 1), liedie.moves(lying, 1), KeyedLuck(b"lie"))

    assert 0 < rungs()[told.throw] - rungs()[Throw.parse("44125")] <= 12


def test_novice_accepts_likely_and_challenges_rare_claims():
    assert Accept() == decided(after("33145", "33145"), 50)
    assert Challenge() == decided(after("33145", "33335"), 50)
    assert Challenge() == decided(after("66666", "66666"))


def test_likelihood_is_the_chance_of_an_equal_or_better_throw():
    assert 6 / 7776 == likelihood(Throw.parse("11111"), "straight")
    assert 1 / 7776 == likelihood(Throw.parse("66666"), "straight")


@pytest.mark.parametrize(("truth", "move"), [("exact", Challenge()), ("atleast", Accept())])
def test_novice_challenges_lies_about_known_dice(truth, move):
    """Two players: the one who passed the dice is told of the same dice, since none were thrown."""
    state = after("33336", "33145", Accept(), Roll(()), "33335", seats=2, truth=truth)

    assert move == decided(state)


@pytest.mark.parametrize(("seats", "lead"), [(2, 1), (4, 0.2)])
def test_novice_beats_random_players(seats, lead):
    """The bound is in points per game above the mean of the others, over a hundred games."""
    points = [0] * seats
    for seed in range(5):

        def choose(view, moves, luck):
            return (novice if view.seat == 0 else at_random)(view, moves, luck)

        scores = play(GAME, seats, OPTIONS, seed, choose)[-1].state.match.scores
        points = [total + won for total, won in zip(points, scores, strict=True)]

    assert (points[0] - sum(points[1:]) / (seats - 1)) / 100 > lead


def test_novices_sometimes_lie_and_are_caught():
    sheet = [event for seed in range(5) for event in play(GAME, 4, OPTIONS, seed, novice)[-1].state.match.sheet]

    assert 0.15 < sum(event.lied for event in sheet) / len(sheet) < 0.85


@pytest.mark.parametrize("level", LEVELS)
def test_bot_makes_the_same_move_in_states_it_cannot_tell_apart(level):
    """Only dice that it has not seen differ; the same view and the same luck give the same move."""
    differed = 0
    for number, turn in enumerate(play(GAME, 4, OPTIONS, 1, novice)[:-1]):
        seat = turn.state.turn.seat
        other = hide(turn.state, seat, KeyedLuck(b"%d" % number))
        differed += other != turn.state
        here, there = (
            LEVELS[level](liedie.view(world, seat), liedie.moves(world, seat), KeyedLuck(b"same"))
            for world in (turn.state, other)
        )

        assert here == there
    assert differed > 20
