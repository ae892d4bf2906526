"""Reminders of tournaments, on the clock: each is shown at most once, whatever node sends it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from lilygames.calendar.event import NEVER, REMINDERS, reminder_due
from lilygames.calendar.reminders import GLANCE
from lilygames.calendar.upcoming import Upcoming
from lilygames.chat.names.names import fold
from lilygames.chat.names.time_text import distance
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.people import Person
from lilygames.chat.tasks.periodic import regularly
from lilygames.store import Store
from lilygames.tournaments.director import Director
from lilygames.tournaments.pairing.tournament import Player, Tournament

KIND = "tournament-reminder"
"""Kind of the records of the last reminder: the start it was for, and how many minutes before it was due."""


class TournamentReminders:
    """Reminds those who joined a tournament, 15 and 2 minutes before it starts. Every node may run it."""

    def __init__(self, director: Director, store: Store) -> None:
        self._director = director
        self._host = director.host
        self._store = store

    async def watch(self) -> None:
        """Look periodically until cancelled."""
        await regularly(GLANCE, self.look, "cannot remind people of tournaments")

    async def look(self) -> None:
        """Send the reminders that are due now; raises `StoreUnavailable`."""
        for one in [*self._director.open.values()]:
            if one.status == "open":
                await self._remind(one, self._host.now())
        for number in (await self._store.every(KIND)).keys() - set(map(str, await self._director.store.open_numbers())):
            await self._store.forget(KIND, number)

    async def _remind(self, one: Tournament, now: float) -> None:
        """Remind everyone who joined a tournament, unless another node was faster."""
        number, before = str(one.header.number), await self._store.find(KIND, str(one.header.number))
        minutes = reminder_due(one.starts, _reminded(one, before), now)
        new = f"{one.starts} {minutes} {secrets.token_hex(6)}"  # another node's is another word
        if minutes and await self._store.swap(KIND, number, before, new):
            ready = [person for player, person in self._here(one) if player.checked_in]
            others = [person for player, person in self._here(one) if not player.checked_in]
            name, by = one.header.name, self._host.accounts.now(one.header.by)
            text = f"The tournament {name} begins {distance(one.starts - now)}."
            way = f"Go to its room with /join {name}, or type /tournament checkin {name}."
            self._host.tell(ChatEvent("sysmsg", by, text=text), ready)
            self._host.tell(ChatEvent("sysmsg", by, text=f"{text} {way}"), others)

    def _here(self, one: Tournament) -> Iterator[tuple[Player, Person]]:
        """Yield the players who are here, on any node."""
        for player in one.players.values():
            person = self._host.people.get(fold(self._host.accounts.now(player.name)))
            if player.playing and person and person.here:
                yield player, person

    def upcoming(self) -> Iterator[Upcoming]:
        """Yield the tournaments for the greeting."""
        for one in self._director.open.values():
            joined = sum(player.playing for player in one.players.values())
            yield Upcoming(one.starts, f"Tournament {one.header.name}", joined, self._host.accounts.now(one.header.by))


def _reminded(one: Tournament, stored: str | None) -> int:
    """Return the minutes of the last reminder of the present start. Of a delayed start only the last one is sent."""
    starts, minutes, *_ = (stored or "0 0").split()
    if float(starts) == one.starts:
        return int(minutes)
    return NEVER if one.starts == one.header.starts else max(REMINDERS)
