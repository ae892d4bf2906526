"""Tournaments that people have joined: those that begin soon, and those that were cancelled."""

from __future__ import annotations

from collections.abc import Iterator

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.names.names import fold
from lilygames.mailing.items.event_items import AHEAD
from lilygames.mailing.items.items import Item, Waiting
from lilygames.tournaments.director import Director
from lilygames.tournaments.pairing.tournament import Tournament

LATEST = 10
"""Latest tournaments among which cancelled ones are looked for."""


class TournamentItems:
    """The next tournaments, for those who have joined them."""

    def __init__(self, director: Director, accounts: Accounts) -> None:
        self._director = director
        self._accounts = accounts
        self._over: dict[int, Tournament] = {}
        """The latest ones that are over, by number. They don't change any more in what matters here."""

    async def waiting(self, now: float) -> Waiting:
        """Return the tournaments that begin within a day or were cancelled, for everyone who has joined."""
        found: dict[str, list[Item]] = {}
        for one in (*self._director.open.values(), *await self._latest_over()):
            items = [*_items(one, now)]
            for player in one.players.values() if items else ():
                if player.playing:
                    found.setdefault(fold(self._accounts.now(player.name)), []).extend(items)
        return found

    async def _latest_over(self) -> list[Tournament]:
        """Return those of the latest tournaments that are over."""
        numbers = [n for n in await self._director.store.latest(LATEST) if n not in self._director.open]
        known = {number: self._over.get(number) or await self._director.store.find(number) for number in numbers}
        self._over = {number: one for number, one in known.items() if one and not one.going}
        return [*self._over.values()]


def _items(one: Tournament, now: float) -> Iterator[Item]:
    """Yield what to tell about a tournament that hasn't begun."""
    number, text, starts = one.header.number, f"The tournament {one.header.name}", one.starts
    if one.status == "open" and now < starts < now + AHEAD:
        act = f"/join {one.header.name}"
        yield Item(key=f"tournament {number} {int(starts)}", text=text, act=act, since=starts - AHEAD, starts=starts)
    if one.status == "cancelled" and now < starts:
        yield Item(
            key=f"tournament {number} cancelled",
            text=text,
            act="/tournament",
            since=one.done,
            starts=starts,
            says="was cancelled. It was planned for",
            changed=True,
        )
