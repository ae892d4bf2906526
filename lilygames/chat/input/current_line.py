"""How the line that is being handled was sent: what its sender saw, and the text by which it is known.

It is a context variable, because only a move at a table asks for it, at the end of a long way.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar

import attrs


@attrs.frozen
class Sent:
    """How a line was sent."""

    seen: Mapping[int, int] = attrs.field(factory=dict)
    """The log entry of each table's position that the sender had on the screen, by table number."""
    once: str = ""
    """A text that the sender has made up for the line, so that it counts once if it's sent twice; empty for none."""
    again: bool = False
    """Whether a line of the same person with this text was followed before."""


_UNKNOWN = Sent()
_CURRENT: ContextVar[Sent] = ContextVar("line", default=_UNKNOWN)


get = _CURRENT.get
"""Return how the line that is being handled here was sent."""


def set_to(sent: Sent | None) -> None:
    """Handle a line that was sent so from now on, in this task; None if nothing is known of that."""
    _CURRENT.set(sent or _UNKNOWN)
