"""Club players and sharks of Liar's Poker: how they interpret others' bids, and what they do."""

from __future__ import annotations

import pytest

from lilygames.games.liarspoker import GAME, reading
from lilygames.games.liarspoker.house import club, naive, shark
from lilygames.games.liarspoker.reading import SILENT, UNSEEN, Talk, at_least, learned, share
from lilygames.testing import play
from rules import liarspoker
from rules.bidding.ladder import Bid, Challenge, Stand
from rules.kit import KeyedLuck
from rules.liarspoker import Options
from tests.games.liarspoker.talk import begun, said

PLAIN = Options(numbers="bills", progressive=False, hands=10)


def single(_):
    """Return a bid for a single stake."""
    return 1


def move(strategy, numbers, text=""):
    state = begun(numbers).state
    state = said(state, text).state if text else state
    seat = liarspoker.turn(state)
    return strategy(liarspoker.view(state, seat), liarspoker.moves(state, seat), KeyedLuck(b"any"))


@pytest.mark.parametrize("players", range(2, 11))
def test_learned_tables_are_probabilities(players):
    for held in learned(players).held:
        assert pytest.approx(1, abs=0.01) == sum(held)
        assert min(held) >= 0


def test_number_without_clues_has_the_prior_distribution():
    """Two numbers of eight digits each have one or more of a rank in 81 of 100 hands."""
    known = reading.tables([UNSEEN] * reading.CLUES)

    assert pytest.approx(0.815, abs=0.001) == share(at_least(known, (SILENT, SILENT)), 1)
    assert pytest.approx(1) == share(at_least(known, (SILENT, SILENT)), 0)
    assert 0 == share(at_least(known, (SILENT, SILENT)), 17)


def test_bidder_of_a_rank_is_estimated_to_hold_more_of_it():
    talk = Talk(learned(3), (0, 1, 2), single)
    talk.bid(0, Bid(3, 7))

    assert share(talk.among_others(1, 7), 3) > share(talk.among_others(1, 8), 3)
    assert share(talk.among_others(0, 7), 3) < share(talk.among_others(1, 7), 3)


def test_challenger_is_estimated_to_hold_less_of_the_rank():
    quiet, doubted = (Talk(learned(3), (0, 1, 2), single) for _ in range(2))
    for talk in (quiet, doubted):
        talk.bid(0, Bid(3, 7))
    doubted.doubt(1, Bid(3, 7))

    assert share(doubted.among_others(2, 7), 3) < share(quiet.among_others(2, 7), 3)


@pytest.mark.parametrize("strategy", [club, shark])
def test_incredible_bid_is_challenged(strategy):
    assert Challenge() == move(strategy, "11111111 | 12344589 | 22222222", "9 sevens")


@pytest.mark.parametrize("strategy", [club, shark])
def test_good_bid_challenged_by_everyone_stands(strategy):
    assert Stand() == move(strategy, "77777234 | 11111111 | 22222222", "5 sevens, x, x")


@pytest.mark.parametrize("strategy", [club, shark])
def test_every_number_has_a_sensible_option(strategy):
    """A player opens without any digit twice, and the last rung can only be challenged."""
    assert isinstance(move(strategy, "12345678 | 11111111 | 22222222"), Bid)
    assert Challenge() == move(strategy, "11111111 | 12344589", "16 tens")


@pytest.mark.parametrize("strategy", [club, shark])
@pytest.mark.parametrize("seats", [3, 5])
def test_bot_with_inference_beats_bots_without(strategy, seats):
    """The bound is a quarter of a stake per hand; each deal is played once in every seat."""
    won = 0
    for seed in range(6):
        for place in range(seats):

            def choose(view, moves, luck, place=place):
                return (strategy if view.seat == place else naive)(view, moves, luck)

            won += liarspoker.outcome(play(GAME, seats, PLAIN, seed, choose)[-1].state).scores[place]

    assert won > 60 * seats / 4
