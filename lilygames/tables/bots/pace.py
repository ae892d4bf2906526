"""How fast bots move at a table: fast enough for players, slow enough to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person
from lilygames.tables.play.publish import Publisher
from lilygames.tables.play.runner import Runner
from lilygames.tables.play.services import Bots
from lilygames.tables.sight import packets
from lilygames_rules.kit import Seat

DELAYS: Mapping[str, float] = {"on": 1.0, "off": 0.0, "long": 2.5}
"""Factors of `/set delay` for the pauses, which are at least `LEAST`. The default is `auto`."""
PAUSES = 5
"""Moves in a row that have a whole pause; later ones have the least."""
LEAST = 0.25
"""Least share of a pause. Without one, a move would come as soon as the bot has thought.

A bot's only legal card would then come sooner than one of several.
"""

LATEST = 2.5
"""Seconds after which a bot's move is told even if the row isn't complete, since a bot may think for long."""


def slowest(people: Iterable[Person]) -> float:
    """Return the longest delay that any of these people wants. It is 1 if nobody is here."""
    return max((_wanted(person) for person in people if person.here), default=1.0)


def _wanted(person: Person) -> float:
    """Return the delay that a person wants: programs want none, unless a person reads along and asks for one.

    People at pages watch the moves, too.
    """
    settings = person.profile.settings
    if person.takes_picture:
        return DELAYS.get(settings.get("delay", "auto"), 1.0)
    if person.voice.each or settings.get("machine") == "on":
        return 0.0
    follows = any(map(person.supports, packets.NAMES))
    return DELAYS.get(settings.get("delay", "auto"), 0.0 if follows else 1.0)


class Pace:
    """The pauses before the bots' moves of a table."""

    def __init__(self, runner: Runner, publisher: Publisher, bots: Bots, people: Everybody[Person]) -> None:
        self._bots, self._people = bots, people
        self._runner = runner
        self._publisher = publisher

    def pause(self, seat: Seat) -> float:
        """Return the seconds until the next bot's move, which follow from what everyone sees, and from luck.

        It is due one pause after the last move, or after the row before. Programs, games by mail, and those who want no
        delay get the least pause. If everyone can see that the bot has only one move, it moves at once.
        """
        table = self._runner.table
        if table.started and table.game.forced(table.view(None), seat):
            return 0.0
        players = [person for name in table.seats.owners if (person := self._people.get(name))]
        here = [person for person in players if person.here] or self._publisher.audience
        pause = self._bots.pause()
        wanted = 0.0 if table.clock.slow else slowest(here)
        due = pause * wanted * min(self._publisher.waiting + 1, PAUSES)
        return max(pause * LEAST, due - self._publisher.since_row)
