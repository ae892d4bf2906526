"""The reason of a hint for Liar's Poker: the odds of a bid, compared with a count of all numbers."""

from fractions import Fraction
from math import comb

import pytest

from lilygames.games.liarspoker import GAME
from lilygames.gametest.plays import luck_of
from lilygames_rules import liarspoker
from lilygames_rules.bidding.slips import held
from lilygames_rules.kit import Scripted

MINE = ("55517730", "00012345", "98765432", "66667777", "11223344")


def opening(mine, players):
    """Return the state of a first hand that seat 0 opens, with a number of its own."""
    bills = ["AA" + mine, *(f"B{letter}12345678" for letter in "BCDE"[: players - 1])]
    return liarspoker.start(players, liarspoker.Options(numbers="bills"), (), Scripted(0, *"".join(bills))).state


def there(count, digits):
    """Return how many times in 100 this many digits hold at least that many of a kind, rounded as in a hint."""
    ways = sum(comb(digits, held) * 9 ** (digits - held) for held in range(max(0, count), digits + 1))
    return float(100 * Fraction(ways, 10**digits))


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("mine", MINE)
def test_chance_of_an_opening_bid_is_that_of_all_numbers(mine, players):
    state = opening(mine, players)
    advice = GAME.advise(liarspoker.view(state, 0), liarspoker.moves(state, 0), luck_of(1, "hint"))
    bid = advice.move

    expected = there(bid.count - held(mine, bid.rank), 8 * (players - 1))
    assert expected == pytest.approx(advice.facts["there"], abs=0.5)
    assert bid.count == advice.facts["count"]
