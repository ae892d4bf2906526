"""What the host has to ask the other nodes of a place, where there are several."""

from __future__ import annotations

from typing import Protocol


class Cluster(Protocol):
    """The nodes that are one place, as one of them sees them."""

    async def claim(self, what: str) -> bool:
        """Return whether a name of a person or a room, `name bob`, `room cafe`, is this node's to give out now.

        Raises `StoreUnavailable`.
        """

    def release(self, what: str) -> None:
        """Let go of such a name; returns at once."""

    def lag(self, log: str) -> float:
        """Return the seconds for which this node waits with what any node may do for a log."""


class SingleNode:
    """The only node: every name is its own, and it waits for nobody."""

    async def claim(self, _: str) -> bool:
        """Grant every claim."""
        return True

    def release(self, _: str) -> None:
        """Nobody else waits for a name."""

    def lag(self, _: str) -> float:
        """Wait for nobody."""
        return 0.0
