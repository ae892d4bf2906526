"""What nodes tell each other: hints, at most once, in no promised order. Losing every one of them loses no game."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import attrs


@attrs.frozen
class Reconnected:
    """The bus was away, and hints may have been lost: look for yourself."""


class Bus(Protocol):
    """The one interface of everything that carries hints."""

    async def publish(self, topic: str, hint: bytes) -> None:
        """Send a hint to all who have subscribed to a topic; it never raises and waits for nobody."""

    def subscribe(self, topic: str) -> AsyncIterator[bytes | Reconnected]:
        """Yield the hints of a topic from now on, and `Reconnected` where some may have been lost."""

    async def close(self) -> None:
        """Send no more, and end every subscription."""
