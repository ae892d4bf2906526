"""Rooms, names and seats over a whole evening: when they are kept, and when they are freed."""

import attrs
import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.store import StoreUnavailable


@pytest.fixture
async def second(stage, finish):
    """A finished game at tally-2 between ann and bob, while cat waits at tally."""
    stage.enter("cat")
    await stage.type("cat", "/new tally")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally-2")
    await stage.type("ann", "/start")
    await finish(2)


async def test_finished_table_can_be_looked_at(stage, second):
    assert "The game is over." in await stage.type("ann", "/table")
    assert any("Totals" in row for row in await stage.type("ann", "/score"))


async def test_temporary_room_closes_when_the_last_person_leaves(stage, second):
    await stage.type("ann", "/quit tally-2")
    assert "tally-2" in stage.rooms

    await stage.type("bob", "/quit tally-2")

    assert "tally-2" not in stage.rooms
    assert "tally" in stage.rooms


async def test_temporary_room_closes_when_the_last_person_disconnects(stage, second):
    stage.drop("ann")
    stage.drop("bob")

    assert "tally-2" not in stage.rooms


async def test_room_whose_table_waits_for_its_last_player_is_kept(stage, table):
    stage.drop("ann")
    stage.drop("bob")

    assert table is stage.rooms["tally"].bot


async def test_player_who_was_away_when_the_game_ended_is_gone(stage, table):
    """A name is kept only while it holds a seat."""
    stage.drop("bob")
    moves = {0: "ann", 1: "bob"}
    while 1 in stage.open_tables:
        seat = next(seat for seat in moves if table.table.moves(seat))
        await table.room.do(lambda seat=seat: table.runner.make(seat, table.questions.offered(seat)[0], moves[seat]))
        await stage.quiet()

    assert ["ann"] == [*stage.host.people]
    assert "bob" not in stage.rooms["tally"].people
    assert "*** bob has left lily ***" in stage.screens["ann"].rows


async def test_table_waits_for_its_rules(stage, table, tally, store):
    """A changed rule raises the version. The log names the table, which goes on under its own version of the rules."""
    newer = attrs.evolve(tally["tally"], rules=_Rules(tally["tally"].rules, 2))
    with capture_logs() as logged:
        meanwhile = await Stage.open({"tally": newer}, store=store)
    assert [(1, 1)] == [(line["table"], line["version"]) for line in logged if "waits for its rules" in line["event"]]
    assert {} == meanwhile.open_tables

    newer.rules.VERSION = 1
    again = await Stage.open({"tally": newer}, store=store)

    assert [1] == [*again.open_tables]


async def test_abandoned_table_comes_back_beside_a_newer_one(stage, table, tally, store):
    """A room has at most one table."""
    entry = store.entries["table/1"].pop(0)
    meanwhile = await Stage.open(tally, store=store, seed="2")
    meanwhile.enter("cat")
    await meanwhile.type("cat", "/new tally")
    store.entries["table/1"].insert(0, entry)

    again = await Stage.open(tally, store=store)

    assert ["tally", "tally-2"] == [bot.room.name for bot in again.open_tables.values()]
    assert all(bot.room.bot is bot for bot in again.open_tables.values())


class _Rules:
    def __init__(self, rules, version):
        self._rules, self.VERSION = rules, version

    def __getattr__(self, name):
        return getattr(self._rules, name)


async def test_damaged_table_is_named_in_the_log(stage, table, tally, store):
    del store.entries["table/1"][1]
    with capture_logs() as logged:
        await Stage.open(tally, store=store)

    assert [1] == [line["table"] for line in logged if line["event"] == "table stopped"]


async def test_table_with_only_bots_is_not_kept(stage, tally, store):
    """Nobody would ever start it."""
    await stage.type("ann", "/new tally")
    await stage.type("ann", "/house 2")
    await stage.type("ann", "/leave")

    assert {} == (await Stage.open(tally, store=store)).open_tables


@pytest.mark.parametrize("again", ["/at 1 ", "at 1 ", "/A 1 "])
async def test_at_within_at_is_refused(stage, table, again):
    """A command is about one table."""
    await stage.type("bob", "/join lobby")

    assert ["Refused: type /at only once: /at TABLE COMMAND."] == await stage.type("bob", f"/at 1 {again * 600}bid 1")
    assert "lobby" == stage.people["bob"].room.name


async def test_tables_have_numbers_and_rooms(stage, table):
    stage.enter("cat")
    await stage.type("cat", "/new tally max=3")

    for name in ("2", "#2", "tally-2", "TALLY-2"):
        assert "#2 Table #2, Tally, cat; waiting for players." in await stage.type("bob", f"/watch {name}")
    assert [
        "  #  game          now                                  leading         watch",
        "  1  Tally         playing",
        "  2  Tally         waiting: cat                                             1",
        "Type /sit 2 to join or /quick to play.",
    ] == await stage.type("bob", "/tables")


async def test_quick_does_not_start_a_game_that_others_are_invited_to(stage):
    """An invitation is kept until it is answered."""
    stage.enter("cat")
    await stage.type("ann", "/new tally bob")

    await stage.type("cat", "/quick tally")

    assert not stage.table(1).table.started
    assert "tally-2" == stage.people["cat"].room.name


async def test_room_is_free_again_if_its_table_could_not_be_stored(stage):
    """The next player to open a table once the store is back gets the game's home room."""
    asked = []

    async def claim(name):
        asked.append(name)
        if len(asked) == 1:
            raise StoreUnavailable("the store is away")
        return True

    stage.host.cluster.claim = claim
    refused = await stage.type("ann", "/new tally")
    await stage.type("ann", "/new tally")

    assert refused[0].startswith("Refused: nothing can be saved right now")
    assert "tally" == stage.table(1).room.name
