"""The listener itself, on loopback: new connections, failing visits, and closing."""

import asyncio
import gc
import re
import socket
import weakref

import pytest
from structlog.testing import capture_logs

from lilygames.chat.people.terminal import Gone
from lilygames.edge.connections import listener, telnet
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.listener import MET
from lilygames.edge.connections.telnet import LilyTelnet, listen
from lilygames.edge.wire.limits import Limits
from lilygames.text import Line
from tests.deadline import DEADLINE
from tests.sitting import Sitting

PROBE = b"\xff\xfd\x18"


@pytest.fixture
async def door():
    """Open listeners for visits; all are closed at the end."""
    opened = []

    async def open_door(visit):
        opened.append(await listen("127.0.0.1", 0, visit))
        return opened[-1]

    yield open_door
    for server in opened:
        await server.close(grace=0.1)


async def echo(terminal):
    terminal.show(Line("Welcome."))
    while (line := await terminal.read()) != "/bye":
        terminal.show(Line(line))


async def connect(server):
    return await asyncio.open_connection("127.0.0.1", server.port)


async def rest(reader):
    async with asyncio.timeout(DEADLINE):
        return await reader.read()


async def emptied(server):
    await asyncio.wait_for(asyncio.gather(*server._visits._connections), DEADLINE)
    await asyncio.sleep(0)

    assert server.connected == 0


async def test_greeting_does_not_wait_for_the_client(door):
    reader, writer = await connect(await door(echo))

    assert await reader.readexactly(len(PROBE) + 10) == b"Welcome.\r\n" + PROBE
    writer.close()


async def test_person_who_leaves_is_gone_everywhere(door):
    server = await door(echo)
    reader, writer = await connect(server)
    writer.write(b"/bye\r\n")

    assert (await rest(reader)).replace(PROBE, b"") == b"Welcome.\r\n"
    writer.close()
    await emptied(server)


async def test_last_words_arrive_before_the_connection_closes(door):
    async def farewell(terminal):
        terminal.show(*[Line("x" * 70)] * 5000)

    reader, writer = await connect(await door(farewell))

    assert len((await rest(reader)).replace(PROBE, b"")) == 5000 * 72
    writer.close()


async def test_netcat_with_a_file_gets_all_its_answers(door):
    """It stops sending at once, and reads on."""
    server = await door(echo)
    reader, writer = await connect(server)
    writer.write(b"one\ntwo\n")
    writer.write_eof()

    assert (await rest(reader)).replace(PROBE, b"") == b"Welcome.\r\none\r\ntwo\r\n"
    writer.close()


async def test_storm_of_connections_is_accepted_a_few_at_a_time(door):
    """All get in, and the loop runs other tasks in between."""
    server = await door(echo)
    storm = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2 * MET + 2)]
    admission, met = server._config.admission, []
    while admission._count < len(storm):
        before = admission._count
        await asyncio.sleep(0)
        met.append(admission._count - before)
    await asyncio.gather(*server._coming)
    for one in storm:
        one.close()
    await emptied(server)

    assert MET == max(met)


async def test_reset_ends_the_visit(door):
    ended = asyncio.Event()

    async def visit(terminal):
        try:
            await terminal.read()
        except Gone:
            ended.set()

    server = await door(visit)
    _, writer = await connect(server)
    handle = writer.get_extra_info("socket")
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    writer.close()

    await asyncio.wait_for(ended.wait(), DEADLINE)
    await emptied(server)


async def test_bug_in_a_visit_closes_that_connection_with_a_case_number(door):
    """The log has the rest; the person gets no traceback."""

    async def broken(terminal):
        await terminal.read()
        raise ZeroDivisionError

    server = await door(broken)
    reader, writer = await connect(server)
    with capture_logs() as logs:
        writer.write(b"hi\r\n")
        told = (await rest(reader)).decode("latin-1")
        writer.close()
        await emptied(server)

    case = re.search(r"\(Disconnected by a bug: case (\w+)\. Please connect again. The sysop knows.\)\r\n$", told)[1]
    assert [(entry["case"], entry["exc_info"], entry["log_level"]) for entry in logs] == [(case, True, "error")]


async def test_bug_in_one_visit_leaves_the_others_alone(door):
    async def visit(terminal):
        if await terminal.read() == "boom":
            raise ZeroDivisionError
        await echo(terminal)

    server = await door(visit)
    one, one_writer = await connect(server)
    two, two_writer = await connect(server)
    with capture_logs():
        one_writer.write(b"boom\n")
        await rest(one)
    two_writer.write(b"ok\nstill here\n/bye\n")

    assert (await rest(two)).endswith(b"still here\r\n")
    one_writer.close()
    two_writer.close()


async def test_closing_the_listener_disconnects_everyone(door):
    server = await door(echo)
    reader, writer = await connect(server)
    await reader.readexactly(10)
    await server.close()

    assert server.connected == 0
    assert await rest(reader) in (b"", PROBE)
    writer.close()


async def test_visit_that_does_not_end_is_cut(door):
    async def stubborn(terminal):
        await asyncio.Event().wait()

    server = await door(stubborn)
    reader, writer = await connect(server)
    await reader.readexactly(len(PROBE))
    await server.close(grace=0.01)

    assert server.connected == 0
    writer.close()


async def test_peer_that_reads_nothing_does_not_delay_closing(door):
    clogged = asyncio.Event()

    async def flood(terminal):
        while not terminal._wire._wire.get_write_buffer_size():
            terminal.show(*[Line("x" * 70)] * 100)
            await asyncio.sleep(0)
        clogged.set()
        await terminal.read()

    server = await door(flood)
    _, writer = await connect(server)
    writer.transport.pause_reading()
    await asyncio.wait_for(clogged.wait(), DEADLINE)
    await server.close(grace=0.01)

    assert server.connected == 0
    writer.transport.abort()


