"""Outboxes that are sent the same rows: a flush of all is scheduled once, however much they are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lilygames.edge.outbox import SOFT, Outbox, flusher


class Outboxes:
    """Outboxes that get the same rows.

    News about others waits a moment. Everything else is sent at the end of the turn, together with any waiting news.
    """

    def __init__(self) -> None:
        self._puts: dict[Outbox, Callable[[bytes], object]] = {}
        self._flusher = flusher()
        self._scheduled = self._news_scheduled = -1
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._puts)

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._puts

    def add(self, outbox: Outbox) -> None:
        """Add an outbox; if a flush is already scheduled, schedule one for it too."""
        self._puts[outbox] = outbox.append
        if self._scheduled == self._flusher.turns:
            self._flusher.schedule((outbox,))
        if self._news_scheduled == self._flusher.moments:
            self._flusher.schedule_news((outbox,))

    def drop(self, outbox: Outbox) -> None:
        """Remove an outbox."""
        del self._puts[outbox]

    def put(self, rows: bytes, but: Iterable[Outbox] = (), *, news: bool = False) -> None:
        """Queue rows in all outboxes except `but`; if a turn has very many, send them at once."""
        if not news:
            self._schedule()
        elif self._scheduled != self._flusher.turns and self._news_scheduled != self._flusher.moments:
            self._news_scheduled = self._flusher.moments
            self._flusher.schedule_news(self._puts)
        for put in self._puts.values():
            put(rows)
        for outbox in but:
            outbox.take_back()
        self._size += len(rows)
        if self._size > SOFT:
            self._schedule()
            self._size = 0
            self._flusher.end()

    def _schedule(self) -> None:
        if self._scheduled != self._flusher.turns:
            self._scheduled, self._size = self._flusher.turns, 0
            self._flusher.schedule(self._puts)
