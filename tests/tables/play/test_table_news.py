"""Programs that follow the list of open tables are told what changes in it."""

import asyncio
import gc

import attrs
import pytest

from lilygames.gametest.stage import Stage
from lilygames.tables.play import table_news
from tests.deadline import DEADLINE
from tests.schemas import misfits
from tests.tables.room.test_lesson_focus import TAUGHT
from tests.toys import ALL

NEWS = ("table-opened", "table-changed", "table-closed")


@pytest.fixture
async def stage(store):
    stage = await Stage.open(ALL, store=store)
    for name in ("ann", "bob", "cat"):
        stage.enter(name)
    return stage


class Program:
    """The program of someone who follows the list: it keeps the list by what it is told alone."""

    def __init__(self, stage, name):
        self.screen, self.person, self._stage = stage.screens[name], stage.people[name], stage
        self.screen.takes_packets = True
        self.list = {}
        self.user.get("tables", None)
        self.user.follow_tables(on=True)
        self.take()

    @property
    def user(self):
        return self.screen.user

    def take(self):
        """Return the kinds of news since the last time and their tables; keep the list by them."""
        told, self.screen.packets[:] = [*self.screen.packets], []
        news = [packet for packet in told if packet.name in (*NEWS, "tables")]
        for packet in news:
            assert [] == [*misfits({packet.name: packet.value})]
            if packet.name == "tables":
                self.list = {table["number"]: table for table in packet.value}
            elif packet.name == "table-closed":
                del self.list[packet.value["number"]]
            else:
                assert (packet.value["number"] in self.list) is (packet.name == "table-changed")
                self.list[packet.value["number"]] = packet.value
        return [(packet.name, packet.value["number"]) if packet.name in NEWS else packet.name for packet in news]

    def news(self):
        """Tell everyone the news now. Return what this program is told; its list is what it would get if it asked."""
        self._stage.host.tables.news.tell()
        told = self.take()
        if self.screen.keeps_up:
            assert [*self._stage.host.tables.facts(self.person, 0, 1000)] == [
                table for _, table in sorted(self.list.items())
            ]
        return told


async def leave(stage, *names):
    for name in names:
        await stage.type(name, "/leave")


async def test_program_is_told_of_tables_that_open_change_and_close(stage):
    program = Program(stage, "cat")

    await stage.type("ann", "/new tally max=3")
    assert [("table-opened", 1)] == program.news()
    await stage.type("bob", "/sit 1")
    assert [("table-changed", 1)] == program.news()
    await stage.type("ann", "/start")
    assert [("table-changed", 1)] == program.news()
    assert ("playing", ["ann", "bob"]) == (program.list[1]["state"], program.list[1]["players"])
    await leave(stage, "ann", "bob")
    assert [("table-closed", 1)] == program.news()


async def test_adjourned_game_is_news(stage):
    await stage.type("ann", "/new tally max=3 bob")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/at 1 start")
    program = Program(stage, "cat")
    await stage.type("ann", "/adjourn")
    await stage.type("bob", "/adjourn")

    assert [("table-changed", 1)] == program.news()
    assert "adjourned" == program.list[1]["state"]


async def test_table_that_changes_often_is_told_once(stage):
    program = Program(stage, "cat")
    await stage.type("ann", "/new tally max=3")
    await stage.type("bob", "/sit 1")
    await stage.type("bob", "/leave 1")
    await stage.type("bob", "/sit 1")

    assert [("table-opened", 1)] == program.news()
    assert [] == program.news()


async def test_moves_and_spectators_are_not_told(stage):
    program = Program(stage, "cat")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit 1")
    await stage.type("ann", "/start")
    program.news()
    await stage.type("bob", "/at 1 bid 1")
    await stage.type("cat", "/watch 1")

    assert [] == program.news()


async def test_table_that_was_open_before_is_changed_and_closed(stage):
    await stage.type("ann", "/new tally max=3")
    program = Program(stage, "cat")
    await stage.type("bob", "/sit 1")
    assert [("table-changed", 1)] == program.news()
    await leave(stage, "bob", "ann")

    assert [("table-closed", 1)] == program.news()


