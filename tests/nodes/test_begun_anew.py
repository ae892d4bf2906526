"""A node of several becomes another process: those whom it serves miss nothing that others do meanwhile."""

from __future__ import annotations

from functools import partial
from operator import add

import pytest

from lilygames.bus.local import LocalBus
from lilygames.chat.handover_state import attach, carry, take_up
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.nodes.heartbeat import LOOKS, SILENCE
from lilygames.nodes.remote_terminal import Post, opened, topic_of
from lilygames.server.place import Before, furnish
from lilygames.text import Line
from tests.toys import TOYS

HELLO, AGAIN = (Line("hello"),), (Line("hello again"),)


class Reload:
    """A node on its way from one process to the next."""

    def __init__(self, stage, store, bus):
        self.stage, self.store, self.bus = stage, store, bus

    async def begin(self):
        """Let the process before stop, as `handover.hand_on` does it."""
        place = self.stage.place
        for bot in place.tables.open.values():
            bot.runner.sleep()
        await place.node.make_way()
        await self.stage.quiet()
        self.bus.close = self._stays
        await place.node.end()
        self.people = [carry(place.host, person) for person in place.host.people.values() if person.near]
        self.tables = [bot.carry() for bot in place.tables.open.values()]

    async def _stays(self):
        """Leave the bus open, which both nodes of this process are at."""

    async def end(self):
        """Let the next process take over, as `handover.take_over` does it, and return its stage."""
        before = Before(self.stage.place.node.name, {table.number: table.seq for table in self.tables})
        place = await furnish(self.store, SETTINGS, TOYS, bus=self.bus, before=before)
        after = Stage(place)
        for kept in self.people:
            after.people[kept.name] = await take_up(place.host, kept)
        for table in self.tables:
            place.tables.open[table.number].take_up(table)
        for kept in self.people:
            after.screens[kept.name] = self.stage.screens[kept.name]
            attach(place.host, after.people[kept.name], after.screens[kept.name])
        await place.wake()
        return after


@pytest.fixture
async def reload(two, store, quiet):
    """Two nodes at which ann and bob play, bob being asked, and what lets ann's node begin anew."""
    here, there = two
    here.enter("ann")
    there.enter("bob")
    await quiet(*two)
    await here.type("ann", "/new tally max=3 first-dealer=host bob")
    await quiet(*two)
    await there.type("bob", "/sit tally")
    await quiet(*two)
    here.screens["ann"].take()
    return Reload(here, store, here.place.node._bus)


@pytest.fixture
async def ended(reload, two, quiet):
    """What lets the next process take over, and ends that one too."""
    begun = []

    async def end():
        begun.append(await reload.end())
        await quiet(begun[0], two[1])
        return begun[0]

    yield end
    for stage in begun:
        await stage.place.node.end()


async def test_what_is_played_elsewhere_meanwhile_is_told_once(reload, ended, two):
    """The next process tells on from the entry told last, and asks for the move that is due."""
    await reload.begin()
    await two[1].type("bob", "/bid 0")
    after = await ended()
    shown = after.screens["ann"].take()

    assert 1 == sum("bob bids 0" in row for row in shown)
    assert 1 == sum("Your turn: " in row for row in shown)


async def test_what_is_said_elsewhere_meanwhile_is_read_once(reload, ended, two, quiet):
    """Other nodes keep what they have for people of a node that makes way, and send it to the next, in order."""
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

    assert [" - before", " - meanwhile", " - psst", " - afterwards"] == said


async def test_people_are_still_there_for_others_when_the_next_process_takes_long(reload, two, quiet):
    """Longer than a silent node may take: nobody says that their lines dropped, and what is said is kept for them."""
    other = two[1].place.node
    await quiet(*two)
    await reload.begin()
    await quiet(two[1])
    other.beats._now = partial(add, other.beats._now(), 2 * SILENCE)
    for _ in range(LOOKS):
        await other._look()

    assert two[1].place.host.people["ann"].here
    assert not [row for row in two[1].screens["bob"].take() if "dropped" in row]


