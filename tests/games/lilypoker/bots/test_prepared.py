"""Expensive tables are computed before anyone logs in, and not at the first table while everyone waits."""

from pickle import dumps

import pytest

from lilygames.games import games
from lilygames.games.lilypoker.bots import ranges
from lilygames_rules.poker import hands


def test_hand_values_are_prepared_before_the_first_deal():
    for worked_out in (each for each in vars(hands).values() if hasattr(each, "cache_clear")):
        worked_out.cache_clear()
    for game in games().values():
        game.prepare()

    assert 1 == hands._tables.cache_info().currsize


@pytest.mark.parametrize("name", games())
def test_workers_can_be_told_to_fill_the_tables_of_each_game(name):
    assert dumps(games()[name].warm_up)


def test_first_draw_finds_its_tables_filled():
    """They took seconds in the first game of draw, while its players waited."""
    for table in (ranges.seven, ranges._after, ranges.by_draw):
        table.cache_clear()
    games()["lilypoker"].warm_up()
    before = [table.cache_info().misses for table in (ranges.seven, ranges._after, ranges.by_draw)]
    ranges.against([0, 1, 2, 3, 4, 5], hands.strength([*ranges.hands()[0]]))

    assert before == [table.cache_info().misses for table in (ranges.seven, ranges._after, ranges.by_draw)]
