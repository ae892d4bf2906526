"""What a command is given: who typed it, and the parts of the place that it may use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from lilygames.chat.discussions import Discussions
from lilygames.chat.events import ChatEvent
from lilygames.chat.feedback import Feedback
from lilygames.chat.history import History
from lilygames.chat.host import Host
from lilygames.chat.people import Bot, Person, Room
from lilygames.text import Line


class GameRecords(Protocol):
    """What the tables can say to those who only talk."""

    async def tale(self, person: Person, room: Room) -> Sequence[ChatEvent]:
        """Return what the game in a room has told, as somebody may know it."""

    async def costliest(self, person: Person, words: Sequence[str]) -> Sequence[Line]:
        """Return what is said of somebody's costliest moves in a finished game; raises `UserError`."""

    async def facts(self, name: str) -> Sequence[str]:
        """Return what there is to say of somebody's games, sentence by sentence."""


@attrs.frozen
class Context:
    """A command on its way. A command whose first parameter is annotated with it is given one."""

    person: Person
    """Who typed it."""
    host: Host
    discussions: Discussions
    history: History
    feedback: Feedback
    games: GameRecords
    table: Bot | None = None
    """The table that the person has named with /at, whatever else would be meant."""
