"""The context of a tournament command: who typed it, and the tournaments."""

from __future__ import annotations

import attrs

from lilygames.chat.people.people import Person
from lilygames.tournaments.director import Director


@attrs.frozen
class TournamentContext:
    """The context of a tournament command, passed to commands whose first parameter is annotated with it."""

    person: Person
    """The person who typed it."""
    director: Director

    @property
    def key(self) -> str:
        """The key of the person's account."""
        return self.director.host.accounts.key(self.person.name)
