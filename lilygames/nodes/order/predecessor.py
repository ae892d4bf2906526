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
    arrived: Mapping[str, int] = attrs.field(factory=dict)

    def arrived_from(self, node: str) -> int:
        """Return how many messages of another node had arrived."""
        return self.arrived.get(node, 0)

    @property
    def fields(self) -> Mapping[str, Any]:
        """The fields that say so in a heartbeat or hint."""
        return {"follows": self.node, "arrived_before": {**self.arrived}} if self.node else {}

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self:
        """Return the predecessor that a heartbeat or hint names. Raises `ValueError`, `TypeError`, `AttributeError`."""
        arrived = fields.get("arrived_before", {})
        return cls(str(fields.get("follows", "")), {str(node): int(number) for node, number in arrived.items()})


NOBODY = Predecessor()
"""There was no process before."""
