"""The reader of Liar's Poker makes the moves of a plain one, and finds out what honest players hold."""

from __future__ import annotations

from functools import partial
from random import Random
from statistics import fmean

import pytest

from lilygames.games.liarspoker import headsup
from lilygames.games.liarspoker.house import chances
from lilygames_rules.bidding import ladder
from lilygames_rules.bidding.ladder import RANKS, Bid
from tests.games.liarspoker.solved import plain_reader

np = pytest.importorskip("numpy", reason="scripts/setup oracles installs numpy")
from lab.solving import liarspoker_reader as reading  # noqa: E402 - needs numpy
from lab.solving.liarspoker import Hands  # noqa: E402 - same


def shark(auction, own):
    return chances(auction, own, reading.RULES)


def honest(auction, hand):
    """Open with all digits of the best rank, and challenge everything."""
    best = max(RANKS, key=hand.__getitem__)
    return {ladder.choices(auction)[0] if auction.bid else Bid(hand[best], best): 1.0}


def biddings(policy, reader, seed):
    """Return the biddings of a deal with the reader in either seat."""
    luck = Random(seed)
    hands = [reading.number(luck), reading.number(luck)]
    return [reading.bidding(policy, reader, hands, seat, Random(f"{seed} {seat}")) for seat in (0, 1)]


BY_TABLE = reading.by_table(headsup.learned(), shark)


@pytest.mark.parametrize("seed", range(2))
def test_reader_makes_the_moves_of_the_plain_one(seed):
    expected = biddings(shark, partial(plain_reader.Reader, shark), seed)

    assert expected == biddings(shark, partial(reading.Reader, BY_TABLE), seed)


@pytest.mark.slow
def test_reader_makes_the_moves_of_the_plain_one_in_fifty_deals():
    for seed in range(100, 150):
        test_reader_makes_the_moves_of_the_plain_one(seed)


def mixes(mixing, auction, hands):
    """Return how often the player in turn makes which move, with the digits of each of several hands."""
    pairs = np.array([hand for other in hands for hand in (other, other)])
    made = mixing(Hands.of(pairs), reading.Positions.first(auction, range(len(hands))))
    found = [{} for _ in hands]
    for row, count, rank, share in zip(made.row, made.count, made.rank, made.share, strict=True):
        found[row][int(count), int(rank)] = float(share)
    return found


@pytest.mark.parametrize("text", ["", "2x7", "2x7 3x6", "4x1", "3x2 x", "2x7 3x2 3x7", "7x3", "3x6 x 4x6"])
def test_table_answers_many_positions_as_the_shark_does_each(text):
    luck, auction = Random(text), reading.opened(0)
    for word in text.split():
        auction = reading.moved(auction, ladder.choices(auction)[0] if word == "x" else Bid.parse(word))
    hands = [reading.number(luck) for _ in range(60)]
    each = [{reading.rung_of(move): share for move, share in shark(auction, hand).items()} for hand in hands]

    assert [pytest.approx(one) for one in each] == mixes(BY_TABLE, auction, hands)


@pytest.mark.slow
def test_reader_wins_little_from_the_shark():
    """It wins about 0.7 from the bot that goes by past hands."""
    assert fmean(reading.played(shark, BY_TABLE, seed) for seed in range(2_000_000, 2_000_600)) < 0.2


def test_reader_finds_out_what_a_player_holds_who_bids_it():
    """Such a player opens with all its digits of its best rank, so one more of them is safe to challenge."""
    won = [reading.played(honest, reading.by_rows(honest), seed) for seed in range(8)]

    assert sum(won) > 0
