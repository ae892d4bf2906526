"""Who types nothing for long counts as away, until the next line."""

from __future__ import annotations

import asyncio

from lilygames.chat.host import Host

GLANCE = 30.0
"""Seconds between two looks at who has typed nothing."""


def rest(host: Host, seconds: float) -> None:
    """Take those for away who have typed nothing for so many seconds, and tell the others."""
    for person in [*host.people.values()]:
        if person.local and not person.activity.away and person.activity.idle_seconds >= seconds:
            person.activity.go_idle(host.clock())
            host.tell_all(person.did("away", text=" (idle)"), but=person)


async def watch(host: Host, seconds: float) -> None:
    """Look again and again who has typed nothing for so many seconds, until cancelled; for 0 seconds never."""
    while seconds:
        await asyncio.sleep(GLANCE)
        rest(host, seconds)
