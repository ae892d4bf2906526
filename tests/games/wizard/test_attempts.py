"""Statistics of Wizard for `/stats`: the bids that were made, by their size."""

from lilygames.game import Attempt
from lilygames.games.wizard import GAME
from lilygames_rules.tricks.exactbid import RoundScored
from lilygames_rules.wizard import Options


def test_bid_is_made_by_taking_exactly_that_many_tricks():
    scored = RoundScored(3, (0, 1, 2, 3), (0, 2, 2, 1), (13, -1, 14, -8), (0, 0, 0, 0))

    assert [
        Attempt(0, "bids made", success=True, detail="bid 0"),
        Attempt(1, "bids made", success=False, detail="bid 1"),
        Attempt(2, "bids made", success=True, detail="bid 2 and up"),
        Attempt(3, "bids made", success=False, detail="bid 2 and up"),
    ] == [*GAME.attempts([scored], Options())]
