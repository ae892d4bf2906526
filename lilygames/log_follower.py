"""Follow a log that others write: entries come from the store, and the bus says when to look."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from lilygames.bus import Bus, Subscription
from lilygames.store import Entry, Store, StoreUnavailable

GLANCE = 1.0
"""Seconds between checks without a hint: the longest delay if a hint was lost."""


def topic_of(log: str) -> str:
    """Return the topic for a log's hints."""
    return f"log/{log}"


async def tell(bus: Bus, log: str) -> None:
    """Tell the followers of a log that it has grown."""
    await bus.publish(topic_of(log), b"")


async def follow(store: Store, bus: Bus, log: str, after: int = 0, *, glance: float = GLANCE) -> AsyncIterator[Entry]:
    """Yield the entries of a log after position `after`, each once and in order, forever.

    Hints may be repeated, reordered or lost; then an entry is at most `glance` seconds late. During an outage of the
    store it waits. Use `contextlib.aclosing`, or close it, if you stop early.
    """
    hints = bus.subscribe(topic_of(log))
    try:
        while True:
            entries = await _behind(store, log, after)
            for entry in entries:
                yield entry
                after = entry.seq
            if not entries:
                await _hint(hints, glance)
    finally:
        hints.close()


async def _behind(store: Store, log: str, after: int) -> tuple[Entry, ...]:
    try:
        return (await store.read(log, after)).entries
    except StoreUnavailable:
        return ()


async def _hint(hints: Subscription, glance: float) -> None:
    """Return when there may be new entries."""
    try:
        await asyncio.wait_for(anext(hints), glance)
    except TimeoutError:
        return
    except StopAsyncIteration:  # the bus is closed: only checking is left
        await asyncio.sleep(glance)
