"""The user of a terminal after the login."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from lilygames.chat import completion, packets
from lilygames.chat.host import Host
from lilygames.chat.people import Person
from lilygames.text import Line


@attrs.frozen
class PersonAtTerminal:
    """A person at a terminal (`lilygames.chat.terminal.TerminalUser`)."""

    host: Host
    person: Person

    def complete(self, text: str) -> Sequence[str]:
        """Return the full lines that complete `text`."""
        return completion.completions(self.host, self.person, text)

    def asked_for(self, packet: str) -> None:
        """Send a packet that the person's client has asked for."""
        packets.answer(self.host, self.person, packet)

    def get(self, what: str, table: int | None) -> Line | None:
        """Send what the person's program has asked for; return the line that refuses it, if it isn't there."""
        return packets.got(self.host, self.person, what, table)

    def changed(self) -> None:
        """Update the person's audiences after their terminal has changed."""
        self.person.changed()
