"""/unregister: what it says first, seven days to reconsider, and one node that carries it out."""

import asyncio
from contextlib import suppress

import attrs
import pytest

from lilygames.bus.local import LocalBus
from lilygames.chat.visits.session import visit
from lilygames.gametest.stage import SETTINGS, Stage, secrets_from
from lilygames.privacy.deletions import AGAIN, PASSES, TAKEN
from lilygames.privacy.personal_data import WISHES
from lilygames.server.place.place import furnish
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.wrapper import Through
from tests.chat.conftest import Typist
from tests.clock import Clock
from tests.privacy.conftest import DAY, SUNDAY
from tests.toys import TALLY

PASSWORD = "plums and pears"


@pytest.fixture
def clock():
    return Clock(SUNDAY)


@pytest.fixture
def store(clock):
    return MemoryStore(clock)


@pytest.fixture
def opened(store, clock, tmp_path):
    """Return a function that opens a place on the store, as a start or another node does."""

    async def opened(bus=None, over=None):
        settings = attrs.evolve(SETTINGS, data=tmp_path)
        salts = secrets_from("salt")
        return await furnish(over or store, settings, TALLY, secrets_from("1"), bus, clock=clock, new_salt=salts)

    return opened


@pytest.fixture
async def place(opened):
    """A place where quux is registered."""
    place = await opened()
    await typed(place, "quux", PASSWORD, PASSWORD)
    return place


async def typed(place, *lines):
    """Type lines at the login prompt, disconnect, and return the answer without line breaks."""
    terminal = Typist(*lines, None)
    await visit(place.host, place.dispatcher, terminal)
    return " ".join(" ".join(terminal.rows).split())


async def asked(place):
    return await typed(place, f"quux {PASSWORD}", "/unregister yes", PASSWORD)


async def exists(place):
    return await place.host.accounts.get("quux") is not None


async def test_unregister_says_first_what_goes_and_what_stays(place, store):
    told = await typed(place, f"quux {PASSWORD}", "/unregister")

    assert "/unregister yes deletes your account 7 days later. If you log in before then, you keep it." in told
    assert "finished games, and the results of others" in told
    assert "Nobody else can take your name for 365 days." in told
    assert {} == await store.every(WISHES)


async def test_account_is_deleted_after_seven_days_and_not_before(place, clock):
    told = await asked(place)
    clock.now += 7 * DAY - 1
    await place.deletions.look()
    assert await exists(place)
    clock.now += 1
    await place.deletions.look()

    assert "(Your account will be deleted in 7 days. Log in before then to keep it. Goodbye.)" in told
    assert not await exists(place)


async def test_login_keeps_the_account(place, clock):
    await asked(place)
    clock.now += 6 * DAY
    told = await typed(place, f"quux {PASSWORD}")
    clock.now += 6 * DAY
    await place.deletions.look()

    assert "(You logged in, so your account won't be deleted." in told
    assert await exists(place)


async def test_request_ends_all_sessions(place, store):
    await asked(place)

    assert {} == await store.every("session")


@pytest.mark.parametrize(
    ("word", "why"), [("wrong", "that isn't your password"), ("", "no password was typed, so nothing has changed")]
)
async def test_deletion_needs_the_password(place, store, word, why):
    told = await typed(place, f"quux {PASSWORD}", "/unregister yes", word)

    assert why in told
    assert {} == await store.every(WISHES)


async def test_guest_has_nothing_to_delete(place):
    assert "you're a guest, so nothing is kept" in await typed(place, "guest", "/unregister")


async def test_second_pass_ends_a_deletion(place, store, clock):
    """Then the name isn't even in the record of the wish."""
    await asked(place)
    clock.now += 7 * DAY
    await place.deletions.look()
    assert ["quux"] == [*await store.every(WISHES)]
    clock.now += AGAIN
    await place.deletions.look()

    assert PASSES == 2
    assert {} == await store.every(WISHES)
    assert [] == [text for text in texts(store) if "quux" in text]


def texts(store):
    """Return all keys and texts in a store."""
    records = [(kind, key, body) for kind, some in store.records.items() for key, body in some.items()]
    entries = [(name, one.by, one.body) for name, log in store.entries.items() for one in log]
    return [" ".join(row).casefold() for row in (*records, *entries)]


# several nodes


