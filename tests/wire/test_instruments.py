"""Test metrics and the health check."""

import asyncio

import pytest

from lilygames.server.metrics import Counted, Figure, Instruments, exposition, memory, memory_peak
from lilygames.store import Conflict, Draft, StoreUnavailable
from lilygames.store.memory import MemoryStore

PEOPLE = Figure("people", "gauge", "People who are here.", lambda: 3)


async def answer(instruments, path):
    """Return the response to a request."""
    server = await instruments.listen(0)
    reader, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
    writer.write(f"GET {path} HTTP/1.1\r\nHost: me\r\n\r\n".encode())
    said = (await reader.read()).decode()
    writer.close()
    server.close()
    return said.partition("\r\n")[0], said.partition("\r\n\r\n")[2]


def test_metric_is_written_in_prometheus_format():
    """Prometheus's text format, version 0.0.4."""
    rows = exposition([PEOPLE])

    assert "# HELP lilygames_people People who are here.\n# TYPE lilygames_people gauge\nlilygames_people 3\n" == rows


async def test_metrics_are_served_over_http():
    status, body = await answer(Instruments([PEOPLE], MemoryStore(), lambda: "", list), "/metrics")

    assert ("HTTP/1.1 200 OK", True) == (status, "lilygames_people 3" in body)


@pytest.mark.parametrize(
    ("ill", "fails", "troubles", "said"),
    [
        ("", False, [], ("HTTP/1.1 200 OK", "well\n")),
        ("", False, ["stopped table #1"], ("HTTP/1.1 200 OK", "well\nstopped table #1\n")),
        ("drains", False, [], ("HTTP/1.1 503 Service Unavailable", "drains\n")),
        ("", True, [], ("HTTP/1.1 503 Service Unavailable", "the store doesn't answer\n")),
    ],
)
async def test_health_check_tells_whether_the_node_is_healthy(ill, fails, troubles, said):
    store = MemoryStore()
    if fails:
        store.fail_next(StoreUnavailable("away"), call="now")

    assert said == await answer(Instruments([], store, lambda: ill, lambda: troubles), "/health")


async def test_writes_are_counted_by_result():
    store = Counted(MemoryStore())
    await store.append("log", 0, [Draft("ann", "{}")], cmd="1")
    with pytest.raises(Conflict):
        await store.append("log", 0, [Draft("bob", "{}")], cmd="2")

    assert (2, 1, 0) == (store.appends, store.conflicts, store.failures)


def test_memory_and_peak_memory_are_reported():
    """Fifty megabytes are allocated and freed."""
    before = memory()
    taken = bytearray(50_000_000)
    with_it = memory()
    del taken

    assert with_it - before > 40_000_000
    assert with_it - memory() > 40_000_000
    assert memory_peak() - memory() > 40_000_000
