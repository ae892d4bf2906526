"""The bus for many nodes: NATS core, which sends each hint only to nodes that have a subscriber.

It doesn't use JetStream, because everything that must survive is in the store. The topic `table/12` is the subject
`lily.=table/12`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import Self
from urllib.parse import quote, urlsplit

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription as Interest

from lilygames import log_events
from lilygames.bus import Reconnected, Subscription, Subscriptions

QUEUED = 1_000_000
"""Maximum bytes queued for the server; further hints are lost. The library itself blocks at twice as many."""
PATIENCE = 2.0
"""Seconds that the server has to answer."""
AGAIN = 0.5
"""Seconds between attempts to reconnect."""


class NatsBus:
    """Hints over NATS. Create one with `await NatsBus.open`."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client = Client()
        self._changed = asyncio.Event()
        self._listening = Subscriptions(self._changed.set)
        self._interests: dict[str, Interest] = {}
        self._untold: set[str] = set()
        """Topics that the server may not know about yet."""
        self._said = False
        """Whether the outage has been logged."""
        self._begun = False
        self._closed = False
        self._life = asyncio.create_task(self._live())

    @classmethod
    async def open(cls, url: str) -> Self:
        """Connect to `nats://...`. If the server is down, keep trying in the background.

        Several addresses, separated by commas, name one cluster; any server of it will do. Raises `ValueError` for an
        invalid address.
        """
        if not all(urlsplit(one).hostname for one in url.split(",")):
            raise ValueError(f"{url} isn't the address of a bus: use one like nats://127.0.0.1:4222")
        return cls(url)

    async def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all subscribers of the topic, if the server is there."""
        if self._client.is_connected and not self._closed and self._client.pending_data_size < QUEUED:
            with suppress(Exception):  # the connection may break just now; a hint may be lost
                await self._client.publish(_subject(topic), hint)

    def subscribe(self, topic: str) -> Subscription:
        """Subscribe to a topic; see `Bus.subscribe`."""
        new = self._listening.add(topic)
        if topic in self._interests.keys() - self._untold and self._client.is_connected:
            new.put(Reconnected())
        return new

    async def close(self) -> None:
        """Send queued hints, end all subscriptions and disconnect."""
        self._closed = True
        self._life.cancel()
        await asyncio.wait({self._life})
        if self._begun:
            for farewell in (self._client.flush, self._client.close):
                with suppress(Exception):  # close it in any case
                    await asyncio.wait_for(farewell(), PATIENCE)
            _cut(self._client)
        self._listening.close()

    async def _live(self) -> None:
        """Stay connected, and tell the server which topics have subscribers here."""
        await self._client.connect(
            self._url.split(","),
            error_cb=self._is_away,
            disconnected_cb=self._is_away,
            reconnected_cb=self._is_back,
            max_reconnect_attempts=-1,
            reconnect_time_wait=AGAIN,  # type: ignore[arg-type] # takes any seconds
            connect_timeout=PATIENCE,  # type: ignore[arg-type]
            ping_interval=PATIENCE,  # type: ignore[arg-type]
            allow_reconnect=True,
        )
        self._begun = True
        self._works()
        self._changed.set()
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._tell_interests()
            except Exception:  # noqa: BLE001 - subscribers are told after the reconnect
                await asyncio.sleep(AGAIN)
                self._changed.set()

    async def _tell_interests(self) -> None:
        topics = self._listening.topics
        for topic in [*self._interests.keys() - topics]:
            await self._interests.pop(topic).unsubscribe()
        for topic in topics - self._interests.keys():
            self._untold.add(topic)
            self._interests[topic] = await self._client.subscribe(_subject(topic), cb=partial(self._heard, topic))
        if self._untold:
            for _ in range(2):  # the library's first ping overtakes what it has queued; only the second one follows it
                await self._client.flush(PATIENCE)  # type: ignore[arg-type] # takes any seconds
        while self._untold:
            self._listening.deliver(self._untold.pop(), Reconnected())

    async def _heard(self, topic: str, message: Msg) -> None:
        self._listening.deliver(topic, message.data)

    async def _is_away(self, error: Exception | None = None) -> None:
        if not self._said and not self._closed:
            log_events.bus_lost(type(error).__name__)
        self._said = True

    async def _is_back(self) -> None:
        self._works()
        self._listening.reconnected()

    def _works(self) -> None:
        if self._said:
            log_events.bus_back()
        self._said = False


def _cut(client: Client) -> None:
    """Cut the connection to a server that doesn't read; the library would wait for it forever."""
    writer = getattr(client._transport, "_io_writer", None)  # noqa: SLF001 - see above
    if writer is not None:
        writer.transport.abort()


def _subject(topic: str) -> str:
    """Return the subject of a topic. Characters special to NATS, and non-ASCII ones, are written as numbers."""
    return f"lily.={quote(topic, safe='/').replace('.', '%2E')}"


async def must_answer(url: str) -> None:
    """Raise `OSError` with a reason if none of the servers answers, or they reject the login."""
    client = Client()
    try:
        await asyncio.wait_for(
            client.connect(
                url.split(","),
                error_cb=_nothing,
                allow_reconnect=False,
                connect_timeout=PATIENCE,  # type: ignore[arg-type] # takes any seconds
            ),
            2 * PATIENCE,
        )
    except Exception as problem:
        raise OSError(str(problem) or type(problem).__name__) from problem
    finally:
        with suppress(Exception):
            await client.close()


async def _nothing(_: Exception) -> None:
    """Do nothing: the call raises its error."""
