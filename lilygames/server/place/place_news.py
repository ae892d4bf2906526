"""News of the place for pages that show the lobby: what has changed, at most once a second.

Nothing is looked at while nobody shows the lobby. Everything that all readers share is looked up once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from weakref import WeakKeyDictionary

import attrs

from lilygames.chat.people.terminal import Terminal
from lilygames.chat.tasks import current_request
from lilygames.text import Packet

EACH = 1.0
"""Seconds between two looks."""
STRANGERS = 5
"""Looks after which those who haven't logged in are told: what they are sent is counted."""
Facts = Mapping[str, object]


@attrs.define(eq=False)
class _Reader:
    """Someone who shows the lobby; the name is empty before the login."""

    name: str
    known_facts: dict[str, object]
    """The facts that they know."""
    due: bool = True
    """Whether something may have changed since they were told."""


class PlaceNews:
    """Tells those who show the lobby what has changed there.

    `shared` returns what is the same for everyone, and `personal` what only the person with a name is told.
    """

    def __init__(self, shared: Callable[[], Facts], personal: Callable[[str], Facts]) -> None:
        self._shared = shared
        self._personal = personal
        self._readers: WeakKeyDictionary[Terminal, _Reader] = WeakKeyDictionary()
        self._known: Facts = {}
        self._looks = 0
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, terminal: Terminal, name: str, told: Facts) -> None:
        """Tell someone what changes from now on; they have been `told` the rest."""
        self._readers[terminal] = _Reader(name, dict(told))
        self._soon()

    def unfollow(self, terminal: Terminal) -> None:
        """Tell someone no more."""
        self._readers.pop(terminal, None)

    def _soon(self) -> None:
        if self._timer is None and self._readers:
            self._timer = asyncio.get_running_loop().call_later(EACH, self.tell)

    def tell(self) -> None:
        """Tell everyone who reads fast enough what has changed."""
        self._timer = None
        current_request.set_to(None)  # this may run in the context of the request that began it
        self._looks += 1
        shared = self._shared() if self._readers else {}
        changed, self._known = shared != self._known, shared
        for terminal, reader in [*self._readers.items()]:
            reader.due = reader.due or changed
            if reader.due and terminal.keeps_up and self._may_be_told(terminal, reader):
                self._tell(terminal, reader, {**shared, **self._personal(reader.name)})
        self._soon()

    def _may_be_told(self, terminal: Terminal, reader: _Reader) -> bool:
        """Whether it is time to tell someone. Programs are told what they have asked for after a login."""
        return bool(reader.name) or (terminal.takes_picture and self._looks % STRANGERS == 0)

    @staticmethod
    def _tell(terminal: Terminal, reader: _Reader, now: Facts) -> None:
        changed = {key: value for key, value in now.items() if reader.known_facts.get(key) != value}
        if changed:
            terminal.packet(Packet("place_update", changed))
        reader.known_facts, reader.due = dict(now), False
