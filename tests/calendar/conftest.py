"""A place with a clock that the test sets, and people whose accounts are old enough to plan events."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import attrs
import pytest

from lilygames.chat.names.names import fold
from lilygames.gametest.stage import SETTINGS, Stage, secrets_from
from lilygames.server.place.place import furnish
from lilygames.store.memory import MemoryStore
from tests.toys import TOYS

BERLIN = ZoneInfo("Europe/Berlin")


def at(text, zone=BERLIN):
    """Return a local time in seconds since 1970."""
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


class Clock:
    """A clock that the test sets."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now

    def set(self, text, zone=BERLIN):
        self.now = at(text, zone)


@pytest.fixture
def clock():
    return Clock(at("2026-11-25 12:00"))


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def open_stage(store, clock):
    """Return a function that opens a place on the store, with ann and bob in Berlin; it is a node if given a bus."""

    async def opened(*names, bus=None):
        settings = attrs.evolve(SETTINGS, sysops="sam")
        stage = Stage(await furnish(store, settings, TOYS, secrets_from("1"), bus, clock=clock))
        for name in names or ("ann", "bob"):
            await enter(stage, store, name)
        return stage

    return opened


async def enter(stage, store, name, zone="Europe/Berlin"):
    """Log a person in whose account is a month old."""
    await store.keep("since", fold(name), repr(at("2026-01-01 00:00")))
    stage.enter(name)
    if zone:
        await stage.type(name, f"/set zone {zone}")
    stage.screens[name].take()


@pytest.fixture
async def stage(open_stage):
    return await open_stage()


@pytest.fixture
def shown():
    """Return a function that lets the clock's work be done, and returns what people are shown."""

    async def look(stage, *names):
        for name in names:
            stage.screens[name].take()
        await stage.look("reminders")
        await stage.quiet()
        rows = [stage.screens[name].take() for name in names]
        return rows[0] if len(names) == 1 else rows

    return look
