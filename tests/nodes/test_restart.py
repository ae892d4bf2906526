"""Test a restart of one node of several: its people miss nothing that happens on the others meanwhile."""

from __future__ import annotations

import asyncio
import json
import threading
from functools import partial
from operator import add

import pytest

from lilygames.bus import Reconnected, Subscription
from lilygames.bus.local import LocalBus
from lilygames.chat.visits.handover_state import attach, carry, take_up
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.nodes import node as nodes
from lilygames.nodes.membership.heartbeat import LATE, LOOKS, SILENCE
from lilygames.nodes.order.predecessor import Predecessor
from lilygames.nodes.presence.remote_terminal import Post, opened, topic_of
from lilygames.privacy import deletion_list
from lilygames.server.place.place import Before, furnish
from lilygames.text import Line
from tests.deadline import DEADLINE
from tests.nodes.conftest import rooms_of_tables, settled
from tests.toys import TOYS

HELLO, AGAIN = (Line("hello"),), (Line("hello again"),)


class Reload:
    """A node that restarts."""

    def __init__(self, stage, store, bus, *, at_once):
        self.stage, self.store, self.bus, self.at_once = stage, store, bus, at_once

    async def begin(self):
        """Stop the first process, as `handover.hand_on` does."""
        place = self.stage.place
        for bot in place.tables.open.values():
            bot.runner.sleep()
        await place.node.make_way()
        await self.stage.quiet()
        await place.history.finish()
        self.bus.close = self._stays
        await place.node.end()
        self.people = [carry(place.host, person) for person in place.host.people.values() if person.local]
        self.tables = [bot.carry() for bot in place.tables.open.values()]

    async def _stays(self):
        """Leave the bus open: both nodes of this test use it."""

    async def end(self, line=""):
        """Start the next process, as `handover.take_over` does, and return its stage.

        Ann types a line as soon as she can.
        """
        node = self.stage.node
        before = Before(
            {table.number: table.seq for table in self.tables},
            Predecessor(node.name, node.arrived),
            node.room_talk.places,
        )
        place = await furnish(self.store, SETTINGS, TOYS, bus=self.bus, before=before, at_once=self.at_once)
        assert self.at_once == bool(place.tables.open)
        after = Stage(place)
        for kept in self.people:
            after.people[kept.name] = await take_up(place.host, kept)
        place.tables.carried_over.take_up(self.tables)
        for kept in self.people:
            after.screens[kept.name] = self.stage.screens[kept.name]
            attach(place.host, after.people[kept.name], after.screens[kept.name])
        place.node.room_talk.go_on()
        if line:
            await after.type("ann", line)
        await place.wake()
        await place.tables.unrestored.finish()
        return after


@pytest.fixture(params=[True, False], ids=["tables at once", "tables later"])
async def reload(request, two, store, quiet):
    """Two nodes where ann and bob play and it is bob's turn, and a function that restarts ann's node."""
    here, there = two
    here.enter("ann")
    there.enter("bob")
    await quiet(*two)
    await here.type("ann", "/new tally max=3 first-dealer=host bob")
    await quiet(*two)
    await there.type("bob", "/sit tally")
    await quiet(*two)
    here.screens["ann"].take()
    return Reload(here, store, here.node._bus, at_once=request.param)


@pytest.fixture
async def ended(reload, two, quiet):
    """A function that starts the next process, and stops it after the test."""
    begun = []

    async def end(line=""):
        begun.append(await reload.end(line))
        await quiet(begun[0], two[1])
        return begun[0]

    yield end
    for stage in begun:
        await stage.node.end()


async def test_moves_on_other_nodes_are_told_once_after_a_restart(reload, ended, two):
    """The next process continues after the last entry told, and asks for the move that is due."""
    await reload.begin()
    await two[1].type("bob", "/bid 0")
    after = await ended()
    shown = after.screens["ann"].take()

    assert 1 == sum("bob bids 0" in row for row in shown)
    assert 1 == sum("Your turn: " in row for row in shown)


