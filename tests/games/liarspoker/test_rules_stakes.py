"""The values of hands in Liar's Poker: the examples of "Liars Poker" (rules of February 10, 1986) and ours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames_rules import liarspoker
from lilygames_rules.bidding import stakes
from lilygames_rules.bidding.ladder import Bid, BidMade
from lilygames_rules.liarspoker import Counted, HandBegun, HandScored, Options
from tests.games.liarspoker.talk import begun, bid_out, event, fingers, said, script

# The worked examples of the paper, and ours.


@pytest.mark.parametrize(
    ("sentence", "counts", "bid", "changes", "verdict"),
    [
        ("the bidder wins one unit from each of the other players", (1, 2, 1, 0), "4 sevens", (3, -1, -1, -1), "made"),
        ("the bidder loses one unit to each of the other players", (1, 2, 0, 0), "4 sevens", (-3, 1, 1, 1), "missed"),
        ("in a four person game, a bid of 7 fours is worth double", (2, 2, 2, 1), "7 fours", (6, -2, -2, -2), "made"),
        ("if unsuccessful, he only loses one unit to each", (2, 2, 1, 1), "7 fours", (-3, 1, 1, 1), "missed"),
        ("n+5 of a kind wins three units from each", (3, 2, 2, 2), "9 fours", (9, -3, -3, -3), "made"),
        ("while only risking one unit to each", (3, 2, 2, 1), "9 fours", (-3, 1, 1, 1), "missed"),
        ("n+7 of a kind gets four to one odds", (3, 3, 3, 2), "11 nines", (12, -4, -4, -4), "made"),
        ("n+9 gets five to one odds", (4, 3, 3, 3), "13 nines", (15, -5, -5, -5), "made"),
        (
            "in a five player game, 7 sixes will net two from each",
            (3, 1, 1, 1, 1),
            "7 sixes",
            (8, -2, -2, -2, -2),
            "made",
        ),
        ("but only cost him one unit", (2, 1, 1, 1, 1), "7 sixes", (-4, 1, 1, 1, 1), "missed"),
        ("10 sixes: he can win six units from each player", (3, 2, 2, 2, 1), "10 sixes", (24, -6, -6, -6, -6), "made"),
        ("the bidder can only lose one unit to each player", (2, 2, 2, 2, 1), "10 sixes", (-4, 1, 1, 1, 1), "missed"),
        ("6 sixes without having any: three from each", (0, 2, 2, 1, 1), "6 sixes", (12, -3, -3, -3, -3), "hero"),
        ("four from each player, whether 6 threes", (0, 0, 0, 0, 0), "6 threes", (16, -4, -4, -4, -4), "skunk"),
        ("7 sixes", (0, 0, 0, 0, 0), "7 sixes", (16, -4, -4, -4, -4), "skunk"),
        ("or 8 twos", (0, 0, 0, 0, 0), "8 twos", (16, -4, -4, -4, -4), "skunk"),
        ("in a three person game, if there are none, a push", (0, 0, 0), "5 fours", (0, 0, 0), "push"),
        ("in a two person game, the skunk rule does not apply", (0, 0), "2 fours", (-1, 1), "missed"),
    ],
)
def test_papers_examples_come_out_as_it_says(sentence, counts, bid, changes, verdict):
    state = begun(fingers(*counts, rank=Bid.parse(bid).rank), hands=1).state
    step = bid_out(state, bid)

    assert (changes, verdict) == (liarspoker.outcome(step.state).scores, event(step, HandScored).verdict)


EIGHT_SIXES = fingers(1, 1, 1, 1, 1, rank=6)


@pytest.mark.parametrize(
    ("threes", "second"),
    [((2, 2, 2, 1, 1), (32, -8, -8, -8, -8)), ((2, 2, 1, 1, 1), (-16, 4, 4, 4, 4))],
    ids=["made: eight units from each", "unsuccessful: four units to each"],
)
def test_progressive_stakes_go_as_in_the_papers_session(threes, second):
    """Five players: 8 sixes, then 8 threes at four units, then 6 twos at two units; then the stake is one unit."""
    first = bid_out(begun(EIGHT_SIXES, hands=4).state, "8 sixes", script(fingers(*threes, rank=3)))
    again = bid_out(first.state, "8 threes", script(fingers(2, 1, 1, 1, 1, rank=2)))
    third = bid_out(again.state, "6 twos", script(EIGHT_SIXES))

    assert [4, 2, 1] == [event(step, HandBegun).stake for step in (first, again, third)]
    assert [(-4, 1, 1, 1, 1), second, (8, -2, -2, -2, -2)] == [row.changes for row in third.state.match.sheet]


@pytest.mark.parametrize(
    ("counts", "bid", "won", "verdict"),
    [
        ((2, *(1,) * 18, 3), "23 sevens", 2, "made"),
        ((2, *(1,) * 18, 2), "23 sevens", -1, "missed"),
        ((0, *(1,) * 17, 3, 5), "25 sixes", 7, "hero"),
        ((0,) * 20, "21 sevens", 34, "skunk"),
    ],
)
def test_twenty_players_count_and_pay_as_the_paper_says(counts, bid, won, verdict):
    """A bid of n+3 is 23 of a kind then, n+5 is 25, and the skunk is worth 2n-6. All twenty hold up their fingers."""
    step = bid_out(begun(fingers(*counts, rank=Bid.parse(bid).rank), hands=1).state, bid)

    assert (19 * won, *(-won,) * 19) == liarspoker.outcome(step.state).scores
    assert verdict == event(step, HandScored).verdict
    assert [(seat, counts[seat]) for seat in (*range(1, 20), 0)] == [*event(step, Counted).fingers]


# Values of bids.


@pytest.mark.parametrize(
    ("players", "bid", "multiplier"),
    [
        (6, "8 ones", 1),
        (6, "9 ones", 2),
        (6, "10 ones", 2),
        (6, "11 ones", 3),
        (3, "6 sixes", 4),
        (4, "11 nines", 4),
        (5, "8 sixes", 4),
        (2, "1 six", 2),
        (10, "80 tens", 35),
        (20, "22 ones", 1),
        (20, "23 ones", 2),
        (20, "24 sixes", 4),
        (20, "25 ones", 3),
        (20, "160 tens", 70),
    ],
)
def test_high_bids_and_sixes_are_worth_more(players, bid, multiplier):
    """n+4 counts as n+3; sixes are worth twice what the bid would otherwise get."""
    assert multiplier == stakes.multiplier(Bid.parse(bid), players, Options())


@given(st.integers(2, 20), st.integers(1, 159), st.integers(1, 10))
def test_stronger_bid_of_a_rank_is_never_worth_less(players, number, rank):
    less, more = (stakes.multiplier(Bid(n, rank), players, Options()) for n in (number, number + 1))

    assert less <= more <= less + (2 if rank == 6 else 1)


@pytest.mark.parametrize(
    ("options", "counts", "bid", "changes"),
    [
        ({"bonus": False}, (2, 2, 2, 1), "7 fours", (3, -1, -1, -1)),
        ({"sixes": False}, (2, 1, 1), "4 sixes", (2, -1, -1)),
        ({"hero": False}, (0, 2, 2), "4 fives", (2, -1, -1)),
        ({"skunk": False}, (0, 0, 0, 0), "4 fives", (-3, 1, 1, 1)),
        ({"stake": 5}, (2, 1, 1), "4 sixes", (20, -10, -10)),
        ({"stake": 5}, (1, 1, 1), "4 sixes", (-10, 5, 5)),
        ({"last_double": True}, (1, 1, 1), "4 sixes", (-4, 2, 2)),
    ],
)
def test_each_rule_can_be_agreed_on_or_left_out(options, counts, bid, changes):
    step = bid_out(begun(fingers(*counts, rank=Bid.parse(bid).rank), hands=1, **options).state, bid)

    assert changes == step.state.match.balances


@pytest.mark.parametrize(
    ("counts", "bid", "base"),
    [
        ((1, 1, 1), "3 ones", 1),
        ((1, 1, 1, 1, 1), "8 sixes", 4),
        ((0, 3, 3, 1, 1), "8 sixes", 2),
        ((0, 1, 1, 1, 1), "8 sixes", 2),
        ((0, 0, 0, 0, 0), "8 sixes", 2),
        ((0, 0, 0), "5 fours", 2),
        ((0, 2, 2), "4 sixes", 2),
        ((0, 4), "3 fives", 2),
        ((0, 0), "5 fives", 3),
    ],
)
def test_next_stake_is_what_the_bidder_won_or_would_have_won(counts, bid, base):
    """A bidder with none is presumed to be going for the none: just a double. Two players have no none to go for."""
    state = begun(fingers(*counts, rank=Bid.parse(bid).rank), hands=2).state
    after = bid_out(state, bid, script(fingers(*counts, rank=1))).state

    assert base == after.match.base == after.match.stake


def test_bidder_without_the_rank_is_a_hero_without_the_skunk_rule():
    assert 2 == stakes.next_base(Bid(3, 5), 4, 0, Options(skunk=False))
    assert 1 == stakes.next_base(Bid(3, 5), 4, 0, Options(skunk=False, hero=False))


def test_without_progressive_stakes_every_hand_is_single():
    after = bid_out(begun(EIGHT_SIXES, hands=2, progressive=False).state, "8 sixes", script(EIGHT_SIXES)).state

    assert 1 == after.match.stake


def test_prices_of_a_bid_are_known_before_the_count():
    step = said(begun(EIGHT_SIXES, stake=3).state, "8 sixes")

    assert BidMade(0, Bid(8, 6), 12, 3, rebid=False) == event(step, BidMade)
    assert (12, 3) == stakes.prices(step.state.match, Bid(8, 6))
