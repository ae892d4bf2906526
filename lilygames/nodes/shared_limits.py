"""Limits per address that count for the whole place: each node tells the others what an address has used."""

from __future__ import annotations

import asyncio
import json

import structlog

from lilygames.bus import Bus, Reconnected
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Guessed, LimitUsed, OpenedFrom, PersonEvent, RoomOpenedFrom

log = structlog.get_logger()
TOPIC = "limits"


class SharedLimits:
    """Counts wrong passwords and other limited tries of all nodes.

    A try whose hint is lost counts only at its own node.
    """

    observes = (Guessed, LimitUsed, OpenedFrom, RoomOpenedFrom)

    def __init__(self, host: Host, bus: Bus, node: str) -> None:
        self._host = host
        self._bus = bus
        self._node = node
        self._hints = bus.subscribe(TOPIC)
        self._telling: set[asyncio.Task[None]] = set()

    def observe(self, event: PersonEvent) -> None:
        """Tell the other nodes what an address has used here."""
        match event:
            case Guessed(address, name, right):
                self._tell(address=address, name=fold(name), right=right)
            case LimitUsed(quota, address):
                self._tell(address=address, limit=quota)
            case OpenedFrom(number, address):
                self._tell(address=address, table=number)
            case RoomOpenedFrom(key, address):
                self._tell(address=address, room=key)

    def _tell(self, **used: str | bool | int) -> None:
        hint = json.dumps({"from": self._node, **used}).encode()
        task = asyncio.get_running_loop().create_task(self._bus.publish(TOPIC, hint))
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def listen(self) -> None:
        """Count what the other nodes tell until cancelled."""
        async for hint in self._hints:
            if isinstance(hint, Reconnected):
                continue
            try:
                self._count(hint)
            except Exception:
                log.exception("cannot count a limit of another node")

    def _count(self, hint: bytes) -> None:
        host = self._host
        match json.loads(hint):
            case {"from": self._node}:
                return
            case {"address": str(address), "name": str(name), "right": False}:
                host.login_attempts.wrong(address, name)
            case {"name": str(name), "right": True}:
                host.login_attempts.proved(name)
            case {"address": str(address), "limit": str(quota)}:
                host.quotas.count(quota, address)
            case {"address": str(address), "table": int(number)}:
                host.tables.held.opened_from(number, address)
            case {"address": str(address), "room": str(key)}:
                host.rooms.opened_from(key, address)
