"""A transport and a wire that only record, so that the edge can be tested without a socket."""

import asyncio
from functools import partial

import attrs
import pytest

from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.listener import Visits
from lilygames.edge.connections.telnet import LilyTelnet, listen
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.terminal.crowd import Crowd
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.wire import limits as reading_limits
from lilygames.edge.wire import outbox
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.limits import Limits, Share
from lilygames.gametest.stage import SETTINGS
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from tests.lily_client import LilyClient
from tests.toys import ALL

BOUNDLESS = Limits(lines_per_second=1e9, bytes_per_second=10**9)


class FakeTransport(asyncio.Transport):
    """A transport that keeps each write apart; `taken` is the number of bytes the peer has read, all by default."""

    def __init__(self):
        super().__init__({"peername": ("127.0.0.1", 4711)})
        self.writes = []
        self.says_that_it_waits = lambda: None
        self.stuck = 0
        self.taking = True
        self.reading = True
        self.closed = False
        self.aborted = False

    def write(self, data):
        self.writes.append(bytes(data))
        if not self.taking:
            self.stuck += len(data)

    @property
    def stuck(self):
        """The bytes that wait for the peer."""
        return self._stuck

    @stuck.setter
    def stuck(self, number):
        self._stuck = number
        if number:
            self.says_that_it_waits()

    @property
    def sent(self):
        return b"".join(self.writes)

    def get_write_buffer_size(self):
        return self.stuck

    def set_write_buffer_limits(self, high=None, low=None):
        pass

    def is_closing(self):
        return self.closed or self.aborted

    def close(self):
        self.closed = True

    def abort(self):
        self.aborted = True

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True

    def set_protocol(self, protocol):
        pass


class FakeWire:
    """A wire that records its calls."""

    address = "127.0.0.1"
    limits = BOUNDLESS
    share = Share(BOUNDLESS)

    def __init__(self, peer):
        self.peer = peer
        self.outbox = None
        self._sent = self._rows = self._away = self._again = b""
        self.kinds = []
        self.concealed = []
        self.keyed = []
        self.mores = 0
        self.messages = []
        self.hung_up = False

    @property
    def sent(self):
        rows, self._rows = self._rows, b""
        self._sent += self._away + rows + self._again if rows and self._again else rows
        return self._sent

    @sent.setter
    def sent(self, data):
        self._rows, self._sent = b"", data

    def send(self, data, kind):
        self.sent += data
        self.kinds.append(kind)

    def send_rows(self, rows, kind):
        self._rows += rows
        self.kinds.append(kind)

    def set_last_row(self, away, again):
        self.sent += b""
        self._away, self._again = away, again

    def conceal(self, typing):
        self.concealed.append(typing)

    def character_mode(self, wanted):
        self.keyed.append(wanted)

    def gmcp(self, message):
        self.messages.append(message)

    def end_options(self):
        self.has_options = False

    def more(self):
        self.mores += 1

    def hang_up(self):
        self.hung_up = True


@pytest.fixture
def terminal_of():
    """Return a line terminal on a recording wire, and the wire, for a peer."""

    def make(peer=None):
        wire = FakeWire(peer or Peer())
        return TelnetTerminal(wire), wire

    return make


def connected(limits=BOUNDLESS, share=None):
    """Return a telnet connection on a recording transport, in a running loop; its visit waits for its end."""

    async def visit(terminal):
        await asyncio.wait([wire.lost])

    wire = LilyTelnet(Visits(visit), TelnetTerminal, limits, share_of=share and (lambda _: share))
    transport = FakeTransport()
    wire.connection_made(transport)
    transport.says_that_it_waits = wire.pause_writing
    return wire, transport


@pytest.fixture(autouse=True)
def sending_costs_nothing(monkeypatch):
    """Sending takes no processor time by its own clock, so no turn is put off because this machine is busy."""
    monkeypatch.setattr(outbox, "thread_time", lambda: 0.0)


@pytest.fixture(autouse=True)
def reading_costs_nothing(monkeypatch):
    """A slice takes no time by its own clock, so nobody waits for a turn because this machine is busy."""
    monkeypatch.setattr(reading_limits, "perf_counter", lambda: 0.0)


@pytest.fixture
async def still_time(monkeypatch):
    """Time that passes only when all tasks wait for a timer, and then jumps to the next one."""
    loop = asyncio.get_running_loop()
    now, select = loop.time(), loop._selector.select

    def passing(timeout=None):
        nonlocal now
        ready = select(0 if timeout is not None else None)
        now += timeout or 0.0 if not ready else 0.0
        return ready

    monkeypatch.setattr(loop._selector, "select", passing)
    monkeypatch.setattr(loop, "time", lambda: now)


@pytest.fixture(scope="session")
def connect():
    return connected


@pytest.fixture(scope="session")
def arrive():
    """Return a function that feeds bytes to a connection, and waits until they are read as far as its limits allow."""

    async def arrived(wire, data):
        wire.data_received(data)
        for _ in range(100_000):
            if not (wire.intake.held and (wire.intake._next or wire.intake._waits)):
                return
            await asyncio.sleep(0)

    return arrived


@pytest.fixture
async def telnet():
    """A telnet connection, its probe sent."""
    wire, _ = connected()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    yield wire
    wire.connection_lost(None)
    for _ in range(4):
        await asyncio.sleep(0)


@pytest.fixture
async def transport(request):
    """The transport of the connection under test, if there is one."""
    if "telnet" in request.fixturenames:
        return request.getfixturevalue("telnet")._wire
    return FakeTransport()


@pytest.fixture
async def listening():
    """A function that listens on a free port until the test ends, and returns a function that connects clients."""
    servers, writers = [], []

    async def start(client, *arguments, trust=None, **options):
        server = await listen("127.0.0.1", 0, *arguments, **options)
        servers.append(server)

        async def dial():
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=trust)
            writers.append(writer)
            return client(reader, writer)

        return dial

    yield start
    for writer in writers:
        writer.close()
    for server in servers:
        await server.close(0.1)


@pytest.fixture
def lily_place(listening):
    """A function that opens a place, and returns a function that connects a client to it."""

    async def open_(name="lilygames"):
        settings = attrs.evolve(SETTINGS, name=name)
        notices = Notices()
        made = await furnish(MemoryStore(), settings, {"tally": ALL["tally"]}, gather=partial(Crowd, notices))
        terminal = partial(TelnetTerminal, notices=notices)
        return await listening(
            LilyClient, partial(visit, made.host, made.dispatcher), terminal, admission=Admission(BOUNDLESS)
        )

    return open_
