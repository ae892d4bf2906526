"""The luck of the cards at poker: its mean over all possible cards is zero, so a duel may subtract it."""

from __future__ import annotations

import itertools

import pytest

from lilygames.games.lilypoker import GAME
from lilygames.games.lilypoker.bots.house import club
from lilygames.games.lilypoker.bots.luck import fortune
from lilygames.testing import play
from lilygames_rules import lilypoker
from lilygames_rules.changed import changed
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.poker.table import Options
from tests.games.lilypoker.hands import begun, move, said

LUCK = KeyedLuck(b"fortune")
ACES, KINGS = "AS AD", "KS KD"


def lies(hands, text, place, **options):
    """Return the state after the step, once for every card that may lie at a place of the stock; the others stay."""
    state = said(begun(hands, **options), text).state
    stock = state.deal.layout.stock
    for other in range(len(stock)):
        cards = list(stock)
        cards[place], cards[other] = cards[other], cards[place]
        layout = changed(state.deal.layout, stock=tuple(cards))
        yield changed(state, deal=changed(state.deal, layout=layout))


def told(state, word):
    """Return the luck of the step in which the seat in turn makes the move."""
    seat, made = lilypoker.turn(state), move(word)
    after = lilypoker.apply(state, seat, made, KeyedLuck(b"deal")).state
    return fortune(state, made, after, KeyedLuck(b"fortune"))


@pytest.mark.parametrize(
    ("hands", "text", "word", "place", "options"),
    [
        (f"{ACES} | {KINGS}", "call, check, check, check, check", "check", 1, {"variant": "holdem"}),
        (
            "AS AD AH 7C 2D | 9S 9D 5H 5C 2H",
            "check, check, discard 7C 2D",
            "discard 2H",
            0,
            {"variant": "draw"},
        ),
    ],
)
def test_luck_averages_to_zero_over_all_last_cards(hands, text, word, place, options):
    """The river, with a card burned before it, and one card drawn to two pair."""
    found = [told(state, word) for state in lies(hands, text, place, **options)]

    assert pytest.approx([0, 0], abs=1e-9) == [sum(column) for column in zip(*found, strict=True)]
    assert any(abs(first) > 1 for first, _ in found)


def test_luck_adds_up_to_zero_over_the_seats():
    turns = play(GAME, 4, Options(variant="choice", hands=12), 3, club)
    for before, after in itertools.pairwise(turns):
        assert pytest.approx(0, abs=1e-9) == sum(fortune(before.state, after.move, after.state, LUCK))


def test_no_luck_without_dealt_cards():
    assert [0, 0] == list(told(begun(f"{ACES} | {KINGS}", variant="holdem").state, "call"))


def test_flop_that_helps_is_luck():
    """A third king helps the kings, who were behind: now the pot is theirs, and they win more."""
    state = said(begun(f"{ACES} | {KINGS}", "2C KH 7D 8S", variant="holdem"), "call").state
    aces, kings = told(state, "check")

    assert kings > 2 > -2 > aces
