"""Bots of Liar's Lair remember who was caught lying, and believe their cards less."""

from __future__ import annotations

import random

import pytest

from lilygames.game import LIES, Budget, Habit, Shown
from lilygames.games.liarslair.habits import BLUFFS, reveals
from lilygames.games.liarslair.search import chances
from lilygames.games.liarslair.worlds import imagined, ledger
from lilygames_rules import liarslair
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.lair.moves import Play
from tests.games.liarslair.positions import lair

LIAR, HONEST = Habit(50), Habit(0, 50)


def shown(game):
    return [*reveals(game.events)]


def believed(game, name, memory, *, reads=False):
    """Return how often B takes a card for true."""
    here, rng = ledger(liarslair.view(game.state, 1), reads=reads, memory=memory), random.Random(1)
    return sum(imagined(here, rng).truths[here.numbers[game.names[name]]] for _ in range(1000)) / 1000


def everyone(habit, known):
    return {seat: {habit: known} for seat in range(3)}


def test_contradiction_shows_whether_the_card_that_was_played_first_is_a_lie():
    assert [Shown(0, did=True)] == shown(lair("a- b+", "a+ c-", "b- c+").then("A play a-", "B play a+"))
    assert [Shown(0, did=False)] == shown(lair("a+ b+", "a- c-", "b- c+").then("A play a+", "B play a-"))


def test_card_that_contradicts_nothing_shows_nothing():
    assert [] == shown(lair("a- b+", "a+ c-", "b- c+").then("A play a-"))


def test_declaration_that_is_proven_wrong_is_a_bluff():
    game = lair("a- b-", "a+ c-", "b+ d-", spare=1, declaring=True).then("A declare", "B pass", "C pass")

    assert [] == shown(game)
    assert [Shown(0, did=True, habit=BLUFFS)] == shown(game.then("B expose a+"))


def test_declaration_with_both_cards_of_a_pair_is_a_bluff():
    game = lair("a+ a-", "b- c+", "b+ c-", declaring=True).then("A declare", "B pass", "C pass")

    assert [Shown(0, did=True, habit=BLUFFS)] == shown(game)


def test_declaration_that_stands_is_none():
    """Nobody learns whether all its cards were true."""
    game = lair("a+ b-", "a- c+", "b+ c-", declaring=True).then("A declare", "B pass", "C pass", "B pass", "C pass")

    assert [Shown(0, did=False, habit=BLUFFS)] == shown(game)


@pytest.mark.parametrize("reads", [False, True])
def test_card_of_someone_who_was_often_caught_lying_is_believed_less(reads):
    game = lair("a- b+", "c- d+", "b- e+", spare=2).then("A play b+")
    liar, usual, honest = (
        believed(game, "b+", memory, reads=reads) for memory in (everyone(LIES, LIAR), None, everyone(LIES, HONEST))
    )

    assert liar < usual < honest
    assert honest - liar < 0.6


def test_lie_of_the_last_player_is_safe_so_it_says_nothing_about_them():
    game = lair("a- b+", "c+ d-", "b- e-", spare=2).then("A play b+", "B play c+", "C play e-")

    assert believed(game, "e-", everyone(LIES, LIAR)) == believed(game, "e-", None)


def test_cards_of_someone_who_often_declares_falsely_are_believed_less():
    game = lair("a- b-", "a+ c-", "b+ d-", spare=1, declaring=True).then("A declare", "B pass", "C pass")

    assert believed(game, "b-", everyone(BLUFFS, LIAR)) < 0.45 < believed(game, "b-", None)
    assert believed(game, "b-", everyone(LIES, LIAR)) == believed(game, "b-", None)


@pytest.mark.parametrize("memory", [None, {}, {0: {LIES: Habit()}}])
def test_bot_that_remembers_nothing_of_others_believes_as_before(memory):
    game = lair("a- b+", "c- d+", "b- e+", spare=2).then("A play b+")
    view = liarslair.view(game.state, 1)

    assert ledger(view, reads=True).odds == ledger(view, reads=True, memory=memory).odds


@pytest.mark.parametrize("reads", [False, True])
def test_contradicting_someone_who_was_often_caught_lying_is_worth_more(reads):
    """B doesn't know whether e- is true. It is played against A's e+."""
    first = ("A play a+", "B play b+", "C play e-", "C reclaim a+", "B reclaim e-", "A reclaim b+")
    game = lair("a+ e+", "b+ c+", "e- d+", spare=2, start="right").then(*first, "A pass", "B pass", "C pass")
    game = game.then("C play d+", "A play e+")
    view, moves, luck = liarslair.view(game.state, 1), liarslair.moves(game.state, 1), KeyedLuck(b"same")
    liar, honest = (
        chances(view, moves, luck, Budget(1000), reads=reads, memory=everyone(LIES, known)) for known in (LIAR, HONEST)
    )
    contradicting = moves.index(Play(game.names["e-"]))

    assert liar[contradicting] > honest[contradicting]
