"""Subscriptions in the store, and the queue of those that have something to send.

A subscription is one record, which also holds what is being sent. Every change is a compare-and-set on it, so of
several nodes one wins, and a process that is killed leaves it whole. The queue only says which subscriptions to look
at, so that nobody reads all of them. An entry is written before its subscription, and deleted long after.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable

import attrs

from lilygames import codec
from lilygames.mailing.subscription import AT_ONCE, DAY, Subscription
from lilygames.mailing.tokens import Signer
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store

KIND = "mailing"
"""Subscriptions, by the key of the account."""
QUEUE = "mailing-queue"
"""When to look at a subscription, and when that was written, by the same key."""
CODES = "mailing-codes"
"""Times when codes were asked for. Release 0.2 wrote them; they are deleted after a day."""
STOPS = "mailing-stop"
"""Tokens that came in by `lilygames unsubscribe`, and wait for a server."""
KEY = "mailing-key"
"""The key of codes and tokens."""
PUSH_KEY = "push-key"
"""The private key with which messages to browsers are signed."""
LINGERS = 600.0
"""Seconds for which an entry of the queue stays after it isn't needed: another node may be about to need it."""


@attrs.frozen
class _Queued:
    """An entry of the queue."""

    written: float
    due: float

    def __str__(self) -> str:
        return f"{self.written!r} {self.due!r}"

    @classmethod
    def parse(cls, text: str) -> _Queued:
        """Read an entry. Raises `ValueError`."""
        written, due = map(float, text.split())
        return cls(written, due)


class Subscriptions:
    """The subscriptions of a place."""

    def __init__(self, store: Store, unreadable: UnreadableRows, now: Callable[[], float]) -> None:
        self._store = store
        self._unreadable = unreadable
        self._now = now
        self._signer: Signer | None = None

    async def signer(self) -> Signer:
        """Return what makes codes and tokens. Its key is created once, and is the same on all nodes."""
        while self._signer is None:
            found = await self._store.find(KEY, "")
            if found:
                self._signer = Signer(bytes.fromhex(found))
            else:
                await self._store.swap(KEY, "", None, secrets.token_hex(32))
        return self._signer

    async def push_key(self, make: Callable[[], bytes]) -> bytes:
        """Return the private key for messages to browsers. It is made once, and is the same on all nodes."""
        while (found := await self._store.find(PUSH_KEY, "")) is None:
            await self._store.swap(PUSH_KEY, "", None, (await asyncio.to_thread(make)).hex())
        return bytes.fromhex(found)

    async def find(self, key: str) -> Subscription | None:
        """Return the subscription of an account, if it has one that can be read."""
        return self._read(key, await self._store.find(KIND, key))

    def _read(self, key: str, body: str | None) -> Subscription | None:
        try:
            found: Subscription | None = codec.from_text(body, Subscription) if body else None
        except ValueError as problem:
            self._unreadable.report(KIND, key, problem)
            return None
        return found

    async def change(self, key: str, step: Callable[[Subscription | None], Subscription | None]) -> Subscription | None:
        """Change a subscription by a pure step, which may be repeated if another node changes it first.

        Return the subscription after it. A step that returns what it gets changes nothing; None deletes it.
        """
        while True:
            body = await self._store.find(KIND, key)
            before = self._read(key, body)
            after = step(before)
            if after == before:
                return after
            if after is not None and after.due is not None:
                await self._store.keep(QUEUE, key, str(_Queued(self._now(), _rank(after))))
            if await self._store.swap(KIND, key, body, None if after is None else codec.to_text(after)):
                return after

    async def every(self) -> dict[str, Subscription]:
        """Return all readable subscriptions, for a sysop's command."""
        read = ((key, self._read(key, body)) for key, body in (await self._store.every(KIND)).items())
        return {key: found for key, found in read if found}

    # the queue

    async def queued(self, most: int) -> list[str]:
        """Return the keys of subscriptions that have something to send now, those that have waited longest first.

        New codes come before everything else. Return at most `most`.
        """
        now, ready = self._now(), []
        for key, text in (await self._store.every(QUEUE)).items():
            try:
                entry = _Queued.parse(text)
            except ValueError as problem:
                self._unreadable.report(QUEUE, key, problem)
                entry = _Queued(0.0, 0.0)
            if entry.due <= now:
                ready.append((entry.due, key, text, entry.written))
        found: list[str] = []
        for _, key, text, written in sorted(ready):
            if len(found) == most:
                break
            subscription = await self.find(key)
            due = subscription.due if subscription else None
            if due is not None and due <= now:
                found.append(key)
            elif due is not None:
                await self._store.swap(QUEUE, key, text, str(_Queued(now, due)))
            elif now - written >= LINGERS:
                await self._store.swap(QUEUE, key, text, None)
            else:
                await self._store.swap(QUEUE, key, text, str(_Queued(written, written + LINGERS)))
        return found

    async def requeue(self, key: str, subscription: Subscription) -> None:
        """Put a subscription back in the queue if it has something to send."""
        if subscription.due is not None and await self._store.find(QUEUE, key) is None:
            await self._store.swap(QUEUE, key, None, str(_Queued(self._now(), subscription.due)))

    # codes and tokens

    async def sweep(self) -> None:
        """Delete the counts of codes that are older than a day."""
        for fingerprint, body in (await self._store.every(CODES)).items():
            if all(self._now() - at >= DAY for at in _times(body)):
                await self._store.swap(CODES, fingerprint, body, None)

    async def stops(self) -> dict[str, str]:
        """Return the tokens that came in from outside the server, by record."""
        return await self._store.every(STOPS)

    async def stopped(self, record: str) -> None:
        """Delete such a token after it was used."""
        await self._store.forget(STOPS, record)


def _rank(subscription: Subscription) -> float:
    """Return when to look at a subscription; 0 for a code or word that nobody has tried to send yet."""
    new = any(one.what in AT_ONCE and not one.tries for one in subscription.deliveries)
    return 0.0 if new else subscription.due or 0.0


def _times(body: str | None) -> list[float]:
    try:
        return [float(at) for at in json.loads(body or "[]")]
    except (ValueError, TypeError):
        return []
