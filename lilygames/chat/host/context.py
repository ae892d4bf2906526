"""The context of a command: who typed it and the services it can use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from lilygames.chat.host.discussions import Discussions
from lilygames.chat.host.dispatch import Dispatcher
from lilygames.chat.host.feedback import Feedback
from lilygames.chat.host.host import Host
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Bot, Person, Room
from lilygames.chat.talk.history import History
from lilygames.text import Line


class GameRecords(Protocol):
    """The games, as far as chat commands need to know."""

    async def tale(self, person: Person, room: Room) -> Sequence[ChatEvent]:
        """Return the game events of a room, as this person may see them."""

    async def mistakes(self, person: Person) -> Sequence[Line]:
        """Return the costliest moves that the person's reviews have found; raises `UserError`."""

    async def costliest(self, person: Person, words: Sequence[str]) -> Sequence[Line]:
        """Return a report on the person's costliest moves in a finished game; raises `UserError`."""

    async def facts(self, name: str) -> Sequence[str]:
        """Return sentences about a person's games."""

    async def registered(self, person: Person) -> None:
        """Count the games that a person has finished as a guest since they arrived. Raises `StoreUnavailable`."""


@attrs.frozen
class Context:
    """The context of a command, passed to commands whose first parameter is annotated with this class."""

    person: Person
    """The person who typed it."""
    host: Host
    discussions: Discussions
    history: History
    feedback: Feedback
    games: GameRecords
    dispatcher: Dispatcher
    table: Bot | None = None
    """The table named with /at, if any. It overrides the focus."""
