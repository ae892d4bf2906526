"""Statistics of lily-poker for `/stats`: hands won, and how many of them nobody asked to see."""

from lilygames.game import Attempt
from lilygames.games.lilypoker import GAME
from lilygames_rules.cards import cards
from lilygames_rules.lilypoker import HandBegun, Options
from lilygames_rules.poker.deal import HandShown
from lilygames_rules.poker.session import HandScored

BEGUN = HandBegun(1, "unlimited", "draw", 0, 0, ((0, 100), (2, 100)))


def test_player_who_was_dealt_in_has_won_or_not():
    events = (BEGUN, HandShown(2, cards("AS AH AD KH 2C"), None), HandScored(1, (-4, 0, 4), ((0, 96), (2, 104))))

    assert [
        Attempt(0, "hands won", success=False),
        Attempt(2, "hands won", success=True),
        Attempt(2, "hands won without showing", success=False),
    ] == [*GAME.attempts(events, Options())]


def test_pot_that_nobody_called_is_won_without_showing():
    events = (BEGUN, HandScored(1, (2, 0, -2), ((0, 102), (2, 98))))

    assert Attempt(0, "hands won without showing", success=True) in [*GAME.attempts(events, Options())]
