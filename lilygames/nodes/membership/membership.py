"""This node's part in the cluster: liveness, names it may give out, and its turn for shared tasks."""

from __future__ import annotations

from lilygames.nodes.membership.claims import Claims
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.nodes.order.room_order import OrderedRooms
from lilygames.store import Store

LAG = 0.15
"""Seconds that a node waits for the node ranked before it."""
FARTHEST = 3
"""The rank from which on all nodes wait equally long."""


class Membership:
    """The cluster as this node sees it. Implements `lilygames.chat.host.host.Cluster`."""

    def __init__(self, store: Store, name: str) -> None:
        self.name = name
        self.beats = Beats(store, name)
        self.ordered = OrderedRooms()
        self._claims = Claims(store, name, self.beats.lives)

    async def claim(self, what: str) -> bool:
        """Return whether this node may give out a name now. Raises `StoreUnavailable`."""
        return await self._claims.take(what)

    def release(self, what: str) -> None:
        """Release such a name. Returns at once."""
        self._claims.free(what)

    def lag(self, log: str, first: str = "") -> float:
        """Return the seconds that this node waits before it does a task of a log that any node may do.

        The node `first` doesn't wait, if it is alive.
        """
        return LAG * min(self.beats.rank(log, first), FARTHEST)

    def keeps_order(self, room: str) -> bool:
        """Return whether messages in a room, by its key, are shown in the order in which the store has them."""
        return room in self.ordered

    @property
    def resumes(self) -> bool:
        """Whether this node has just restarted, and may not know yet who is in a room at other nodes."""
        return self.ordered.resumes

    def node_place(self) -> tuple[int, int]:
        """Return this node's place among the live nodes, from 0, and how many there are."""
        live = sorted(self.beats.live)
        return live.index(self.name), len(live)

    def is_silent(self, node: str) -> bool:
        """Return whether another node may have died: its heartbeat is late, or it counts as dead."""
        return self.beats.is_late(node)
