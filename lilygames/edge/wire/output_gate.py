"""Output that waits until the messages in it are stored, so that a crash loses nothing that anyone has read.

A message gets a number when it is said. Output that is flushed from then on has it, or comes after it. It is written to
the connections once the message is stored. Everything stays in order. To remove this, let `Outbox.flush` write at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Protocol

import structlog

log = structlog.get_logger()
LONGEST_WAIT = 0.5
"""Seconds that output waits for a slow store. Then it is shown unstored: people would notice a longer pause."""


class Connection(Protocol):
    """Something that writes output to a connection."""

    def write(self, data: bytes) -> None:
        """Write bytes to the connection."""

    def hang_up(self) -> None:
        """Close the connection after everything written."""


class OutputGate:
    """Output in the order in which it was flushed; each piece waits for the last message said before it."""

    def __init__(self) -> None:
        self._said = self._stored = 0
        """Numbers of the last message said, and of the last one up to which all are stored."""
        self._waiting: deque[tuple[int, Connection, bytes | None]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def opened(self) -> bool:
        """Whether output needn't wait."""
        return self._stored >= self._said and not self._waiting

    def said(self, number: int) -> None:
        """Let all output from now on wait until this message is stored."""
        self._said = number
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LONGEST_WAIT, self._give_up, number)

    def stored(self, number: int) -> None:
        """Write the output that waited for this message, and for those before it."""
        self._stored = max(self._stored, number)
        while self._waiting and self._waiting[0][0] <= self._stored:
            _, connection, data = self._waiting.popleft()
            if data is None:
                connection.hang_up()
            else:
                connection.write(data)

    def write(self, connection: Connection, data: bytes | None) -> bool:
        """Keep output until it may be written, or a hang-up if it is None; return False if it may be done at once."""
        if self.opened:
            return False
        self._waiting.append((self._said, connection, data))
        return True

    def _give_up(self, number: int) -> None:
        self._timer = None
        if self._stored < number:
            log.warning("talk is shown before it is stored, because the store is slow")
            self.stored(self._said)
        elif self._stored < self._said:
            self._timer = asyncio.get_running_loop().call_later(LONGEST_WAIT, self._give_up, self._said)
