"""Talk is stored before it is shown: nobody reads a line that a killed server has lost."""

import asyncio
import signal
from functools import partial

import pytest

from lilygames.chat.talk import history
from lilygames.chat.talk.history import of_person, of_room, read_batch
from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.telnet import listen
from lilygames.edge.wire import output_gate
from lilygames.edge.wire.limits import Limits
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import furnish
from lilygames.store import StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.toys import TOYS
from tests.wire.reload.test_reload import came, ended, served

QUICKLY = Limits(lines_per_second=1e6, bytes_per_second=10**9)
LINES = 101


class Disk(MemoryStore):
    """A store that answers only while it is fast, and fails while it is broken. Logs that aren't `slow` don't wait."""

    def __init__(self):
        super().__init__()
        self.slow = (of_room(""), of_person(""))
        self.fast = asyncio.Event()
        self.fast.set()
        self.broken = False

    async def append(self, log, *args, **more):
        await self._written(log)
        return await super().append(log, *args, **more)

    async def append_each(self, drafts, **more):
        await self._written(*drafts)
        return await super().append_each(drafts, **more)

    async def _written(self, *logs):
        if any(log.startswith(self.slow) for log in logs):
            if self.broken:
                raise StoreUnavailable("broken")
            await self.fast.wait()


@pytest.fixture
def disk():
    return Disk()


@pytest.fixture
async def port(disk, monkeypatch):
    """A server in this process, which waits for its disk as long as it takes."""
    monkeypatch.setattr(output_gate, "LONGEST_WAIT", 1e6)
    place = await furnish(disk, SETTINGS, TOYS)
    server = await listen("127.0.0.1", 0, partial(visit, place.host, place.dispatcher), admission=Admission(QUICKLY))
    yield server.port
    disk.fast.set()
    await server.close(grace=0.5)


async def logged_in(dial, port, *names):
    """Log guests in, and return their clients once each has read all of the arrivals."""
    clients = []
    for name in names:
        clients.append(await dial(port, "silent"))
        clients[-1].type(name)
        await clients[-1].expect("guest: ")
        clients[-1].type("")
        await clients[-1].expect("You're in the lobby")
        for other in clients[:-1]:
            await other.expect(f"{name} has entered")
    return clients


@pytest.mark.parametrize("line", ["secret plan", "Bob;secret plan", "Bob,lobby;secret plan"])
async def test_nobody_reads_a_message_before_it_is_stored(disk, port, dial, line):
    """A private one has to be stored in the log of both people."""
    ann, bob = await logged_in(dial, port, "Ann", "Bob")
    disk.fast.clear()
    ann.type(line)
    ann.type("/why")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bob.expect("secret plan"), 0.2)
    disk.fast.set()

    await bob.expect(" - secret plan")
    shown = await ann.expect("(why not?)")
    assert "(message sent to " in shown


@pytest.mark.parametrize("late", ["ann", "bob"])
async def test_nobody_reads_a_message_that_is_stored_in_only_one_of_its_logs(disk, port, dial, late, monkeypatch):
    """A message to many people is written with several calls of the store."""
    monkeypatch.setattr(history, "TOGETHER", 1)
    ann, bob = await logged_in(dial, port, "Ann", "Bob")
    disk.slow = of_person(late)
    disk.fast.clear()
    ann.type("Bob;secret plan")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bob.expect("secret plan"), 0.2)
    disk.fast.set()

    await bob.expect(" - secret plan")


async def test_everything_stays_in_order_while_talk_is_stored(disk, port, dial):
    ann, bob, cat = await logged_in(dial, port, "Ann", "Bob", "cat")
    disk.fast.clear()
    for number in range(3):
        ann.type(f"first {number}")
        bob.type(f"second {number}")
        cat.type(f"/blurb {number}")
    ann.type("/bye")
    await asyncio.sleep(0.1)
    disk.fast.set()
    await cat.expect("Ann has left")
    shown = await bob.expect("Ann has left")

    assert [f" - first {number}" for number in range(3)] == [row for row in shown.split("\n") if " - first" in row]
    assert "Goodbye." in await ann.until_gone()


async def test_talk_goes_on_while_nothing_can_be_stored(disk, port, dial):
    ann, bob = await logged_in(dial, port, "Ann", "Bob")
    disk.broken = True
    ann.type("is it broken?")

    await bob.expect(" - is it broken?")
    bob.type("it seems so")
    await ann.expect(" - it seems so")
    disk.broken = False


async def test_output_is_shown_in_the_end_if_the_store_never_answers(disk, port, dial, monkeypatch):
    monkeypatch.setattr(output_gate, "LONGEST_WAIT", 0.05)
    ann, bob = await logged_in(dial, port, "Ann", "Bob")
    disk.fast.clear()
    ann.type("is it slow?")

    await bob.expect(" - is it slow?")


async def test_no_line_that_anyone_has_read_is_lost_when_the_server_is_killed(tmp_path, dial):
    place = await served(tmp_path / "data")
    ann, bob = await came(dial, place, "Ann", manner="silent"), await came(dial, place, "Bob", manner="silent")
    for number in range(LINES):
        ann.type(f"line {number} of ann")
        if number % 5 == 0:
            await asyncio.sleep(0.01)
    await bob.expect(f" - line {LINES // 2} of ann")
    ann.type("the last one")
    await bob.expect(f" - line {LINES - 1} of ann")
    shown = {f"line {number} of ann" for number in range(LINES)}
    place.process.send_signal(signal.SIGKILL)
    await ended(place)
    store = SqliteStore.open(tmp_path / "data" / "lilygames.db")
    entries = (await store.read(of_room("lobby"))).entries
    await store.close()

    stored = {one.text for entry in entries for one in read_batch(entry)}
    assert set() == shown - stored
