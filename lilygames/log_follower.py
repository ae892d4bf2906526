"""Follow a log that others write to: the store says what, the bus says when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from lilygames.bus import Bus, Subscription
from lilygames.store import Entry, Store, StoreUnavailable

GLANCE = 1.0
"""Seconds until one looks without having been told to: so late at most is what no hint has told of."""


def topic_of(log: str) -> str:
    """Return the topic on which a log's hints are."""
    return f"log/{log}"


async def tell(bus: Bus, log: str) -> None:
    """Let whoever follows a log know that there is something new in it."""
    await bus.publish(topic_of(log), b"")


async def follow(store: Store, bus: Bus, log: str, after: int = 0, *, glance: float = GLANCE) -> AsyncIterator[Entry]:
    """Yield the entries of a log behind position `after`, each once and in order, for ever.

    Hints may come twice, in any order, or never: then an entry comes `glance` seconds late at most. A store that is
    away is waited for. Use `contextlib.aclosing`, or close it, where one stops listening.
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
    """Return when there may be something new."""
    try:
        await asyncio.wait_for(anext(hints), glance)
    except TimeoutError:
        return
    except StopAsyncIteration:  # the bus is closed: there is only looking
        await asyncio.sleep(glance)
