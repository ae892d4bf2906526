"""Club players and sharks of Liar's Poker: how they interpret others' bids, and what they do."""

from __future__ import annotations

import pytest

from lilygames.games.liarspoker import GAME, reading
from lilygames.games.liarspoker.house import club, doubt_of, naive, number_of, shark
from lilygames.games.liarspoker.reading import DOUBTS_IN, SILENT, UNSEEN, Talk, at_least, doubted, learned, share
from lilygames.testing import play
from lilygames_rules import liarspoker
from lilygames_rules.bidding import slips
from lilygames_rules.bidding.ladder import Bid, Challenge, Stand
from lilygames_rules.bidding.stakes import Row
from lilygames_rules.kit import KeyedLuck
from lilygames_rules.liarspoker import Options
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


def counted(*held, bidder=0):
    """Return a sheet of hands in which the bidder held so many digits of the rank."""
    return [Row(1, 1, Bid(3, 7), bidder, (own, 1), "missed", (0, 0)) for own in held]


def test_bidder_whose_bids_were_counted_without_a_digit_is_doubted_more():
    strangers, honest, bluffer = ([], counted(2, 3, 2), counted(0, 0, 0))

    assert 0 < doubt_of(0, honest) < doubt_of(0, strangers) < doubt_of(0, bluffer) < DOUBTS_IN
    assert doubt_of(1, strangers) == doubt_of(1, bluffer)


def test_bid_tells_less_of_a_bidder_who_is_doubted_and_nothing_in_the_end():
    believed = [Talk(doubted(2), (0, 1), single, {0: step}) for step in range(DOUBTS_IN + 1)]
    for talk in believed:
        talk.bid(0, Bid(3, 7))
    there = [share(talk.among_others(1, 7), 2) for talk in believed]

    assert sorted(there, reverse=True) == there
    assert pytest.approx(sum(UNSEEN[2:])) == there[-1]
    assert pytest.approx(share(heard_as_usual(Bid(3, 7)), 2)) == there[0]


def heard_as_usual(bid):
    talk = Talk(learned(2), (0, 1), single)
    talk.bid(0, bid)
    return talk.among_others(1, bid.rank)


def bids_of_nothing(count, view, moves):
    """Return a bid of so many of a rank that the seat doesn't hold, else the challenge or to stand."""
    number = number_of(view)
    bids = [bid for bid in moves if isinstance(bid, Bid) and (bid.count, slips.held(number, bid.rank)) == (count, 0)]
    return bids[0] if bids else moves[0]


@pytest.mark.parametrize(("count", "strategy", "seats"), [(3, club, 2), (2, club, 4), (2, shark, 4)])
def test_bids_of_nothing_win_nothing_from_bots_that_have_seen_some(count, strategy, seats):
    """They won up to half a stake a hand from bots that believed everyone."""
    won = 0
    for seed in range(12):
        for place in range(seats):

            def choose(view, moves, luck, place=place):
                return bids_of_nothing(count, view, moves) if view.seat == place else strategy(view, moves, luck)

            won += liarspoker.outcome(play(GAME, seats, PLAIN, seed, choose)[-1].state).scores[place]

    assert won < 0


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
    """The bound is an eighth of a stake per hand; each deal is played once in every seat."""
    won = 0
    for seed in range(6):
        for place in range(seats):

            def choose(view, moves, luck, place=place):
                return (strategy if view.seat == place else naive)(view, moves, luck)

            won += liarspoker.outcome(play(GAME, seats, PLAIN, seed, choose)[-1].state).scores[place]

    assert won > 60 * seats / 8
