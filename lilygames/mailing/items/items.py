"""Things that wait for people: a value for each, and the interface of the parts that know of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs


@attrs.frozen
class Item:
    """One thing that waits for a person: their turn, an invitation, or an event that they have joined.

    It holds no secrets: what it says is read by mail servers on the way.
    """

    key: str
    """Identifies it, on every node and after a restart: `turn 12 34`."""
    text: str
    """The thing that waits, as one sentence; the event in a few words, because its time depends on the reader."""
    act: str
    """The command to type: `/at 12`."""
    since: float
    """When it came up, in seconds since 1970."""
    starts: float = 0.0
    """When the event begins that this is about; 0 if it isn't an event."""
    says: str = "begins"
    """The words between the event and its time."""
    changed: bool = False
    """Whether this says that the event was changed at `since`. It doesn't wait until shortly before the event."""
    table: int = 0
    """The number of the table that this is about; 0 if it isn't one."""
    by: str = ""
    """The name of the person who did this, if it was someone: people who ignore them aren't told."""


Waiting = Mapping[str, Sequence[Item]]
"""The things that wait for each person, by folded name."""


class Source(Protocol):
    """A part of the server that knows of things that wait for people."""

    async def waiting(self, now: float) -> Waiting:
        """Return what waits now. May raise `StoreUnavailable`."""
