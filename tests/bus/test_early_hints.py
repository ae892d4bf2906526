"""Hints that the next process of a reload hears before it is a node."""

import asyncio
import json

import pytest

from lilygames.bus.local import LocalBus
from lilygames.nodes.hints.early_hints import EarlyHints
from lilygames.nodes.hints.invalidation import EVERYBODY

KINDS = frozenset({"account"})


def hint(kind, key):
    return json.dumps({"from": "other", "kind": kind, "key": key}).encode()


@pytest.mark.parametrize("kind", ["postgres", "nats"])
async def test_records_that_other_nodes_change_are_heard(opening, taken, kind):
    early, other = EarlyHints(opening(kind), KINDS), await opening(kind)()
    assert await asyncio.to_thread(early.begin)
    hints = other.subscribe(EVERYBODY)
    await taken(hints)  # it is connected, too
    for record in (("account", "ann"), ("motd", ""), ("account", "bob")):
        await other.publish(EVERYBODY, hint(*record))
    await taken(hints, 3)

    assert {("account", "ann"), ("account", "bob")} == await early.end()
    await other.close()


class Dumb(LocalBus):
    """A bus that sends nothing."""

    async def publish(self, topic, hint):
        """Lose it."""


class Interrupted(LocalBus):
    """A bus that was away for a moment."""

    async def publish(self, topic, hint):
        """Send it after an interruption."""
        self._listening.reconnected()
        await super().publish(topic, hint)


class Absent(LocalBus):
    """A bus that nobody reaches."""

    def subscribe(self, topic):
        """Wait for it."""
        return self._listening.add(topic)


@pytest.mark.parametrize(("bus", "begins"), [(LocalBus, True), (Dumb, True), (Interrupted, True), (Absent, False)])
async def test_nothing_is_known_if_hints_may_be_lost(bus, begins, monkeypatch):
    monkeypatch.setattr("lilygames.nodes.hints.early_hints.PATIENCE", 0.1 if bus is Absent else 5.0)

    async def opened():
        return bus()

    early = EarlyHints(opened, KINDS)

    assert begins is await asyncio.to_thread(early.begin)
    assert (frozenset() if bus is LocalBus else None) == await early.end()
