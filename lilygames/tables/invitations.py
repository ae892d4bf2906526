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

    def observe(self, advanced: Advanced) -> None:
        """Take note of who is invited, who may know of the table then, and who declines."""
        match advanced.act:
            case Noted("invited", name):
                self._guests.add(fold(name))
                self._declined.discard(fold(name))
                self._runner.room.permit(name)
            case Noted("declined", name):
                self._declined.add(fold(name))

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
