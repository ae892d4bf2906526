"""The novice of Wizard: legal and not silly."""

from __future__ import annotations

import pytest

from lilygames.games.wizard import GAME
from lilygames.games.wizard.house import LEVELS
from lilygames.testing import at_random, play
from lilygames_rules import wizard
from lilygames_rules.cards import Suit, cards
from lilygames_rules.kit import Scripted
from lilygames_rules.tricks.exactbid import Bid, Play
from lilygames_rules.wizard import NameTrump, Options
from tests.games.wizard.positions import begun, position


def move(state):
    seat = wizard.turn(state)
    return LEVELS["novice"](wizard.view(state, seat), wizard.moves(state, seat), Scripted(2))


def after(state, text):
    for card in cards(text):
        state = wizard.apply(state, wizard.turn(state), Play(card), Scripted()).state
    return state


def test_each_wizard_is_bid_and_no_jester_is():
    assert Bid(2) == move(position("J J W W | 2D 3D 4D 5D | 2S 3S 4S 5S"))


def test_dealer_names_its_best_suit():
    assert NameTrump(Suit.SPADES) == move(begun(3, "2H 9H KS W").state)


def test_needed_trick_is_taken_with_the_wizard_when_nothing_less_does():
    state = position("AC 2C | 2C 3D | J W", turned="9H", bids=(0, 0, 1))

    assert Play(*cards("W")) == move(after(state, "AC 2C"))


def test_novice_with_enough_tricks_plays_a_wizard_under_another():
    state = position("2S W | 3S 4S | 5C W", turned="9H", bids=(0, 0, 0))

    assert Play(*cards("W")) == move(after(state, "W 3S"))


def test_novice_without_needed_tricks_leads_a_jester():
    assert Play(*cards("J")) == move(position("KC J | 2D 3D | 2S 3S", bids=(0, 1, 0)))


@pytest.mark.parametrize("seats", [3, 6])
def test_novice_beats_random_players(seats):
    """The bound is ten points per round above the mean of all random seats, over some hundred rounds."""
    points, rounds = [0] * seats, 0
    for seed in range(8):

        def choose(view, moves, luck):
            return (LEVELS["novice"] if view.seat == 0 else at_random)(view, moves, luck)

        final = play(GAME, seats, Options(), seed, choose)[-1].state
        points = [total + won for total, won in zip(points, final.match.scores, strict=True)]
        rounds += final.match.rounds

    assert points[0] / rounds - sum(points[1:]) / (seats - 1) / rounds > 10
