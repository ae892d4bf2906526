"""Test the relay of the storm script: it passes bytes on, cuts connections and stalls."""

import asyncio
from contextlib import suppress

import pytest

from scripts.storming.relay import Relays
from tests.deadline import DEADLINE


@pytest.fixture
async def line():
    """A relay, and a connection through it to an echo server."""
    over = asyncio.Event()

    async def answers(reader, writer):
        with suppress(OSError):
            while data := await reader.read(100):
                writer.write(data)
        writer.transport.abort()
        over.set()

    server = await asyncio.start_server(answers, "127.0.0.1", 0)
    with Relays() as relays:
        port = relays.to(server.sockets[0].getsockname()[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        yield relays.relays[0], reader, writer
        writer.close()
    server.close()
    await asyncio.wait_for(over.wait(), DEADLINE)
    await asyncio.sleep(0.01)  # an aborted connection closes in the loop's next turns


async def test_relay_passes_bytes_both_ways(line):
    _, reader, writer = line
    writer.write(b"hello")

    assert b"hello" == await asyncio.wait_for(reader.readexactly(5), DEADLINE)


async def test_stalled_relay_loses_nothing(line):
    """Like a network that is down for a while."""
    relay, reader, writer = line
    relay.stall()
    writer.write(b"hello")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(reader.read(5), 0.3)
    relay.flow()

    assert b"hello" == await asyncio.wait_for(reader.readexactly(5), DEADLINE)


async def test_cut_relay_breaks_its_connections(line):
    relay, reader, writer = line
    writer.write(b"hello")
    await reader.readexactly(5)
    relay.cut()
    with suppress(OSError):
        assert b"" == await asyncio.wait_for(reader.read(5), DEADLINE)

    assert reader.at_eof() or reader.exception()