async def test_port_in_use_is_an_os_error(door):
    server = await door(echo)

    with pytest.raises(OSError, match="ddress already in use"):
        await listen("127.0.0.1", server.port, echo)


async def test_8_no_connection_is_kept_after_its_end(door):
    """The library's own listener keeps a thousand, each with its buffers."""
    before = _kept()  # by loops of other tests that were closed before everything was sent
    server = await door(echo)
    for _ in range(20):
        reader, writer = await connect(server)
        writer.write(b"/bye\n")
        await rest(reader)
        writer.close()
    await emptied(server)
    async with asyncio.timeout(DEADLINE):
        while len(_kept()) > len(before):  # noqa: ASYNC110 - it can only be looked at
            await asyncio.sleep(0.02)  # unsent output of a turn is freed after a moment

    assert before == _kept()


def _kept():
    gc.collect()
    return [one for one in gc.get_objects() if isinstance(one, LilyTelnet) and one.lost.done()]


async def test_ended_connection_is_freed_without_garbage_collection(door, monkeypatch):
    """There is no reference cycle, even after options were negotiated and a person typed until the end."""
    gone = []
    released = LilyTelnet.release
    monkeypatch.setattr(LilyTelnet, "release", lambda one: (gone.append(weakref.ref(one)), released(one)))
    server = await door(echo)
    gc.disable()
    try:
        for words in (b"", b"\xff\xfb\x18\xff\xfc\x1f", b"hello\r\n/bye\r\n"):
            reader, writer = await connect(server)
            await reader.read(1)
            writer.write(words)
            writer.close()
        async with asyncio.timeout(DEADLINE):
            while len(gone) < 3 or any(one() for one in gone):  # noqa: ASYNC110 - it can only be looked at
                await asyncio.sleep(0.02)
    finally:
        gc.enable()


async def test_socket_is_kept_alive_and_sends_at_once(door):
    seen = []

    async def visit(terminal):
        seen.append(terminal._wire._wire.get_extra_info("socket"))
        await terminal.read()

    reader, writer = await connect(await door(visit))
    await reader.readexactly(len(PROBE))

    assert seen[0].getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert seen[0].getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    writer.close()


async def test_urgent_byte_of_an_interrupt_leaves_the_line_whole(door):
    """Ctrl-C in telnet sends IAC IP, then IAC DM with the DM urgent (RFC 854, the Synch signal), then IAC DO TM."""
    reader, writer = await connect(await door(echo))
    await reader.readexactly(len(PROBE) + 10)
    handle = socket.socket(fileno=socket.dup(writer.get_extra_info("socket").fileno()))
    with handle:
        handle.send(b"he\xff\xf4\xff\xf2", socket.MSG_OOB)
        handle.send(b"\xff\xfd\x06llo\r\n/bye\r\n")

        assert (await rest(reader)).endswith(b"hello\r\n")
    writer.close()


async def test_no_password_is_checked_for_a_peer_that_disconnected_before_login(door, monkeypatch):
    """A storm of guesses that nobody waits for ends with its connections."""
    monkeypatch.setattr("lilygames.edge.connections.listener.LAST_WORDS", 0.01)
    ended = asyncio.Event()

    async def hashing(terminal):
        terminal.show(Line("Welcome."))
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    server = await door(hashing)
    _, writer = await connect(server)
    await writer.drain()
    writer.transport.abort()

    await asyncio.wait_for(ended.wait(), DEADLINE)


async def test_lines_of_a_logged_in_person_are_read_to_the_end(door, monkeypatch):
    """A move that was typed before the window was closed counts."""
    monkeypatch.setattr("lilygames.edge.connections.listener.LAST_WORDS", 0.0)
    heard = asyncio.Event()

    async def slow(terminal):
        terminal.attach(Sitting())
        await terminal.read()
        await asyncio.sleep(0.1)
        heard.set()

    _, writer = await connect(await door(slow))
    writer.write(b"bid 1\r\n")
    await writer.drain()
    writer.close()

    await asyncio.wait_for(heard.wait(), DEADLINE)


async def test_session_that_ends_just_as_it_would_be_abandoned_does_no_harm(door, monkeypatch):
    """It has released its terminal, and the listener doesn't know yet that it's over."""
    monkeypatch.setattr(listener, "LAST_WORDS", 0.0)
    failures = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failures.append(context))

    async def brief(terminal):
        terminal.show(Line("Bye."))

    server = await door(brief)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    await reader.read()
    writer.close()
    while server.connected:  # noqa: ASYNC110 - no single event says so
        await asyncio.sleep(0)

    assert [] == failures


@pytest.mark.parametrize("part", ["Negotiation", "Outbox"])
@pytest.mark.parametrize("program", [False, True])
async def test_connection_that_cannot_be_set_up_is_closed_logged_and_counted_no_longer(monkeypatch, part, program):
    """A bug in what a connection is made of, in its constructor or when it is there, uses up no connection."""
    admission = Admission(Limits(connections_per_address=1))
    server = await listen("127.0.0.1", 0, echo, admission=admission, program=program)
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr(telnet, part, _broken)
        reader, writer = await connect(server)
        heard = await rest(reader)
        writer.close()
    reader, writer = await connect(server)
    greeting = await reader.readline()
    writer.close()
    await server.close(grace=0.1)

    assert b"" == heard
    assert b"Welcome." in greeting
    assert ["a connection can't be set up"] == [entry["event"] for entry in logs if entry["log_level"] == "error"]


def _broken(*_):
    raise RuntimeError("a bug")
