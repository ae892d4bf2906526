"""Invitations to a table: who is invited, who declined, and who hasn't answered."""

from __future__ import annotations

from lilygames.chat.names.names import fold
from lilygames.tables.log.acts import NOTES, Noted
from lilygames.tables.play.runner import Advanced, Runner


class Invitations:
    """The invitations to a table: those in its header and later ones."""

    acts = NOTES

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._declined: set[str] = set()
        self._guests: set[str] = set()
        """Folded names of people invited after the table was opened."""
        self._inviters: dict[str, set[str]] = {}
        """Folded names of the people who invited each of them."""
        self._asking: set[str] = set()
        """Folded names of people who asked to replace a bot."""

    def observe(self, advanced: Advanced) -> None:
        """Record invitations and declines."""
        match advanced.act:
            case Noted("invited", name, by):
                self._guests.add(fold(name))
                self._inviters.setdefault(fold(name), set()).add(fold(by))
                self._declined.discard(fold(name))
                self._runner.room.permit(name)
            case Noted("declined", name):
                self._declined.add(fold(name))

    def ask(self, name: str) -> None:
        """Record that someone asked to replace a bot; it holds until they have a seat."""
        self._asking.add(fold(name))

    def asks(self, name: str) -> bool:
        """Return whether someone asked to replace a bot."""
        return fold(name) in self._asking

    def inviters(self, name: str) -> frozenset[str]:
        """Return the folded names of the people who invited someone after the table was opened."""
        return frozenset(self._inviters.get(fold(name), ()))

    @property
    def names(self) -> frozenset[str]:
        """Names of everyone who was ever invited; those invited later are folded."""
        return frozenset(self._runner.table.header.invited) | self._guests

    @property
    def unanswered(self) -> list[str]:
        """Names of invited people who haven't answered."""
        table = self._runner.table
        guests = table.header.invited if not table.started else ()
        return [name for name in guests if table.seat_of(name) is None and fold(name) not in self._declined]

    def invited_later(self, name: str) -> bool:
        """Return whether someone was invited after the table was opened."""
        return fold(name) in self._guests

    def invites(self, name: str) -> bool:
        """Return whether the person with this name may accept or decline an invitation to this table."""
        table = self._runner.table
        if name not in table.header.invited and not self.invited_later(name):
            return False
        asked = self.invited_later(name) and fold(name) not in self._declined and table.own_seat(name) is None
        return name in self.unanswered or (asked and not table.closed)
