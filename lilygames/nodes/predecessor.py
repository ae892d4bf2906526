"""The node that has restarted as this one, and how far it had shown the messages of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import attrs


@attrs.frozen
class Predecessor:
    """The node of the process before: its name, and the number of messages that had arrived there by other node."""

    node: str = ""
    """Empty if there was none."""
    arrived: Mapping[str, int] | None = None
    """None if it was of an earlier release, which doesn't say."""

    def arrived_from(self, node: str) -> int | None:
        """Return how many messages of another node had arrived; None if that isn't known."""
        return None if self.arrived is None else self.arrived.get(node, 0)

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields that say so in a heartbeat or hint."""
        told = {"arrived_before": {**self.arrived}} if self.arrived is not None else {}
        return {"follows": self.node, **told} if self.node else {}

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Return the predecessor that a heartbeat or hint names. Raises `ValueError`, `TypeError`, `AttributeError`."""
        arrived = fields.get("arrived_before")
        counts = arrived if arrived is None else {str(node): int(number) for node, number in arrived.items()}
        return cls(str(fields.get("follows", "")), counts)


NOBODY = Predecessor()
"""There was no process before."""
