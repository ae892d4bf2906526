"""This node as one of several: whether it lives, which names are its to give out, and when it is its turn."""

from __future__ import annotations

from lilygames.nodes.claims import Claims
from lilygames.nodes.heartbeat import Beats
from lilygames.store import Store

LAG = 0.15
"""Seconds by which a node of the next rank lets the one before it be first."""
FARTHEST = 3
"""The rank from which on all wait alike."""


class Membership:
    """The cluster as this node sees it (`lilygames.chat.cluster`)."""

    def __init__(self, store: Store, name: str) -> None:
        self.name = name
        self.beats = Beats(store, name)
        self._claims = Claims(store, name, lambda node: node in self.beats.live)

    async def claim(self, what: str) -> bool:
        """Return whether a name is this node's to give out now; raises `StoreUnavailable`."""
        return await self._claims.take(what)

    def release(self, what: str) -> None:
        """Let go of such a name; returns at once."""
        self._claims.free(what)

    def lag(self, log: str) -> float:
        """Return the seconds for which this node waits with what any node may do for a log."""
        return LAG * min(self.beats.rank(log), FARTHEST)
