"""The buses under test; `bus` is every one of them in turn."""

import asyncio

import pytest

from lilygames.bus.local import LocalBus


@pytest.fixture(params=["local"])
async def bus(request):
    yield (bus := LocalBus())
    await bus.close()


@pytest.fixture
def taken():
    """Return the next hints of a subscription, as many as wanted, within ten seconds."""

    async def take(subscription, wanted=1):
        async with asyncio.timeout(10):
            return [await anext(subscription) for _ in range(wanted)]

    return take
