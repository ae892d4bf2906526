"""The novice of Ohell: legal and not silly."""

from __future__ import annotations

import pytest

from lilygames.games.families.tricks.bots.strategy import tricks_worth
from lilygames.games.ohell import GAME
from lilygames.games.ohell.house import LEVELS
from lilygames.testing import at_random, play
from lilygames_rules import ohell
from lilygames_rules.cards import DECK, cards
from lilygames_rules.kit import Scripted
from lilygames_rules.ohell import Match, Options, View
from lilygames_rules.tricks.exactbid import Bid, Deal, Play, Row, Sight

OPTIONS = Options(max=7)
RANKS = "23456789TJQKA"


def sight(hand, trick="", *, bids, taken=(0, 0, 0), turned="5D", turn=0):
    (up,) = cards(turned)
    return Sight(Deal(1, 3, (0, 1, 2), 2, up, up.suit), cards(hand), bids, taken, (), cards(trick), turn)


def move(now, *sheet, drawn=2):
    view = View(0, Match(OPTIONS, 3, 0, 7, (0, 0, 0), sheet), now)
    moves = [Bid(n) for n in range(4)] if None in now.bids else [*map(Play, now.hand)]
    return LEVELS["novice"](view, moves, Scripted(drawn))


def test_highest_trumps_are_bid():
    assert Bid(3) == move(sight("QD KD AD", bids=(None, None, None)))


def test_lowest_cards_are_not():
    assert Bid(0) == move(sight("2C 3H 4S", bids=(None, None, None)))


def test_each_card_of_the_hand_adds_to_its_worth():
    one = tricks_worth(sight("AC", bids=(None,) * 3), DECK)

    assert 0 < one < tricks_worth(sight("AC KD", bids=(None,) * 3), DECK) < 2


def test_last_to_play_takes_a_needed_trick_as_cheaply_as_it_can():
    assert Play(*cards("JH")) == move(sight("2H JH AH", "9H TH", bids=(1, 1, 2)))


def test_novice_with_enough_tricks_discards_the_highest_losing_card():
    assert Play(*cards("9H")) == move(sight("2H 9H AH", "TH 3H", bids=(0, 1, 3)))


def test_novice_who_cannot_win_saves_good_cards():
    assert Play(*cards("2H")) == move(sight("2H 9H QH", "KH 3H", bids=(1, 1, 2)))


def test_novice_who_forgets_the_trump_throws_one_away():
    now = sight("KD 3C", "9H", bids=(0, 1, 1))

    assert Play(*cards("3C")) == move(now)
    assert Play(*cards("KD")) == move(now, drawn=1)


def test_novice_bids_more_after_a_miss():
    hands = [f"{trump}D {plain}C" for trump in RANKS for plain in RANKS]
    missed, made = (Row(2, 1, (bid, 0, 0), (1, 0, 1), (0, 0, 0)) for bid in (0, 1))
    bids = [[move(sight(hand, bids=(None, 1, None)), row).tricks for hand in hands] for row in (made, missed)]

    assert all(before <= after for before, after in zip(*bids, strict=True))
    assert sum(bids[0]) < sum(bids[1])


def test_novice_bids_less_if_others_have_bid_much():
    hands = [f"{trump}D {plain}C" for trump in RANKS for plain in RANKS]
    few, many = ([move(sight(hand, bids=(None, bid, None))).tricks for hand in hands] for bid in (0, 3))

    assert sum(many) < sum(few)


@pytest.mark.parametrize(("seats", "lead"), [(3, 10), (5, 10)])
def test_novice_beats_random_players(seats, lead):
    """The bound is in points per round above the mean of all random seats, over some hundred rounds."""
    points = [0] * seats
    rounds = 0
    for seed in range(12):

        def choose(view, moves, luck):
            return (LEVELS["novice"] if view.seat == 0 else at_random)(view, moves, luck)

        scores = ohell.outcome(play(GAME, seats, OPTIONS, seed, choose)[-1].state).scores
        points = [total + won for total, won in zip(points, scores, strict=True)]
        rounds += 13

    assert points[0] / rounds - sum(points[1:]) / (seats - 1) / rounds > lead
