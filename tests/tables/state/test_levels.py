"""Levels of bots: a game may offer its strongest level only at the tables where it is shown to be better."""

import attrs
import pytest

from lilygames.game import Limit
from lilygames.gametest.stage import Stage
from lilygames.store.memory import MemoryStore
from tests.toys import TALLY

SHORT = 3
TWO = Limit(range(2, 3), lambda options: options.max <= SHORT, "for two players only, with max=3 or less")
LEVELS = {**TALLY["tally"].players, "master": lambda view, moves, luck: moves[-1]}
MASTERED = attrs.evolve(TALLY["tally"], players=LEVELS, limits={"master": TWO})
REFUSED = "Refused: Tally has masters for two players only, with max=3 or less. Type /house shark."


@pytest.fixture
async def stage():
    stage = await Stage.open({"tally": MASTERED}, store=MemoryStore())
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


async def answer(stage, *lines):
    """Return what ann reads after the last of her lines, in one line."""
    for line in lines:
        told = await stage.type("ann", line)
    return " ".join(" ".join(told).split())


async def test_master_plays_where_it_is_shown_to_be_better(stage):
    assert "*Ada sits down." in await answer(stage, "/new tally max=3", "/house master")
    assert "Tally, ann and *Ada (master)" in " ".join(await stage.type("bob", "/watch tally"))


async def test_master_is_refused_with_other_options_in_a_sentence_with_the_level_to_ask_for(stage):
    assert REFUSED == await answer(stage, "/new tally max=4", "/house master")


async def test_master_is_refused_among_too_many_players(stage):
    assert REFUSED == await answer(stage, "/new tally max=3", "/house master 2")
    assert REFUSED == await answer(stage, "/house shark", "/house master")


async def test_table_with_a_master_takes_no_more_players_than_it_is_for(stage):
    assert "Refused: tally has room for 0 more players." == await answer(
        stage, "/new tally max=3", "/house master", "/house"
    )
    assert "every seat at tally is taken" in " ".join(await stage.type("bob", "/sit tally"))


async def test_master_of_a_game_without_one_is_refused_with_the_level_to_ask_for():
    stage = await Stage.open(TALLY, store=MemoryStore())
    stage.enter("ann")

    assert "Refused: Tally has no masters yet. Type /house shark." == await answer(stage, "/new tally", "/house master")
