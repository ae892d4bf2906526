"""A server for pages, and a browser's connections to it."""

import aiohttp
import pytest


@pytest.fixture
async def opened():
    """The servers of a test, closed at its end."""
    servers = []
    yield servers
    for server in servers:
        await server.close(1)


@pytest.fixture
async def browser():
    async with aiohttp.ClientSession() as session:
        yield session
