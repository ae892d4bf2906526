"""Fixtures for each kind of bus; `bus` runs a test with all of them."""

import asyncio

import pytest

from lilygames.bus.local import LocalBus
from lilygames.bus.nats import NatsBus
from lilygames.bus.postgres import PostgresBus
from tests.deadline import DEADLINE


@pytest.fixture
def opening(request):
    """Return a function that opens a bus of a kind, each time for another node."""

    def of(kind):
        match kind:
            case "postgres":
                url = request.getfixturevalue("database")
                return lambda: PostgresBus.open(url)
            case "nats":
                url = request.getfixturevalue("nats_server").url
                return lambda: NatsBus.open(url)

    return of


@pytest.fixture(params=["local", "postgres", "nats"])
async def bus(request, opening):
    bus = LocalBus() if request.param == "local" else await opening(request.param)()
    yield bus
    await bus.close()


@pytest.fixture
def taken():
    """Return a function that takes the next hints of a subscription, within ten seconds."""

    async def take(subscription, wanted=1):
        async with asyncio.timeout(DEADLINE):
            return [await anext(subscription) for _ in range(wanted)]

    return take