async def test_talk_on_other_nodes_is_read_once_after_a_restart(reload, ended, two, quiet):
    """Other nodes hold back messages for people of a restarting node, and send them to the next process in order."""
    await two[1].type("bob", "/join tally")
    await two[1].type("bob", "before")
    await quiet(*two)
    await reload.begin()
    await two[1].type("bob", "meanwhile")
    await two[1].type("bob", "ann;psst")
    after = await ended()
    await two[1].type("bob", "afterwards")
    await quiet(after, two[1])
    said = [row for row in after.screens["ann"].take() if row.startswith(" - ")]

    said.remove(" - psst")  # a private message has no place among those of a room
    assert [" - before", " - meanwhile", " - afterwards"] == said


async def test_line_typed_as_soon_as_a_restart_is_over_is_read_after_those_said_meanwhile(reload, ended, two, quiet):
    """Both nodes show the order in which the store has them."""
    here, there = two
    here.enter("cat")
    there.enter("dan")
    await here.type("cat", "/join tally")
    await there.type("dan", "/join tally")
    await there.type("bob", "/join tally")
    await quiet(*two)
    for stage in two:
        await stage.node.room_talk.look()
    await quiet(*two)
    await reload.begin()
    await there.type("bob", "meanwhile")
    await quiet(there)
    after = await ended("-tally;at once")
    await quiet(after, there)
    told = [row for screen in (after.screens["cat"], there.screens["dan"]) for row in screen.take()]

    assert [" - meanwhile", " - at once"] * 2 == [row for row in told if row.startswith(" - ")]


async def test_private_message_is_read_although_the_bus_lost_the_news_of_the_restart(
    reload, ended, two, quiet, monkeypatch
):
    """The next process may start before its bus is connected; its heartbeat says whose messages it takes."""
    await two[1].type("bob", "/join tally")
    await quiet(*two)
    await reload.begin()
    await two[1].type("bob", "ann;meanwhile")
    publish = reload.bus.publish

    async def lose(topic, hint):
        if b'"follows"' not in hint:
            await publish(topic, hint)

    monkeypatch.setattr(reload.bus, "publish", lose)
    after = await ended()
    before = [row for row in after.screens["ann"].take() if row.startswith(" - ")]
    await two[1].node.look()
    await quiet(after, two[1])
    said = [row for row in after.screens["ann"].take() if row.startswith(" - ")]

    assert ([], [" - meanwhile"]) == (before, said)


async def test_talk_in_a_room_is_read_once_although_the_bus_lost_it_before_and_after_a_restart(
    reload, ended, two, quiet, monkeypatch
):
    """The next process knows how far the room's messages were shown, and reads the rest from the store."""
    here, there = two
    for line in ("/join tally", "apples"):
        await there.type("bob", line)
        await quiet(*two)
    publish = reload.bus.publish

    async def lose(topic, hint):
        if not topic.startswith("said/"):
            await publish(topic, hint)

    monkeypatch.setattr(reload.bus, "publish", lose)
    await there.type("bob", "bread")
    await quiet(there)
    before = [row for row in here.screens["ann"].take() if row.startswith(" - ")]
    await here.type("ann", "'at the end")
    await reload.begin()
    await there.type("bob", "cheese")
    after = await ended()
    await there.type("bob", "dates")
    await quiet(after, there)
    await after.node.room_talk.look()
    await quiet(after, there)
    said = [row for row in after.screens["ann"].take() if row.startswith(" - ")]

    assert [" - apples"] == before
    assert [" - bread", " - cheese", " - dates"] == said


@pytest.fixture(params=["", "leaves", "follows"])
async def lossy(request, reload, two, monkeypatch):
    """A bus that loses what is sent to ann's node from now on, and perhaps a message about its restart."""
    publish, topic_before = reload.bus.publish, topic_of(two[0].node.name)
    monkeypatch.setattr(nodes, "WAY", 0.05)  # no answer comes, and no test is to wait for one

    async def lose(topic, hint):
        if topic != topic_before and (not request.param or request.param not in json.loads(hint)):
            await publish(topic, hint)

    return lambda: monkeypatch.setattr(reload.bus, "publish", lose)


