"""Somebody at a terminal, as their terminal knows them."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from lilygames.chat import completion, packets
from lilygames.chat.host import Host
from lilygames.chat.people import Person


@attrs.frozen
class PersonAtTerminal:
    """A person at a terminal (`lilygames.chat.terminal.TerminalUser`)."""

    host: Host
    person: Person

    def complete(self, text: str) -> Sequence[str]:
        """Return the whole lines that a line begun can become."""
        return completion.completions(self.host, self.person, text)

    def asked_for(self, packet: str) -> None:
        """Send the packet that the person's program asks for."""
        packets.answer(self.host, self.person, packet)

    def changed(self) -> None:
        """Let the person be told from now on as their terminal shows it now."""
        self.person.changed()
