"""`/quick GAME option=value`: play at once, at a table with the requested options."""

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.log.clocks import Clock
from tests.games import toy

HIGH = attrs.evolve(toy.GAME, players={"novice": lambda view, moves, luck: moves[0]})


@pytest.fixture
async def stage():
    """Ann and bob where the toy game is played."""
    stage = await Stage.open({"high": HIGH})
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


def sides(stage, number):
    return stage.table(number).table.options.sides


async def test_new_table_has_the_requested_options(stage):
    await stage.type("ann", "/quick high sides=6")

    assert 6 == sides(stage, 1)
    assert stage.table(1).table.started


async def test_settings_of_a_table_can_be_requested_as_well(stage):
    await stage.type("ann", "/quick high rated=off clock=60")

    assert (False, Clock.parse("60")) == (stage.table(1).table.header.rated, stage.table(1).table.header.clock)


async def test_quick_joins_a_waiting_table_with_these_options(stage):
    await stage.type("ann", "/new high sides=6")
    await stage.type("bob", "/quick high sides=6")

    assert ["ann", "bob"] == [who.name for who in stage.table(1).table.seats.people]


async def test_quick_joins_no_table_with_other_options(stage):
    await stage.type("ann", "/new high sides=8")
    await stage.type("bob", "/quick high sides=6")

    assert (8, 6) == (sides(stage, 1), sides(stage, 2))


@pytest.mark.parametrize("words", ["seats=2", "rated=on", "clock=none"])
async def test_options_that_were_not_asked_for_are_not_compared(stage, words):
    """A table with another number of sides will do, since the person didn't ask for one."""
    await stage.type("ann", "/new high sides=8")
    await stage.type("bob", f"/quick high {words}")

    assert ["ann", "bob"] == [who.name for who in stage.table(1).table.seats.people]


async def test_without_options_any_table_will_do(stage):
    await stage.type("ann", "/new high sides=8")
    await stage.type("bob", "/quick high")

    assert ["ann", "bob"] == [who.name for who in stage.table(1).table.seats.people]


async def test_other_options_are_those_of_quick_games(stage):
    """A game's quick options differ from its defaults to make it short."""
    stage = await Stage.open({"high": attrs.evolve(HIGH, quick_options=toy.Options(sides=4))})
    stage.enter("ann")
    await stage.type("ann", "/quick high rated=off")

    assert 4 == sides(stage, 1)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "/quick high hue=red",
            "Refused: High throw has no option “hue”. Did you mean sides? Type /options high to list them.",
        ),
        ("/quick high sides=1", "Refused: a die has two sides or more. Type /options high to list the options."),
        ("/quick high bob", "Refused: /quick doesn't invite people. Type /new high bob to invite them."),
    ],
)
async def test_invalid_options_are_refused_and_open_nothing(stage, line, answer):
    stage.screens["ann"].take()
    await stage.type("ann", line)

    assert answer == " ".join(row.strip() for row in stage.screens["ann"].take())
    assert not stage.open_tables
