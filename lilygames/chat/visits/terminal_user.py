"""The user of a terminal after the login."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import attrs

from lilygames.chat.host import completion, own_texts, packets
from lilygames.chat.host.host import Host
from lilygames.chat.host.host_directory import HostDirectory
from lilygames.chat.people.directory import Directory
from lilygames.chat.people.people import Person
from lilygames.chat.visits.session_tokens import confirm
from lilygames.errors import UserError, refusal
from lilygames.text import Line


@attrs.frozen
class PersonAtTerminal:
    """A person at a terminal (`lilygames.chat.people.terminal.TerminalUser`)."""

    host: Host
    person: Person

    @property
    def directory(self) -> Directory:
        """The people here, and the rooms that the person may see."""
        return HostDirectory(self.host, self.person)

    @property
    def seen(self) -> Mapping[int, int]:
        """The log entry of each of their tables' positions that is on the screen, by table number."""
        return self.person.focus.seen

    def complete(self, text: str) -> Sequence[str]:
        """Return the full lines that complete `text`."""
        return completion.completions(self.host, self.person, text)

    def complete_move(self, text: str, table: int) -> Sequence[Mapping[str, str]]:
        """Return the moves at a table that `text` begins: each as it is typed, and as it is read aloud."""
        return self.host.tables.completed(self.person, table, text)

    def asked_for(self, packet: str) -> None:
        """Send a packet that the person's client has asked for."""
        packets.answer(self.host, self.person, packet)

    def get(self, what: str, table: int | None) -> Line | None:
        """Send what the person's program has asked for; return the line that refuses it, if it isn't there."""
        return packets.got(self.host, self.person, what, table)

    def follow_tables(self, *, on: bool) -> None:
        """Send the person's program what changes in the list of tables from now on, or stop that."""
        (self.host.tables.follow if on else self.host.tables.unfollow)(self.person)

    def follow_place(self, *, on: bool) -> None:
        """Send the person's program what changes in the notices of the place from now on, or stop that."""
        packets.follow_place(self.host, self.person, on=on)

    def confirm(self) -> None:
        """Record that the client has got everything, including the newest token of its session."""
        if self.person.unconfirmed:
            self.person.resume(self.person.session)
            self.host.lobby.post(partial(confirm, self.host, self.person))

    def store(self, what: own_texts.What, name: str, lines: Sequence[str]) -> Line:
        """Store a text that the person's client has sent in one piece, and return what to say."""
        try:
            return Line(own_texts.store(self.host, self.person, what, name, lines), by=self.person.name)
        except UserError as problem:
            return refusal(problem, self.person.name)

    def changed(self) -> None:
        """Update the person's audiences after their terminal has changed."""
        self.person.changed()
