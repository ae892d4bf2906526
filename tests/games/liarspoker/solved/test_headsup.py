"""The shark of Liar's Poker with two players: moves are drawn from a table, so that bids tell little."""

from __future__ import annotations

from importlib.resources import files

import pytest

from lilygames.games.liarspoker.headsup import answers, heard, learned, mixed, usual
from lilygames.games.liarspoker.house import by_past_hands, chances, shark
from lilygames.games.liarspoker.worth import counted
from lilygames_rules import liarspoker
from lilygames_rules.bidding.ladder import Challenge, Stand
from lilygames_rules.bidding.stakes import Options
from lilygames_rules.kit import KeyedLuck
from tests.games.liarspoker.talk import begun, said

LUCKS = [KeyedLuck(b"%d" % number) for number in range(40)]
TWO, THREE = "77771234 | 11223344", "77771234 | 11223344 | 55667788"


def view(numbers, text="", **options):
    """Return what the seat in turn sees after these calls."""
    state = begun(numbers, **options).state
    state = said(state, text).state if text else state
    return liarspoker.view(state, liarspoker.turn(state))


def own(seen):
    return counted(seen.slip.numbers[seen.match.lines[-1] - 1])


def test_openings_vary():
    seen = view(TWO)
    drawn = {shark(seen, (), luck) for luck in LUCKS}

    assert len(drawn) > 2
    assert drawn <= set(mixed(seen.auction, own(seen)))


@pytest.mark.parametrize("text", ["", "2 sevens", "2 sevens, 3 sevens", "3 twos, x"])
def test_chances_of_moves_sum_to_one(text):
    seen = view(TWO, text)

    assert pytest.approx(1) == sum(chances(seen.auction, own(seen), Options()).values())


@pytest.mark.parametrize("text", ["2 sevens", "2 sevens, 3 twos", "4 ones"])
def test_bids_are_higher_than_the_standing_one(text):
    seen = view(TWO, text)
    bids = [bid for bid in mixed(seen.auction, own(seen)) if bid is not None]

    assert all(bid.beats(seen.auction.bid) for bid in bids)


def test_last_word_is_to_challenge_or_to_stand():
    answer, again = view(TWO, "9 sevens"), view(TWO, "9 sevens, x")

    assert Challenge() in chances(answer.auction, own(answer), Options())
    assert Stand() in chances(again.auction, own(again), Options())


def test_bid_and_last_ranks_are_heard():
    one = heard(view(TWO, "2 sevens, 3 twos").auction)

    assert (3, 2, False, 7) == (one.count, one.rank, one.own, one.mine)
    assert heard(view(TWO).auction) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 sevens", 0),
        ("2 sevens, 3 twos", 1),
        ("2 sevens, 2 nines", 1),
        ("2 sevens, 3 nines", 2),
        ("2 sevens, 4 twos", 2),
    ],
)
def test_bid_above_the_lowest_of_its_rank_is_heard_as_high(text, expected):
    assert expected == heard(view(TWO, text).auction).raised


def test_answers_need_at_most_four_digits_from_the_opponent():
    seen = view(TWO, "4 ones")
    rungs = [rung for _, some in answers(own(seen), heard(seen.auction)) for rung in some]

    assert rungs
    assert all(count - own(seen)[rank] <= 4 for count, rank in rungs)


@pytest.mark.parametrize("other", [{"sixes": False}, {"bonus": False}, {"hero": False}, {"rebid": False}])
def test_other_scoring_is_left_to_past_hands(other):
    assert not usual(Options(**other))
    seen = view(TWO, "2 sevens", **other)

    assert by_past_hands(seen, (), KeyedLuck(b"any")) == shark(seen, (), KeyedLuck(b"any"))


def test_three_players_are_left_to_past_hands():
    seen = view(THREE, "2 sevens")

    assert by_past_hands(seen, (), KeyedLuck(b"any")) == shark(seen, (), KeyedLuck(b"any"))


def test_table_is_small_and_its_shares_sum_to_one():
    assert len((files("lilygames.games.liarspoker") / "headsup.bin").read_bytes()) < 200_000
    assert all(pytest.approx(1) == sum(row.values()) for row in learned().values())
