"""Notes people's habits for the memory of a table's bots; what happens at private tables stays there."""

from __future__ import annotations

from collections.abc import Callable

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.chat.people.profile import MEMORY
from lilygames.tables.bots.characters import with_habits
from lilygames.tables.log.acts import EVERY_ACT, Sitter
from lilygames.tables.play.runner import Advanced, Runner
from lilygames.tables.play.services import Players
from lilygames.tables.state import visible

SAVED = 60.0
"""Seconds from one time that a person's profile is saved to the next: some games show habits with each move."""


class HabitObserver:
    """Lets the bots at a table remember what everyone has seen of people's habits, such as their lies."""

    acts = EVERY_ACT

    def __init__(self, runner: Runner, players: Players, watch: Callable[[], float]) -> None:
        self._runner = runner
        self._players = players
        self._watch = watch
        self._due: dict[str, float] = {}
        """When what has been seen of a person is saved at the earliest, by name and the monotonic clock."""
        self._unsaved: set[str] = set()
        """People whose profiles know something that isn't saved yet."""

    def observe(self, advanced: Advanced) -> None:
        """Let the bots remember what the new events reveal about people who are served here."""
        table = advanced.after
        if table.header.private:
            return
        bots = [who.name for who in table.seats.bots if who.memory is not None]
        if not bots:
            return
        found = [*table.game.reveals(visible.all_seen(advanced.events, None))]
        for seat in dict.fromkeys(one.seat for one in found):
            if person := self._served(table.seats[seat]):
                shown = [one for one in found if one.seat == seat]
                person.set_profile(with_habits(person.profile, table.game, bots, shown))
                self._unsaved.add(person.name)
        self._save(at_once=table.ended)

    def _served(self, who: Sitter) -> Person | None:
        person = self._players.people.get(fold(who.name)) if who.person else None
        return person if person and person.local else None

    def _save(self, *, at_once: bool) -> None:
        """Save what is known of people who agree, some time after it was last saved."""
        now = self._watch()
        for name in [name for name in self._unsaved if at_once or now >= self._due.get(name, now)]:
            self._unsaved.remove(name)
            self._due[name] = now + SAVED
            person = self._players.people.get(fold(name))
            if person and person.local and person.profile.settings.get(MEMORY) == "on":
                self._players.keep(person)