async def test_private_messages_that_never_reached_a_node_are_read_after_its_restart(reload, ended, two, quiet, lossy):
    """The next process says how far the one before was told, and gets the rest: once, and in order."""
    await two[1].type("bob", "ann;before")
    await quiet(*two)
    lossy()
    for line in ("lost", "lost, too"):
        await two[1].type("bob", f"ann;{line}")
    await quiet(*two)
    await reload.begin()
    await two[1].type("bob", "ann;meanwhile")
    after = await ended()
    await two[1].node.look()
    await two[1].type("bob", "ann;afterwards")
    await quiet(after, two[1])
    said = [row for row in after.screens["ann"].take() if row.startswith(" - ")]

    assert [" - before", " - lost", " - lost, too", " - meanwhile", " - afterwards"] == said


async def test_talk_that_comes_after_the_wait_for_other_nodes_is_left_to_the_next_process(reload, ended, two, quiet):
    """Its people are sent nothing any more; the count that the next process gets doesn't include it."""
    here, there = two
    await here.node.make_way()
    await here.quiet()
    arrived = here.node.arrived
    late = Post(reload.bus, there.node.name)
    late._sent[here.node.name].count = arrived[there.node.name]
    late.lines(here.node.name, "ann", HELLO)
    await late.finish()
    await here.quiet()

    assert arrived == here.node.arrived
    assert "hello" not in here.screens["ann"].take()


async def test_talk_is_read_although_the_bus_connects_late(reload, ended, two, quiet, monkeypatch):
    """The next process doesn't say that it is there before it hears: messages for it would be lost."""
    await two[1].type("bob", "/join tally")
    await quiet(*two)
    await reload.begin()
    await two[1].type("bob", "meanwhile")
    subscribe, waiting = reload.bus.subscribe, []

    def later(topic):
        waiting.append((topic, Subscription(lambda _: None)))
        return waiting[-1][1]

    monkeypatch.setattr(reload.bus, "subscribe", later)
    starting = asyncio.create_task(ended())
    await quiet(two[1])
    await two[1].node.look()
    await quiet(two[1])
    for topic, deaf in waiting:
        connected = subscribe(topic)
        connected.put = deaf.put
        deaf.put(Reconnected())
    after = await starting
    await two[1].node.look()
    await quiet(after, two[1])

    assert [" - meanwhile"] == [row for row in after.screens["ann"].take() if row.startswith(" - ")]


async def test_people_stay_present_if_a_restart_takes_long(reload, two, quiet):
    """Longer than the timeout: nobody is told that they disconnected, and messages for them are kept."""
    other = two[1].node
    await quiet(*two)
    await reload.begin()
    await quiet(two[1])
    other.beats._now = partial(add, other.beats._now(), 2 * SILENCE)
    for _ in range(LOOKS):
        await other.look()

    assert two[1].host.people["ann"].here
    assert not [row for row in two[1].screens["bob"].take() if "dropped" in row]


async def test_heartbeat_before_people_resume_does_not_report_them_gone(reload, store, quiet, two):
    """Otherwise other nodes would drop their messages."""
    await reload.begin()
    (ann,) = reload.people
    place = await furnish(store, SETTINGS, TOYS, bus=reload.bus, before=Before({}, Predecessor(two[0].node.name)))
    await take_up(place.host, ann)
    await place.node.look()
    await place.node.roster.finish()

    assert '"here":true' in store.records["here"]["ann"]
    await place.node.end()


async def test_end_of_a_table_is_told_after_a_restart(reload, ended, two, quiet):
    """All its players learn how it ended, whichever node serves them."""
    there = two[1]
    there.enter("cat")
    await there.type("cat", "/quick high")
    await quiet(*two)
    await reload.stage.type("ann", "/watch high")
    reload.stage.screens["ann"].take()
    await reload.begin()
    bot = next(bot for bot in there.open_tables.values() if bot.table.game.name == "high")
    for _ in range(200):
        if bot.over:
            break
        await there.type("cat", f"/at high {next(iter(bot.words(there.people['cat'])), 'table')}")
    after = await ended()
    shown = after.screens["ann"].take()

    assert bot.over
    assert 1 == sum("Game over: " in row for row in shown)
    assert [1] == [*after.open_tables]


