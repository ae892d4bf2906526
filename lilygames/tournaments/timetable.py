"""The place's own tournaments that come next, as headers. They are stored when the first person joins."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import tzinfo

import attrs

from lilygames.game import Game
from lilygames.tournaments.pairing import settings
from lilygames.tournaments.pairing.log import Header
from lilygames.tournaments.pairing.tournament import Tournament
from lilygames.tournaments.schedule import Series


class Timetable:
    """The series of a place, with a header for each of their games."""

    def __init__(self, series: Sequence[Series], games: Mapping[str, Game], zone: tzinfo) -> None:
        """Raises `UserError` if a game can't be played so. Games that aren't installed are left out."""
        installed = (_only(one, games) for one in series)
        self._series = tuple(one for one in installed if one.games)
        self._headers = {
            (one.key, name): attrs.evolve(settings.of_place(games[name], one.words), series=one.key)
            for one in self._series
            for name in one.games
        }
        self._zone = zone
        self._known_at = float("inf")
        self._next: Sequence[Header] = ()
        """The next tournament of each series at that time, the soonest first. Lobbies ask once a second."""

    def coming(self, now: float, known: Collection[Tournament]) -> Sequence[Header]:
        """Return the next tournament of each series, the soonest first, without those that are among the `known`.

        Each has a name that no open tournament and none of the others has. Its number is 0.
        """
        stored = {(one.header.series, one.header.starts) for one in known}
        taken = {one.header.name.casefold() for one in known}
        found = []
        for header in self._all_next(now):
            if (header.series, header.starts) not in stored:
                name = free_name(header.name, lambda name: name.casefold() in taken)
                taken.add(name.casefold())
                found.append(attrs.evolve(header, name=name))
        return found

    def _all_next(self, now: float) -> Sequence[Header]:
        if not (self._next and self._known_at <= now < self._next[0].starts):
            self._known_at = now
            self._next = sorted((self._next_of(one, now) for one in self._series), key=lambda one: one.starts)
        return self._next

    def _next_of(self, series: Series, now: float) -> Header:
        start = series.start_after(now, self._zone)
        return attrs.evolve(self._headers[series.key, series.game_at(start, self._zone)], starts=start)


def _only(series: Series, games: Mapping[str, Game]) -> Series:
    return attrs.evolve(series, games=tuple(name for name in series.games if name in games))


def unknown_games(series: Iterable[Series], games: Mapping[str, Game]) -> list[str]:
    """Return the games of a schedule that aren't installed."""
    return [name for one in series for name in one.games if name not in games]


def free_name(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return a name, with a number if it is taken: `ohell-swiss-2`."""
    number, free = 1, name
    while is_taken(free):
        number += 1
        free = f"{name[: settings.NAME - 1 - len(str(number))]}-{number}"
    return free
