"""The connections that read from a database."""

import asyncio

import asyncpg
import pytest

from lilygames.store import pgreaders
from lilygames.store.pgreaders import Readers


class Connection:
    """A connection that only knows whether it is open."""

    def __init__(self):
        self.open = True

    def is_closed(self):
        return not self.open

    def terminate(self):
        self.open = False

    async def close(self):
        self.open = False


@pytest.fixture
def opened():
    """All connections so far, in the order they were opened."""
    return []


@pytest.fixture
def readers(opened):
    async def connect():
        opened.append(Connection())
        return opened[-1]

    return Readers(connect, 2)


async def used(readers, error=None):
    """Use a connection once, perhaps with an error, and return it."""
    async with readers.acquire() as connection:
        if error:
            raise error
    return connection


async def test_idle_connection_is_used_again(readers, opened):
    assert await used(readers) is await used(readers)
    assert 1 == len(opened)


async def test_third_reader_waits_for_one_of_two(readers, opened):
    async with readers.acquire(), readers.acquire():
        third = asyncio.create_task(used(readers))
        await asyncio.sleep(0)
        assert not third.done()
    assert await third in opened[:2]
    assert 2 == len(opened)


async def test_reader_gives_up_when_all_connections_stay_busy(readers, monkeypatch):
    monkeypatch.setattr(pgreaders, "COMMAND", 0.01)
    async with readers.acquire(), readers.acquire():
        with pytest.raises(TimeoutError):
            await used(readers)
    await used(readers)


async def test_refused_query_leaves_the_connection_in_use(readers, opened):
    with pytest.raises(asyncpg.UniqueViolationError):
        await used(readers, asyncpg.UniqueViolationError())
    assert opened == [await used(readers)]


@pytest.mark.parametrize("error", [TimeoutError, OSError, asyncio.CancelledError])
async def test_connection_whose_query_was_not_answered_is_not_used_again(readers, opened, error):
    with pytest.raises(error):
        await used(readers, error())
    await used(readers)
    assert [False, True] == [one.open for one in opened]


async def test_connection_that_the_server_has_closed_is_not_used_again(readers, opened):
    (await used(readers)).terminate()
    await used(readers)
    assert [False, True] == [one.open for one in opened]


async def test_no_connection_from_before_an_outage_is_used_again(readers, opened):
    async with readers.acquire():
        await used(readers)
        readers.expire()
    await used(readers)
    assert [False, False, True] == [one.open for one in opened]


async def test_failed_connection_leaves_its_turn_to_others():
    async def connect():
        raise ConnectionRefusedError

    readers = Readers(connect, 1)
    for _ in range(3):
        with pytest.raises(ConnectionRefusedError):
            await used(readers)


async def test_closing_waits_for_a_query(readers, opened):
    async with readers.acquire() as busy:
        closing = asyncio.create_task(readers.close())
        await asyncio.sleep(0)
        assert busy.open
    await closing
    assert [False] == [one.open for one in opened]


async def test_closing_ends_a_query_that_takes_too_long(readers, opened, monkeypatch):
    monkeypatch.setattr(pgreaders, "COMMAND", 0.01)
    async with readers.acquire():
        await readers.close()
        assert [False] == [one.open for one in opened]