async def test_one_of_two_nodes_deletes_an_account_and_both_forget_it(opened, store, clock):
    bus = LocalBus()
    nodes = [await opened(bus), await opened(bus)]
    await typed(nodes[0], "quux", PASSWORD, PASSWORD)
    await settled()
    await asked(nodes[0])
    assert ["quux"] == [*nodes[1].host.accounts.names]
    clock.now += 7 * DAY
    for _ in range(PASSES):
        await asyncio.gather(*(node.deletions.look() for node in nodes))
        clock.now += AGAIN
    await settled()
    for node in nodes:
        await node.node.look()  # a slow test has had a heartbeat that names the person

    assert 1 == (await store.heads(["deletions"]))["deletions"]
    for node in nodes:
        assert {} == node.host.accounts.names
        assert not node.host.accounts.is_known("quux")
        assert node.host.accounts.deleted.is_reserved("quux", clock())
    assert [] == [text for text in texts(store) if "quux" in text]
    for node in nodes:
        await node.node.end()


async def test_heartbeats_do_not_name_a_deleted_person(opened, store):
    bus = LocalBus()
    nodes = [await opened(bus), await opened(bus)]
    await typed(nodes[0], "quux", PASSWORD, PASSWORD)
    await settled()
    await nodes[0].node.look()
    named = [text for text in store.records["node"].values() if "quux" in text]
    await nodes[1].deletions.delete("quux")
    await settled()
    for node in nodes:
        await node.node.look()

    assert 1 == len(named)
    assert [] == [text for text in store.records["node"].values() if "quux" in text]
    for node in nodes:
        await node.node.end()


async def test_person_on_another_node_is_disconnected(opened, clock):
    bus = LocalBus()
    here, there = await opened(bus), await opened(bus)
    await typed(here, "quux", PASSWORD, PASSWORD)
    await settled()
    stage = Stage(there)
    screen = stage.enter("quux")
    await settled()
    await here.deletions.delete("quux")
    await settled()

    assert screen.closed
    for node in (here, there):
        await node.node.end()


async def settled():
    """Let nodes hear of each other's changes."""
    for _ in range(300):
        await asyncio.sleep(0)


async def test_deletion_of_a_dead_node_goes_on_at_another(place, opened, store, clock):
    await asked(place)
    clock.now += 7 * DAY

    class Dies(Through):
        async def erase(self, log):
            raise StoreUnavailable(log)

    dying = await opened(over=Dies(store))
    with pytest.raises(StoreUnavailable):
        await dying.deletions.look()
    await place.deletions.look()
    assert await exists(place)
    clock.now += TAKEN
    await place.deletions.look()

    assert not await exists(place)
    assert 1 == (await store.heads(["deletions"]))["deletions"]


class Fails(Through):
    """A store that fails at one of its writes."""

    def __init__(self, store, at):
        super().__init__(store)
        self.left = at

    def count(self):
        self.left -= 1
        if not self.left:
            raise StoreUnavailable("killed here")

    async def append(self, log, expected, drafts, **more):
        self.count()
        return await super().append(log, expected, drafts, **more)

    async def swap(self, kind, key, old, new):
        self.count()
        return await super().swap(kind, key, old, new)

    async def keep(self, kind, key, body):
        self.count()
        await super().keep(kind, key, body)

    async def forget(self, kind, key):
        self.count()
        await super().forget(kind, key)

    async def rewrite(self, log, entries):
        self.count()
        await super().rewrite(log, entries)

    async def erase(self, log):
        self.count()
        await super().erase(log)


@pytest.mark.parametrize("at", range(1, 40, 3))
async def test_deletion_that_is_killed_at_any_write_is_finished_later(place, opened, store, clock, at):
    await typed(place, f"quux {PASSWORD}", "hello", "/blurb here", "/create cellar", "/memo set a b", "/vacation 2")
    await place.kept()
    await asked(place)
    clock.now += 7 * DAY
    over = Fails(store, 0)
    dying = await opened(over=over)
    over.left = at
    with suppress(StoreUnavailable):
        await dying.deletions.look()
    again = await opened()
    for _ in range(PASSES):
        clock.now += TAKEN
        await again.deletions.look()

    assert [] == [text for text in texts(store) if "quux" in text]
    assert 1 == (await store.heads(["deletions"]))["deletions"]
