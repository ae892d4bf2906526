"""Test a bus of several nats-servers: hints continue if one of them dies."""

import asyncio
from contextlib import ExitStack, suppress

import pytest

from lilygames.bus.nats import NatsBus
from lilygames.server.settings import local_engines
from tests.deadline import DEADLINE


@pytest.fixture
def servers():
    """Two nats-servers that know each other."""
    ways = [local_engines.free_port() for _ in range(2)]
    with ExitStack() as running:
        try:
            yield [running.enter_context(local_engines.nats(at=way, among={*ways} - {way})) for way in ways]
        except local_engines.Missing as missing:
            pytest.skip(str(missing))


@pytest.fixture
async def nodes(servers):
    """Two nodes that can connect to either."""
    url = ",".join(server.url for server in servers)
    two = [await NatsBus.open(url) for _ in range(2)]
    yield two
    for bus in two:
        await bus.close()


async def heard(sender, listener):
    """Return once a hint of the sender has arrived; one may be lost on the way."""
    async with asyncio.timeout(DEADLINE):
        while True:
            await sender.publish("table/12", b"here")
            with suppress(TimeoutError):
                if await asyncio.wait_for(anext(listener), 0.2) == b"here":
                    return True


@pytest.mark.parametrize("dies", [0, 1])
async def test_hints_continue_if_one_of_two_servers_dies(servers, nodes, dies):
    """Clients of the dead server connect to the other one."""
    listener = nodes[1].subscribe("table/12")
    before = await heard(nodes[0], listener)
    await asyncio.to_thread(servers[dies].kill)

    assert before
    assert await heard(nodes[0], listener)


async def test_each_of_several_addresses_must_be_valid():
    with pytest.raises(ValueError, match="isn't the address of a bus"):
        await NatsBus.open("nats://127.0.0.1:4222,nats://")
