"""The record of where someone is, as their node announces it, and all such records by name."""

from __future__ import annotations

import attrs

from lilygames import codec


@attrs.frozen
class Presence:
    """A person as their node announces them. Of two records the one with the later visit is valid."""

    name: str
    guest: bool
    key: str
    """The key of everything they own."""
    node: str
    visit: int
    """How many times they have logged in, on any node."""
    change: int
    """How many records their node has announced, including this one."""
    here: bool
    """Whether they are connected. Otherwise only their seat is kept."""
    room: str
    rooms: tuple[str, ...]
    away: bool
    idled: bool
    since: float
    typed: float
    slow: bool = attrs.field(default=False, metadata={codec.LATER: True})
    """Whether they need longer where others wait for them."""

    @property
    def order(self) -> tuple[int, str, int]:
        """Sort key: the latest record of a name has the highest."""
        return self.visit, self.node, self.change

    def tells(self, now: Presence) -> bool:
        """Return whether what was announced still holds. When they last typed doesn't count."""
        return self.change > 0 and attrs.evolve(self, change=0, typed=now.typed) == now


class Records(dict[str, Presence]):
    """The last record of everyone, by folded name."""

    def __init__(self, node: str) -> None:
        super().__init__()
        self.served: dict[str, None] = {}
        """Those of the people whom this node serves."""
        self._node = node
        self._by_key: dict[str, str] = {}

    def __setitem__(self, name: str, record: Presence) -> None:
        if name in self:
            del self[name]
        super().__setitem__(name, record)
        self._by_key[record.key] = name
        if record.node == self._node:
            self.served[name] = None

    def __delitem__(self, name: str) -> None:
        record = self.pop(name)
        if self._by_key.get(record.key) == name:
            del self._by_key[record.key]
        if record.node == self._node:
            self.served.pop(name, None)

    def owner(self, key: str) -> str:
        """Return the folded name of the person who owns what is under a key; empty if they aren't here."""
        return self._by_key.get(key, "")
