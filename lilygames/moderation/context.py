"""The context of a moderation command: who typed it, and the desk."""

from __future__ import annotations

import attrs

from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.moderation.desk import Actor, Desk
from lilygames.moderation.reports import Reports
from lilygames.tables.open.tables import Tables


@attrs.frozen
class ModerationContext:
    """The context of a moderation command, passed to commands whose first parameter is annotated with it."""

    person: Person
    """The person who typed it."""
    host: Host
    desk: Desk
    reports: Reports
    tables: Tables

    @property
    def staff(self) -> Actor:
        """The person as a moderator or sysop of the whole place; raises `UserError` if they are neither."""
        actor = self.desk.actor(self.person)
        if not actor.rank:
            raise UserError("only moderators and sysops can do that. Type /report NAME and why to tell them.")
        return actor
