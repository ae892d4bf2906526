"""Test a peculiarity of NATS: its library sends a ping before commands that it has queued."""

import asyncio

import pytest

from lilygames.bus import Reconnected
from lilygames.bus.nats import NatsBus


@pytest.fixture
async def recorder():
    """A NATS server that records commands and answers pings; yields its port and its record."""
    record = []

    async def serve(reader, writer):
        writer.write(b'INFO {"server_id":"x","version":"2.9.10","max_payload":1048576}\r\n')
        while row := await reader.readline():
            command = row.split()[0].decode()
            record.append(command)
            if command == "PING":
                writer.write(b"PONG\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1], record
    server.close()


async def test_subscriber_is_told_to_check_after_the_server_knows_about_it(recorder, taken):
    """Later hints reach the subscriber: a ping sent after the subscription was answered."""
    port, record = recorder
    bus = await NatsBus.open(f"nats://127.0.0.1:{port}")

    assert [Reconnected()] == await taken(bus.subscribe("table/12"))
    assert "PING" in record[record.index("SUB") :]
    await bus.close()
