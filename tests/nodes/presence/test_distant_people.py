"""People on other nodes who aren't known in full: nobody notices, and a node is spared their cost."""

from __future__ import annotations

import asyncio

import attrs
import pytest

from lilygames.bus.local import LocalBus
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.nodes import follow
from lilygames.nodes.order.changes import Heard
from lilygames.nodes.presence.remote_people import RemotePeople
from lilygames.nodes.room_talk import RoomTalk
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS

CLOCK = 1_000_000.0


async def opened(quiet, lobby_people=1):
    """Return two nodes: ann is at the first, bob, cat and dan at the other. Each is in a lobby of their own."""
    store, bus, settings = MemoryStore(), LocalBus(), attrs.evolve(SETTINGS, lobby_people=lobby_people)
    two = [
        await Stage.open(TOYS, store=store, seed=seed, bus=bus, settings=settings, clock=lambda: CLOCK) for seed in "ab"
    ]
    await quiet(*two)
    for name, stage in (("ann", two[0]), ("bob", two[1]), ("cat", two[1]), ("dan", two[1])):
        for node in two:
            node.accounts.names[name] = name
        stage.enter(name)
        await quiet(*two)
    for stage in two:
        for screen in stage.screens.values():
            screen.take()
    return two


@pytest.fixture
async def two(quiet):
    nodes = await opened(quiet)
    yield nodes
    for stage in nodes:
        await stage.node.end()


def distant(stage):
    """Return the names of people whom a node doesn't know in full."""
    return {name for name in stage.host.people if stage.host.people.distant(name)}


async def test_people_who_share_no_room_with_anybody_here_are_distant(two):
    here, there = two

    assert {"bob", "cat", "dan"} == distant(here)
    assert {"ann"} == distant(there)


async def test_checks_and_moves_make_nobody_known(two, quiet):
    """Only someone who looks at people needs them."""
    here, there = two
    await there.type("bob", "/new coin")
    await there.type("cat", "/sit 1")
    await quiet(*two)
    for stage in two:
        await stage.node.look()
        await stage.node.follower.look()
        await stage.node.room_talk.look()
        await stage.tables.restoring.sweep()
        stage.host.announce("dinner")
    await quiet(*two)

    assert {"dan"} <= distant(here)
    assert {"ann"} == distant(there)


async def test_seat_at_a_table_of_another_node_makes_nobody_else_known(two, quiet, monkeypatch):
    """All nodes follow a table that waits for players."""
    monkeypatch.setattr(follow, "MOMENT", 0)
    here, there = two
    await there.type("bob", "/new tally")
    await quiet(*two)
    await there.type("cat", "/sit 1")
    await quiet(*two)

    assert 1 in here.open_tables
    assert "dan" in distant(here)
    assert {"ann"} == distant(there)


async def test_rooms_without_people_of_a_node_are_not_checked(two, quiet, monkeypatch):
    here, _ = two
    weighed = []
    monkeypatch.setattr(RoomTalk, "_weigh", lambda _, room: weighed.append(room.name))
    await here.node.room_talk.look()

    assert ["lobby"] == weighed


LINES = (
    "/who",
    "/who all",
    "/who away",
    "/who here",
    "/who lobby-3",
    "/who c",
    "/what",
    "/what lobby-3",
    "/rooms",
    "/where bob",
    "/where b",
    "/finger bob",
    "/how",
    "/idle",
    "/info bob",
    "bob;hello",
    "~b;hello",
    "bob,dan;hello",
    "-lobby-5;hello",
    "/tell cat hello",
    "/friend add bob",
    "/ignore bob",
    "/ignore by others",
    "/block bob",
    "/join lobby-3",
    "/away",
    "/new coin bob",
    "/seek tally 2 games<5",
    "/simul tally 2",
    "/rename bob",
    "/report bob for shouting",
    "nobody;hello",
)


@pytest.mark.parametrize(
    "line",
    [
        "/seek tally 2",
        "/simul tally 2",
        "/who away",
        "/who nobody",
        "/idle 2",
        "/ignore by others",
        "/how",
    ],
)
async def test_line_about_everyone_makes_nobody_known(two, quiet, line):
    here, there = two
    here.people["ann"].set_guest(guest=False)
    await here.type("ann", line)
    await quiet(*two)

    assert {"bob", "cat", "dan"} == distant(here)
    if line.startswith("/s"):
        assert [True] * 3 == ["/sit tally" in " ".join(there.screens[name].take()) for name in ("bob", "cat", "dan")]


