"""Notes people's habits for the memory of a table's bots; what happens at private tables stays there."""

from __future__ import annotations

from lilygames.chat.names import fold
from lilygames.chat.people import Person
from lilygames.chat.profile import MEMORY, Profile
from lilygames.tables import visible
from lilygames.tables.characters import with_habits
from lilygames.tables.runner import Advanced, Runner


class Witness:
    """Lets the bots at a table remember what everyone has seen of people's habits, such as their lies."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def observe(self, advanced: Advanced) -> None:
        """Let the bots remember what the new events reveal about people who are served here."""
        table, services = advanced.after, self._runner.services
        if table.header.private:
            return
        bots = [who.name for who in table.seats.bots if who.memory is not None]
        if not bots:
            return
        found = [*table.game.reveals(visible.all_seen(advanced.events, None))]
        for seat in dict.fromkeys(one.seat for one in found):
            who = table.seats[seat]
            person = services.people.get(fold(who.name)) if who.person else None
            if person and person.local:
                shown = [one for one in found if one.seat == seat]
                self._remember(person, with_habits(person.profile, table.game, bots, shown))

    def _remember(self, person: Person, profile: Profile) -> None:
        person.set_profile(profile)
        if profile.settings.get(MEMORY) == "on":
            self._runner.services.keep(person)
