"""Who types nothing for long counts as away, until the next line."""

from __future__ import annotations

import asyncio
import time

from lilygames.chat.host import Host

GLANCE = 30.0
"""Seconds between two looks at who has typed nothing."""


def rest(host: Host, seconds: float) -> None:
    """Take those for away who have typed nothing for so many seconds, and tell the others."""
    now = time.monotonic()
    for person in [*host.people.values()]:
        idle = now - person.last
        if person.near and not person.away and idle >= seconds:
            person.away = person.idled = True
            person.missed_since = host.clock() - idle
            host.tell_all(person.did("away", text=" (idle)"), but=person)


async def watch(host: Host, seconds: float) -> None:
    """Look again and again who has typed nothing for so many seconds, until cancelled; for 0 seconds never."""
    while seconds:
        await asyncio.sleep(GLANCE)
        rest(host, seconds)
