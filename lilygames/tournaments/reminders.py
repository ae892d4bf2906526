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
from lilygames.chat.rooms.lobbies import LOBBY
from lilygames.chat.tasks.periodic import regularly
from lilygames.store import Store
from lilygames.tournaments import words
from lilygames.tournaments.director import Director
from lilygames.tournaments.pairing.tournament import Player, Tournament

KIND = "tournament-reminder"
"""Kind of the records of the last reminder: the start it was for, and how many minutes before it was due."""
TOLD = "tournament-told"
"""Kind of the record of the last start of the place's own tournaments that the lobby was told of."""
LOBBY_AHEAD, SELDOM = 600.0, 3600.0
"""Seconds before a start from which the lobby is told of it, and seconds between two such starts."""


class TournamentReminders:
    """Reminds those who joined a tournament, 15 and 2 minutes before it starts. Every node may run it.

    The lobby is told of the place's own tournaments 10 minutes before, of one start an hour. `/notify` turns that off.
    """

    def __init__(self, director: Director, store: Store) -> None:
        self._director = director
        self._host = director.host
        self._store = store

    async def watch(self) -> None:
        """Look periodically until cancelled."""
        await regularly(GLANCE, self.look, "cannot remind people of tournaments")

    async def look(self) -> None:
        """Send the reminders that are due now; raises `StoreUnavailable`."""
        await self._tell_lobby(self._host.now())
        for one in [*self._director.open.values()]:
            if one.status == "open":
                await self._remind(one, self._host.now())
        for number in (await self._store.every(KIND)).keys() - set(map(str, await self._director.store.open_numbers())):
            await self._store.forget(KIND, number)

    async def _tell_lobby(self, now: float) -> None:
        """Tell the people in the lobby what begins next, unless another node was faster."""
        stored = [one for one in self._director.open.values() if one.status == "open" and one.header.of_place]
        next_ones = [*(one.header for one in stored), *self._director.coming()]
        soon = [one for one in next_ones if 0 < one.starts - now <= LOBBY_AHEAD]
        joined = {key for one in stored for key, player in one.players.items() if player.playing}
        people = [person for person in self._lobby() if self._host.accounts.key(person.name) not in joined]
        if not (soon and people):
            return
        start, before = min(one.starts for one in soon), await self._store.find(TOLD, LOBBY)
        if before and start < float(before.split()[0]) + SELDOM:
            return
        if await self._store.swap(TOLD, LOBBY, before, f"{start} {secrets.token_hex(6)}"):
            text = words.soon([one for one in soon if one.starts == start], now)
            self._host.tell(ChatEvent("tournament", "", rooms=(LOBBY,), text=text), people)

    def _lobby(self) -> Iterator[Person]:
        """Yield the people in the lobbies, on any node."""
        for room in [*self._host.rooms.values()]:
            if self._host.lobbies.includes(room):
                yield from [*room.audience.here]

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
