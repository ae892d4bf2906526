"""Bots of lily-poker remember who folds to bets, and whose bets turn out weak when they are called."""

from __future__ import annotations

import random

import pytest

from lilygames.game import Budget, Character, Habit, Shown, Thinker
from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.habits import FOLDS, WEAK, Opponents, own, reveals, styles
from lilygames.games.lilypoker.bots.worlds import worlds
from lilygames.games.lilypoker.views.chips import OWN, TEMPERS
from lilygames_rules import lilypoker
from lilygames_rules.kit import KeyedLuck, Leave
from tests.games.lilypoker.hands import NEVER, begun, said

PAIR, TRIPS, NOTHING = "9S 9D 5H 3C 2H", "KS KD KC 7D 4S", "AS QD 10H 6C 8D"
STAND = "check, check, stand, stand"
CALLER, FOLDER = {FOLDS: Habit(0, 50)}, {FOLDS: Habit(50)}
BLUFFER, HONEST = {WEAK: Habit(50)}, {WEAK: Habit(0, 50)}


def shown(step, habit):
    return [one for one in reveals(step.events) if one.habit == habit]


def test_answer_to_a_bet_shows_who_folds():
    assert [Shown(1, did=True, habit=FOLDS)] == shown(said(begun(f"{TRIPS} | {PAIR}", hands=1), "bet 2, fold"), FOLDS)
    assert [Shown(1, did=False, habit=FOLDS)] == shown(said(begun(f"{TRIPS} | {PAIR}"), "bet 2, call"), FOLDS)
    assert [Shown(1, did=False, habit=FOLDS)] == shown(said(begun(f"{TRIPS} | {PAIR}"), "bet 2, raise 4"), FOLDS)


def test_bets_and_checks_answer_nothing():
    assert [] == shown(said(begun(f"{TRIPS} | {PAIR}"), "check, bet 2"), FOLDS)


def test_someone_who_leaves_in_a_hand_folds():
    step = said(begun(f"{TRIPS} | {PAIR} | {NOTHING}"), "bet 2")

    assert [Shown(2, did=True, habit=FOLDS)] == [*reveals(lilypoker.apply(step.state, 2, Leave(), NEVER).events)]


@pytest.mark.parametrize(("hand", "weak"), [(NOTHING, True), (PAIR, True), (TRIPS, False)])
def test_bet_that_is_called_shows_whether_it_was_weak(hand, weak):
    step = said(begun(f"{hand} | JS JD 7H 7C QH", hands=1), f"{STAND}, bet 4, call")

    assert [Shown(0, did=weak, habit=WEAK)] == shown(step, WEAK)


def test_hands_after_checks_and_hands_that_are_not_shown_say_nothing():
    assert [] == shown(said(begun(f"{PAIR} | {NOTHING}", hands=1), f"{STAND}, check, check"), WEAK)
    assert [] == shown(said(begun(f"{PAIR} | {NOTHING}", hands=1), f"{STAND}, bet 4, fold"), WEAK)


def test_hand_of_the_caller_says_nothing_about_their_bets():
    step = said(begun(f"{NOTHING} | {PAIR}", hands=1), f"{STAND}, bet 4, call")

    assert {0} == {one.seat for one in shown(step, WEAK)}


# what bots make of it


def test_bots_call_someone_whose_bets_were_weak_with_more_hands():
    known = styles({1: BLUFFER, 2: HONEST})

    assert own(known, 2).doubts < OWN.doubts < own(known, 1).doubts
    assert own(known, 1).doubts < OWN.doubts * 1.9


@pytest.mark.parametrize("bettor", [None, 0])
def test_bots_answer_strangers_as_always(bettor):
    assert OWN == own(styles(None), bettor) == own(styles({1: BLUFFER}), bettor)


def imagined(memory, number=400):
    """Return the tempers that a bot gives the seat that it remembers."""
    step = begun("KS KD | 7S 2D | 8H 3C", variant="holdem")
    deal = lilypoker.view(step.state, 2).deal
    dealt = worlds(
        step.state.match.options, deal, 2, random.Random(1), number, opponents=Opponents(styles=styles(memory))
    )
    return [world.tempers[1] for world in dealt]


def test_memory_decides_at_most_thirty_of_a_hundred_simulated_tempers():
    usual = {(one.plays, one.doubts, one.calls) for one in TEMPERS}
    known = [one for one in imagined({1: CALLER}) if (one.plays, one.doubts, one.calls) not in usual]

    assert 0.2 < len(known) / 400 < 0.35
    assert all(one.doubts > 4 for one in known)


def test_player_who_folds_much_is_simulated_with_fewer_calls_and_one_who_bets_weakly_with_more_bets():
    assert min(one.calls for one in imagined({1: FOLDER})) < OWN.calls
    assert max(one.plays for one in imagined({1: BLUFFER})) > max(one.plays for one in TEMPERS)


@pytest.mark.parametrize("memory", [None, {}, {0: {FOLDS: Habit()}}])
def test_simulated_players_are_as_always_without_a_memory(memory):
    assert imagined(None, 20) == imagined(memory, 20)


def calls(level, habits):
    """Return how often a bot with a middling pair calls a bet after the draw."""
    strategy = GAME.players[level]
    if isinstance(strategy, Thinker):
        strategy = Thinker(strategy.decide, Budget(60))
    bot = GAME.in_character(strategy, level, Character(memory={0: habits}))
    state = said(begun(f"{TRIPS} | 10S 10D 5H 3C 2H"), f"{STAND}, bet 4").state
    view, moves = lilypoker.view(state, 1), lilypoker.moves(state, 1)
    return sum(bot(view, moves, KeyedLuck(b"%d" % number)) == moves[0] for number in range(40))


@pytest.mark.parametrize("level", ["club", "shark"])
def test_bots_call_a_bluffer_more_often_than_someone_whose_bets_are_good(level):
    assert calls(level, BLUFFER) >= calls(level, HONEST)
