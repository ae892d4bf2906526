"""Statistics of Liar's Poker for `/stats`: the bids that were made."""

import pytest

from lilygames.game import Attempt
from lilygames.games.liarspoker import GAME
from lilygames_rules.bidding.ladder import Bid
from lilygames_rules.liarspoker import HandScored, Options


@pytest.mark.parametrize(("units", "made"), [(1, True), (2, True), (-1, False)])
def test_bid_is_made_if_it_wins_units(units, made):
    scored = HandScored(2, Bid(5, 4), "made" if made else "missed", units, (0, 0, 0))

    assert [Attempt(2, "bids made", made)] == [*GAME.attempts([scored], Options())]