@pytest.mark.parametrize("line", LINES)
async def test_line_does_the_same_to_people_who_are_distant(quiet, line, monkeypatch):
    read = []
    for is_spared in (True, False):
        if not is_spared:
            monkeypatch.setattr(RemotePeople, "_may_be_distant", lambda *_: False)
        two = here, there = await opened(quiet)
        assert ({"bob", "cat", "dan"} if is_spared else set()) == distant(here)
        await there.type("cat", "/away")
        await there.type("dan", "/blurb hungry")
        await quiet(*two)
        rows = await here.type("ann", line)
        await quiet(*two)
        read.append((sorted(rows), {name: screen.take() for name, screen in there.screens.items()}))
        for stage in two:
            await stage.node.end()

    assert read[0] == read[1]


async def test_person_who_enters_a_room_knows_everyone_there(two, quiet):
    here, there = two
    rows = await here.type("ann", "/join lobby-3")
    await quiet(*two)
    await there.type("bob", "hello")
    await quiet(*two)

    assert {"cat", "dan"} == distant(here)
    assert "bob" in " ".join(rows)
    assert " - hello" in here.screens["ann"].take()


async def test_person_who_leaves_is_gone_and_their_lobby_closes(two, quiet):
    here, there = two
    there.drop("bob")
    await quiet(*two)

    assert {"ann", "cat", "dan"} == {*here.host.people}
    assert "lobby-3" not in here.rooms
    assert 3 == here.host.people.number_here


async def test_person_with_friends_or_rules_about_others_is_known_everywhere(two, quiet):
    """Their friends' logins have to reach them, for instance."""
    here, there = two
    await there.type("bob", "/friend add ann")
    await there.type("cat", "/ignore ann")
    await quiet(*two)
    assert {"dan"} == distant(here)
    here.drop("ann")
    await quiet(*two)
    there.screens["bob"].take()
    here.enter("ann")
    await quiet(*two)

    assert "*** ann, your friend, has entered lily ***" in there.screens["bob"].take()


async def test_newcomers_count_people_who_are_distant(two):
    """The first lobby is full, with one person of another node."""
    _, there = two
    there.enter("eve")

    assert {"ann"} == distant(there)
    assert "lobby-9" == there.people["eve"].room.name


class TogetherStore(MemoryStore):
    """A store that answers who asks for a profile once as many have asked as it was told."""

    def __init__(self):
        super().__init__()
        self.together = 0
        self.asked = asyncio.Event()

    async def find(self, kind, key):
        if kind == "belongings" and self.together:
            self.together -= 1
            if not self.together:
                self.asked.set()
            await self.asked.wait()
        return await super().find(kind, key)


@pytest.mark.parametrize("are_many", [False, True])
async def test_node_that_starts_reads_all_profiles_together_and_knows_nobody_in_full(quiet, monkeypatch, are_many):
    """A heartbeat names the last people. If there were more, the records of all are read."""
    if are_many:
        monkeypatch.setattr(Heard, "missed", lambda *_: None)
    store, bus, settings = TogetherStore(), LocalBus(), attrs.evolve(SETTINGS, lobby_people=1)
    there = await Stage.open(TOYS, store=store, seed="a", bus=bus, settings=settings)
    for name in ("bob", "cat", "dan"):
        there.enter(name)
        await there.type(name, f"/blurb I am {name}")
    await quiet(there)
    await there.host.profiles.finish()
    await there.node.look()
    store.together = 3
    here = await Stage.open(TOYS, store=store, seed="b", bus=bus, settings=settings)

    assert {"bob", "cat", "dan"} == distant(here)
    assert "I am cat" == here.host.people.distant("cat").profile.blurb
    for stage in (here, there):
        await stage.node.end()


async def test_message_to_everyone_reaches_people_whom_the_node_does_not_know(two, quiet):
    here, there = two
    here.host.tell_all(here.people["ann"].did("pa", text="dinner"), but=here.people["ann"])
    await quiet(*two)

    rows = {name: screen.take() for name, screen in there.screens.items()}
    assert {"bob", "cat", "dan"} == {name for name, said in rows.items() if "dinner" in " ".join(said)}


async def test_people_of_a_dead_node_are_gone(two):
    here, there = two
    gone = here.node.roster.lost([there.node.name])

    assert 3 == gone
    assert ["ann"] == [*here.host.people]
    assert 1 == here.host.people.number_here


async def test_person_who_logs_in_where_they_were_distant_has_what_is_theirs(two, quiet):
    here, there = two
    await there.type("bob", "/blurb hungry")
    await quiet(*two)
    await here.host.meet("bob")
    here.enter("bob")
    await quiet(*two)

    assert "hungry" == here.people["bob"].profile.blurb
    assert there.screens["bob"].closed
    assert {"bob": "bob"} == {name: one.name for name, one in here.host.people.items() if name == "bob"}
