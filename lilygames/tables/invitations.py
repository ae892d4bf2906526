"""Who is invited to a table, who has said no, and whose answer is awaited."""

from __future__ import annotations

from lilygames.chat.names import fold
from lilygames.tables.log import Noted
from lilygames.tables.runner import Advanced, Runner


class Invitations:
    """The invitations to a table: those of its header, and later ones."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._declined: set[str] = set()
        self._guests: set[str] = set()
        """Folded names of those who were invited after the table was opened."""
        self._inviters: dict[str, set[str]] = {}
        """Folded names of those who have invited each of them."""
        self._asking: set[str] = set()
        """Folded names of those who would like to take over a bot's seat."""

    def observe(self, advanced: Advanced) -> None:
        """Take note of who is invited, who may know of the table then, and who declines."""
        match advanced.act:
            case Noted("invited", name, by):
                self._guests.add(fold(name))
                self._inviters.setdefault(fold(name), set()).add(fold(by))
                self._declined.discard(fold(name))
                self._runner.room.permit(name)
            case Noted("declined", name):
                self._declined.add(fold(name))

    def ask(self, name: str) -> None:
        """Take note that somebody would like to take over a bot's seat, until they have one."""
        self._asking.add(fold(name))

    def asks(self, name: str) -> bool:
        """Whether somebody would like to take over a bot's seat."""
        return fold(name) in self._asking

    def inviters(self, name: str) -> frozenset[str]:
        """Return the folded names of those who have invited somebody after the table was opened."""
        return frozenset(self._inviters.get(fold(name), ()))

    @property
    def unanswered(self) -> list[str]:
        """The names of those who have been invited and have not answered."""
        table = self._runner.table
        guests = table.header.invited if not table.started else ()
        return [name for name in guests if table.seat_of(name) is None and fold(name) not in self._declined]

    def invited_later(self, name: str) -> bool:
        """Whether somebody was invited after the table was opened."""
        return fold(name) in self._guests

    def invites(self, name: str) -> bool:
        """Whether the person of that name may accept or decline an invitation to this table."""
        table = self._runner.table
        asked = self.invited_later(name) and fold(name) not in self._declined and table.own_seat(name) is None
        return name in self.unanswered or (asked and not table.closed)