async def test_a_beat_before_people_have_their_terminals_tells_nobody_that_they_are_gone(reload, store, quiet, two):
    """Other nodes would drop what they have for them until they hear otherwise."""
    await reload.begin()
    (ann,) = reload.people
    place = await furnish(store, SETTINGS, TOYS, bus=reload.bus, before=Before(two[0].place.node.name, {}))
    await take_up(place.host, ann)
    await place.node._look()
    await place.node.roster.finish()

    assert '"here":true' in store._records["here"]["ann"]
    await place.node.end()


async def test_a_table_that_ends_meanwhile_is_told_to_its_end(reload, ended, two, quiet):
    """All who sit there learn how it ended, whichever node serves them."""
    there = two[1]
    there.enter("cat")
    await there.type("cat", "/quick high")
    await quiet(*two)
    await reload.stage.type("ann", "/watch high")
    reload.stage.screens["ann"].take()
    await reload.begin()
    bot = next(bot for bot in there.place.tables.open.values() if bot.table.game.name == "high")
    for _ in range(200):
        if bot.over:
            break
        await there.type("cat", f"/at high {next(iter(bot.words(there.people['cat'])), 'table')}")
    after = await ended()
    shown = after.screens["ann"].take()

    assert bot.over
    assert 1 == sum("[high] Game over: " in row for row in shown)
    assert [1] == [*after.place.tables.open]


async def test_a_table_opened_meanwhile_is_there(reload, ended, two):
    await reload.begin()
    two[1].enter("cat")
    await two[1].type("cat", "/new high")
    after = await ended()

    assert ["high", "tally"] == sorted(bot.room.name for bot in after.place.tables.open.values())


async def test_what_is_queued_is_done_by_the_next_process(reload, ended, two, quiet):
    """`/queue`: the move is made at the next turn, whoever brings that about."""
    await reload.stage.type("ann", "/queue bid 1")
    await reload.begin()
    await two[1].type("bob", "/bid 1")
    after = await ended()

    assert any(row.startswith("[tally] You bid 1.") for row in after.screens["ann"].take())


async def test_a_number_picks_from_the_list_that_the_process_before_has_shown(reload, ended, two, quiet):
    """A number is bound to the list last shown, and that list still holds."""
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

    assert any(row.startswith("[tally] You play ") for row in told)


async def test_the_numbers_stay_with_the_question_that_had_them(reload, ended, two, quiet):
    """Two tables wait for ann; the next process knows which of the two is on her screen, and what /moves has shown."""
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
    assert any(row.startswith("[tally] You bid 1.") for row in await after.type("ann", "1"))


async def test_a_node_that_makes_way_waits_for_nobody_who_is_silent(two):
    """A node that does not answer keeps nobody from beginning anew."""
    here, there = two
    for task in there.place.node._tasks:
        task.cancel()
    await here.place.node.make_way()

    assert set() == here.place.node._holding


async def test_a_post_keeps_what_comes_behind_its_last_word(quiet):
    """The last word says that all before it has been sent; the next node gets the rest."""
    bus = LocalBus()
    heard = {node: bus.subscribe(topic_of(node)) for node in ("old", "new")}
    post = Post(bus)
    post.lines("old", "ann", HELLO)
    post.hold("old", "me")
    post.lines("old", "ann", AGAIN)
    await post.finish()
    post.moved("old", "new")
    post.lines("old", "ann", HELLO)
    await post.finish()
    told = {
        node: [opened(hint)[1] for hint in hints._waiting if isinstance(hint, bytes)] for node, hints in heard.items()
    }

    assert [HELLO, "me"] == [getattr(what, "node", what) for what in told["old"]]
    assert [AGAIN, HELLO] == told["new"]


async def test_nothing_is_kept_for_a_node_that_is_long_dead():
    post = Post(LocalBus())
    post.hold("old", "me")
    post.lines("old", "ann", HELLO)
    post.forget("old")

    assert {} == post._held
    await post.finish()
