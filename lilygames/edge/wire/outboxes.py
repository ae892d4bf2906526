"""Outboxes that are sent the same rows: a flush of all is scheduled once, however much they are sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from lilygames.edge.wire.outbox import SOFT, Outbox, flusher

_NOBODY: Mapping[Outbox, bytes] = MappingProxyType({})


class Outboxes:
    """Outboxes that get the same rows.

    News about others waits a moment. Everything else is sent at the end of the turn, together with any waiting news.
    """

    def __init__(self) -> None:
        self._rows: dict[Outbox, list[bytes]] = {}
        self._flusher = flusher()
        self._scheduled = self._news_scheduled = -1
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._rows)

    def __contains__(self, outbox: Outbox) -> bool:
        return outbox in self._rows

    def __iter__(self) -> Iterator[Outbox]:
        return iter(self._rows)

    def add(self, outbox: Outbox) -> None:
        """Add an outbox."""
        self._rows[outbox] = outbox.rows

    def drop(self, outbox: Outbox) -> None:
        """Remove an outbox; the rows that wait in it are sent at the end of the turn."""
        del self._rows[outbox]
        if not outbox.empty:
            self._flusher.schedule((outbox,))

    def put(self, rows: bytes, others: Mapping[Outbox, bytes] = _NOBODY, *, news: bool = False) -> None:
        """Queue rows in all outboxes, except that `others` get rows of their own, or nothing if these are empty.

        If a turn has very many rows, send them at once.
        """
        turns = self._flusher.turns
        if not news:
            if self._scheduled != turns:
                self._scheduled, self._size = turns, 0
                self._flusher.schedule(self)
        elif self._scheduled != turns and self._news_scheduled != self._flusher.moments:
            self._news_scheduled = self._flusher.moments
            self._flusher.schedule_news(self)
        for waiting in self._rows.values():
            waiting.append(rows)
        for outbox, own in others.items():
            self._rows[outbox][-1:] = [own] if own else []
        self._size += len(rows)
        if self._size > SOFT:
            self._scheduled, self._size = turns, 0
            self._flusher.schedule(self)
            self._flusher.end()