async def test_table_that_closes_at_once_is_not_told(stage):
    program = Program(stage, "cat")
    await stage.type("ann", "/new tally max=3")
    await leave(stage, "ann")

    assert [] == program.news()


async def test_private_table_is_news_only_for_those_who_may_see_it(stage):
    invited, other = Program(stage, "bob"), Program(stage, "cat")
    await stage.type("ann", "/new tally private=on max=3 bob")
    assert ([("table-opened", 1)], []) == (invited.news(), other.take())
    await stage.type("ann", "/invite cat")
    assert ([("table-opened", 1)], []) == (other.news(), invited.take())
    await stage.type("bob", "/sit 1")
    assert ([("table-changed", 1)], [("table-changed", 1)]) == (invited.news(), other.take())
    await leave(stage, "bob", "ann")
    assert ([("table-closed", 1)], [("table-closed", 1)]) == (invited.news(), other.take())


async def test_private_table_is_closed_for_someone_who_may_not_see_it_any_more(stage):
    await stage.type("ann", "/new tally private=on max=3")
    program, room = Program(stage, "cat"), stage.host.tables.bots[1].room
    assert [] == program.news()
    shut = room.charter
    room.govern(attrs.evolve(shut, permitted=shut.permitted | {"cat"}))
    assert [("table-opened", 1)] == program.news()
    room.govern(shut)

    assert [("table-closed", 1)] == program.news()


async def test_lesson_is_news_only_for_its_learner():
    stage = await Stage.open({TAUGHT.name: TAUGHT})
    for name in ("bob", "cat"):
        stage.enter(name)
    learner, other = Program(stage, "bob"), Program(stage, "cat")
    await stage.type("bob", f"/learn {TAUGHT.name}")

    assert ([("table-opened", 1)], []) == (learner.news(), other.take())


async def test_slow_reader_gets_what_has_changed_when_they_can_read(stage):
    program = Program(stage, "cat")
    program.screen.keeps_up = False
    await stage.type("ann", "/new tally max=3")
    assert [] == program.news()
    await stage.type("bob", "/sit 1")
    assert [] == program.news()
    program.screen.keeps_up = True

    assert [("table-opened", 1)] == program.news()


async def test_slow_reader_gets_a_new_list_if_too_much_has_changed(stage, monkeypatch):
    monkeypatch.setattr(table_news, "MOST", 1)
    program, other = Program(stage, "cat"), Program(stage, "bob")
    program.screen.keeps_up = False
    for number, name in enumerate(("ann", "bob", "ann"), 1):
        await stage.type(name, "/new tally max=3")
        program.news()
        assert [("table-opened", number)] == other.take()
    program.screen.keeps_up = True

    assert ["tables"] == program.news()
    assert [1, 2, 3] == [*program.list]
    await stage.type("ann", "/new tally private=on max=3 cat")
    assert [("table-opened", 4)] == program.news()


async def test_news_comes_by_itself(stage, monkeypatch):
    monkeypatch.setattr(table_news, "EACH", 0.01)
    program, came = Program(stage, "cat"), asyncio.Event()
    monkeypatch.setattr(program.screen, "packet", lambda packet: packet.name == "table-opened" and came.set())
    await stage.type("ann", "/new tally max=3")

    await asyncio.wait_for(came.wait(), DEADLINE)


async def test_program_that_stops_following_is_told_nothing(stage):
    program = Program(stage, "cat")
    program.user.follow_tables(on=False)
    await stage.type("ann", "/new tally max=3")
    stage.host.tables.news.tell()

    assert [] == program.take()


async def test_nothing_is_kept_for_a_program_that_has_left(stage):
    news = stage.host.tables.news
    Program(stage, "cat")
    await stage.type("ann", "/new tally max=3")
    stage.drop("cat")
    del stage.screens["cat"], stage.people["cat"]
    gc.collect()
    news.tell()

    assert (0, 0, 0) == (len(news._readers), len(news._facts), len(news._public))
    await stage.type("bob", "/new tally max=3")
    assert {} == news._changed
