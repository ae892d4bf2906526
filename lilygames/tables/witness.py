"""Notes people's claims for the memory of a table's bots; what happens at private tables stays there."""

from __future__ import annotations

from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.chat.profile import MEMORY, Profile
from lilygames.tables import visible
from lilygames.tables.characters import with_claim
from lilygames.tables.runner import Advanced, Runner


class Witness:
    """Lets the bots at a table remember each claim that everyone has seen to be true or a lie."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def observe(self, advanced: Advanced) -> None:
        """Let the bots remember what the new events reveal about people who are served here."""
        table, services = advanced.after, self._runner.services
        if table.header.private:
            return
        bots = [who.name for who in table.seats if who.house and who.memory is not None]
        for event in visible.all_seen(advanced.events, None):
            for seat, honest in table.game.reveals(event):
                who = table.seats[seat]
                person = services.people.get(fold(who.name)) if who.person else None
                if person and person.local:
                    self._remember(person, with_claim(person.profile, table.game, bots, honest=honest))

    def _remember(self, person: Person, profile: Profile) -> None:
        person.set_profile(profile)
        if profile.settings.get(MEMORY) == "on":
            self._runner.services.keep(person)
