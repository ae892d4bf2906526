"""Expensive tables are computed before anyone logs in, and not at the first table while everyone waits."""

from lilygames.games import games
from rules.poker import hands


def test_hand_values_are_prepared_before_the_first_deal():
    for worked_out in (each for each in vars(hands).values() if hasattr(each, "cache_clear")):
        worked_out.cache_clear()
    for game in games().values():
        game.prepare()

    assert 1 == hands._tables.cache_info().currsize
