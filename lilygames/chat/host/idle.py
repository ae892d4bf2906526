"""Mark people as away when they have been idle, until they type again."""

from __future__ import annotations

import asyncio

from lilygames.chat.host.host import Host

GLANCE = 30.0
"""Seconds between two checks for idle people."""


def mark_idle(host: Host, seconds: float) -> None:
    """Mark people as away who have been idle for this many seconds, and tell the others."""
    for person in host.people.nearby():
        if person.local and not person.activity.away and person.activity.idle_seconds >= seconds:
            person.activity.go_idle(host.clock())
            host.tell_about(person, person.did("away", text=" (idle)"), person.rooms)


async def watch(host: Host, seconds: float) -> None:
    """Check for idle people until cancelled; 0 seconds disables it."""
    while seconds:
        await asyncio.sleep(GLANCE)
        mark_idle(host, seconds)
