"""The bus for a few nodes: PostgreSQL's NOTIFY, once per batch of hints.

Every node receives every hint and drops those without a subscriber there. Commits that notify wait for each other, so
there is one per batch rather than one per hint.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Self

import asyncpg

from lilygames import log_events
from lilygames.bus import Reconnected, Subscription, Subscriptions

CHANNEL = "lilygames"
LONGEST = 7900
"""Maximum bytes of a notification; PostgreSQL accepts less than 8,000."""
PIECE = 4500
"""Bytes of a hint per notification."""
QUEUED = 5000
"""Hints queued for the server; beyond that the oldest are lost."""
PING = 5.0
"""Seconds of silence after which the server is pinged, and seconds it has to answer."""
CONNECT_AGAIN = 15.0
"""Seconds to connect after the first failure. A server that hangs has to serve each connection that was given up."""
AGAIN = 0.5
"""Seconds between attempts to reconnect."""
_NOTIFY = f"SELECT pg_notify('{CHANNEL}', words) FROM unnest($1::text[]) words"  # noqa: S608 - a constant
_SETTINGS = {
    "application_name": "lilygames bus",
    "synchronous_commit": "off",  # a hint need not reach the disk
    "tcp_keepalives_idle": "10",
}
Hint = tuple[str, bytes]


class PostgresBus:
    """Hints through a database. Create one with `await PostgresBus.open`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._listening = Subscriptions()
        self._queued: deque[Hint] = deque(maxlen=QUEUED)
        self._something = asyncio.Event()
        self._alive = False
        self._said = False
        """Whether the outage has been logged."""
        self._closed = False
        self._pieces: dict[int, bytes] = {}
        self._numbers = itertools.count()
        self._life = asyncio.create_task(self._live())

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to `postgresql://...`. If the server is down, keep trying in the background."""
        return cls(url)

    async def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all subscribers of the topic, if the server is there."""
        if self._alive and not self._closed:
            self._queued.append((topic, hint))
            self._something.set()

    def subscribe(self, topic: str) -> Subscription:
        """Subscribe to a topic; see `Bus.subscribe`."""
        new = self._listening.add(topic)
        if self._alive:
            new.put(Reconnected())
        return new

    async def close(self) -> None:
        """Send queued hints, end all subscriptions and disconnect."""
        self._closed = True
        self._something.set()
        if not self._alive:
            self._life.cancel()
        await asyncio.wait({self._life})
        self._listening.close()

    async def _live(self) -> None:
        while not self._closed:
            try:
                await self._serve()
            except Exception as error:  # noqa: BLE001 - reconnect after any error
                if not self._said:
                    log_events.bus_lost(type(error).__name__)
                self._said, self._alive = True, False
                self._queued.clear()  # the nodes will have checked the store by the time the bus is back
                await asyncio.sleep(AGAIN)

    async def _serve(self) -> None:
        """Listen and send until the bus is closed. Raises the error that breaks the connection."""
        connection = await asyncpg.connect(
            self._url,
            timeout=CONNECT_AGAIN if self._said else PING,
            command_timeout=PING,
            target_session_attrs="read-write",  # a standby doesn't support LISTEN
            server_settings=_SETTINGS,
        )
        try:
            connection.add_termination_listener(lambda _: self._something.set())
            await connection.add_listener(CHANNEL, self._heard)
            self._pieces.clear()
            if self._said:
                log_events.bus_back()
            self._said, self._alive = False, True
            self._listening.reconnected()
            while not self._closed or self._queued:
                await self._send(connection)
        finally:
            with suppress(Exception):
                await connection.close(timeout=1)
            connection.terminate()

    async def _send(self, connection: Any) -> None:
        """Send queued hints; after a long silence, ping the server."""
        try:
            await asyncio.wait_for(self._something.wait(), PING)
        except TimeoutError:
            await connection.execute("SELECT 1")
        self._something.clear()
        if connection.is_closed():
            raise ConnectionResetError
        hints = [*self._queued]
        self._queued.clear()
        if hints:
            await connection.execute(_NOTIFY, [*self._packed(hints)])

    def _packed(self, hints: Sequence[Hint]) -> Iterator[str]:
        """Yield as few notifications as possible for the hints; a long hint is split.

        Each has a number, because PostgreSQL drops identical notifications.
        """
        waiting: list[list[Any]] = []
        size = 0
        for topic, hint in hints:
            for piece in _pieces(topic, hint):
                length = len(json.dumps(piece)) + 2
                if waiting and size + length > LONGEST:
                    yield json.dumps([next(self._numbers), waiting])
                    waiting, size = [], 0
                waiting.append(piece)
                size += length
        yield json.dumps([next(self._numbers), waiting])

    def _heard(self, _: Any, sender: int, __: str, words: str) -> None:
        """Deliver the hints in a notification. Those of one sender arrive in order."""
        for topic, piece, more in json.loads(words)[1]:
            whole = self._pieces.pop(sender, b"") + base64.b85decode(piece)
            if more:
                self._pieces[sender] = whole
            else:
                self._listening.deliver(topic, whole)


def _pieces(topic: str, hint: bytes) -> Iterator[list[Any]]:
    """Yield topic, piece, and whether more pieces follow."""
    for first in range(0, max(1, len(hint)), PIECE):
        yield [topic, base64.b85encode(hint[first : first + PIECE]).decode(), first + PIECE < len(hint)]