async def test_table_opened_during_a_restart_is_there(reload, ended, two):
    await reload.begin()
    two[1].enter("cat")
    await two[1].type("cat", "/new high")
    after = await ended()

    assert {1: "tally", 2: "high"} == rooms_of_tables(after)


async def test_queued_move_is_made_after_a_restart(reload, ended, two, quiet):
    """`/queue`: the move is made at the next turn, whatever brings it about."""
    await reload.stage.type("ann", "/queue bid 1")
    await reload.begin()
    await two[1].type("bob", "/bid 1")
    after = await ended()

    assert any(row.startswith("You bid 1.") for row in after.screens["ann"].take())


async def test_number_picks_from_the_list_shown_before_the_restart(reload, ended, two, quiet):
    """Numbers refer to the list shown last, which stays valid."""
    here, there = two
    await there.type("bob", "/bid 0")
    await quiet(*two)
    await here.type("ann", "/bid 0")
    await quiet(*two)
    await there.type("bob", "1")
    await quiet(*two)
    await here.type("ann", "/moves")
    await reload.begin()
    after = await ended()
    told = await after.type("ann", "1")

    assert any(row.startswith("You play ") for row in told)


async def test_numbers_belong_to_the_same_question_after_a_restart(reload, ended, two, quiet):
    """Two tables wait for ann. The next process knows which one is on her screen and what /moves has shown."""
    here, there = two
    await there.type("bob", "/new high ann")
    await here.type("ann", "/sit high")
    await quiet(*two)
    await there.type("bob", "/at tally bid 1")
    await quiet(*two)
    await there.type("bob", "/at high keep")
    await quiet(*two)
    await here.type("ann", "/moves")
    await reload.begin()
    after = await ended()
    ann = after.people["ann"]

    assert ("tally", {1}) == (ann.focus.table().room.name, ann.focus.numbers)
    assert ("high", ["tally", "high"]) == (ann.room.name, [bot.room.name for bot in ann.seats])
    assert any(row.startswith("#1 You bid 1.") for row in await after.type("ann", "1"))


async def test_restarting_node_does_not_wait_for_a_silent_one(two):
    """A node that doesn't answer doesn't stop a restart."""
    here, there = two
    for task in there.node._tasks:
        task.cancel()
    await here.node.make_way()

    assert set() == here.node._holding


async def test_restarting_node_waits_for_one_whose_last_heartbeat_it_has_not_read(two):
    """Each looks every two seconds, so the news may be nearly four seconds old without anything being wrong."""
    here, there = [stage.node for stage in two]
    here.beats._now = partial(add, here.beats._now(), 2 * LATE)
    await there.beats.beat()
    await here.make_way()

    assert {there.name} == here._holding


async def test_messages_after_the_last_one_are_kept_for_the_next_process(quiet):
    """The last message says that everything before it was sent; the next node gets the rest."""
    bus = LocalBus()
    heard = {node: bus.subscribe(topic_of(node)) for node in ("old", "new")}
    post = Post(bus, "one")
    post.lines("old", "ann", HELLO)
    post.hold("old", "me")
    post.lines("old", "ann", AGAIN)
    await post.finish()
    post.moved(Predecessor("old", {"one": 2}), "new")
    post.lines("old", "ann", HELLO)
    await post.finish()
    told = {
        node: [opened(json.loads(hint))[1] for hint in hints._waiting if isinstance(hint, bytes)]
        for node, hints in heard.items()
    }

    assert [HELLO, "me"] == [getattr(what, "node", what) for what in told["old"]]
    assert [AGAIN, HELLO] == told["new"]


@pytest.mark.parametrize(
    ("arrived", "again"),
    [
        ({"one": 1}, ["b", "c", "d", "e"]),
        ({}, ["a", "b", "c", "d", "e"]),
        ({"one": 9}, ["c", "d", "e"]),
    ],
    ids=["some had arrived", "none had arrived", "all had arrived"],
)
async def test_next_process_gets_what_had_not_arrived_then_what_was_not_sent_yet(arrived, again):
    bus = LocalBus()
    heard = bus.subscribe(topic_of("new"))
    post = Post(bus, "one")
    for text in "ab":
        post.lines("old", "ann", (Line(text),))
        await post.finish()
    post.lines("old", "ann", (Line("c"),))
    post.hold("old", "me")
    post.lines("old", "ann", (Line("d"),))
    post.lines("new", "ann", (Line("e"),))
    post.moved(Predecessor("old", arrived), "new")
    await post.finish()
    messages = [json.loads(hint) for hint in heard._waiting if isinstance(hint, bytes)]

    assert again == [line.text for message in messages for line in opened(message)[1]]
    assert [*range(1, len(again) + 1)] == [message["number"] for message in messages]
    assert not post.waits_for_next("old")


async def test_messages_for_a_dead_node_are_dropped():
    post = Post(LocalBus(), "one")
    post.hold("old", "me")
    post.lines("old", "ann", HELLO)
    post.forget("old")

    assert {} == post._held
    await post.finish()


# people who are deleted meanwhile


@pytest.fixture
async def deleted(reload, two, quiet, tmp_path):
    """A function that deletes bob on one of the nodes, although he has a seat, as after a restored backup."""
    await two[0].create_account("bob", "plums and pears")
    await quiet(*two)
    for name, stage in zip("ab", two, strict=True):
        stage.deletions._data = tmp_path / name
        stage.deletions._data.mkdir()

    async def delete(node):
        await node.deletions.delete("bob", sure=True)

    return delete


def stored(store):
    """Return all keys and texts in a store, but for the wishes: the second pass of a deletion ends those."""
    kinds = {kind: some for kind, some in store.records.items() if kind != "unregister"}
    records = [(kind, key, body) for kind, some in kinds.items() for key, body in some.items()]
    entries = [(name, one.by, one.body) for name, log in store.entries.items() for one in log]
    return [" ".join(row) for row in (*records, *entries)]


async def test_deleted_player_is_a_former_player_on_all_nodes(deleted, two, quiet, store):
    await deleted(two[0])
    await quiet(*two)

    assert two[1].screens["bob"].closed
    for stage in two:
        assert ("ann", "former player") == stage.table(1).table.names
        assert "bob" not in stage.host.people
    assert [] == [text for text in stored(store) if "bob" in text]


async def test_slow_disk_of_a_node_that_follows_a_deletion_delays_nothing_else(deleted, two, quiet, monkeypatch):
    free, write = threading.Event(), deletion_list.write

    def slow(folder, *what):
        if folder == two[1].deletions._data:
            free.wait(DEADLINE)
        write(folder, *what)

    monkeypatch.setattr(deletion_list, "write", slow)
    await deleted(two[0])
    await quiet(*two)
    names = two[1].table(1).table.names
    free.set()

    assert ("ann", "former player") == names


async def test_game_with_a_former_player_goes_on_after_a_restart(deleted, reload, ended, two, store):
    await deleted(two[1])
    await settled(*two)
    await reload.begin()
    after = await ended()
    rows = await after.type("ann", "/table")
    await two[1].tables.remote.ready([1])

    assert ("ann", "former player") == after.table(1).table.names
    assert after.table(1).table == two[1].table(1).table
    assert any("former player" in row for row in rows)
    assert [] == [text for text in stored(store) if "bob" in text]


async def test_player_who_is_deleted_during_a_restart_is_a_former_player_after_it(deleted, reload, ended, two):
    await reload.begin()
    await deleted(two[1])
    after = await ended()
    await settled(after, two[1])

    assert ("ann", "former player") == after.table(1).table.names
    assert not any("bob" in row for row in await after.type("ann", "/table"))


async def test_game_with_ids_in_its_log_goes_on_after_a_restart_and_verifies(reload, ended, two, quiet, store):
    await reload.begin()
    after = await ended()
    assert after.table(1).table.header.ids
    assert not any('"bob"' in entry.body for entry in store.entries["table/1"])
    while 1 in after.open_tables:
        table = after.table(1).table
        name = table.seats[table.to_move[0]].name
        stage = after if name == "ann" else two[1]
        await stage.type(name, f"/at 1 {table.game.spell(table.moves(table.to_move[0])[0])}")
        await quiet(after, two[1])
    verdict = " ".join(await after.type("ann", "/verify 1"))

    assert verdict.startswith("Match: ")
