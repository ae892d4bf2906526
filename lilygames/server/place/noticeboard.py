"""Notices about today and the coming days, for programs and the page, even before anyone logs in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo

from lilygames.calendar.events import Events
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.host import packets
from lilygames.chat.host.friends import has_friend
from lilygames.chat.host.present import present_before_login
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Everybody
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import Terminal
from lilygames.game import Game
from lilygames.server.place.place_news import PlaceNews
from lilygames.server.place.top_ranks import TopRanks
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_deals import has_daily
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.visits.lobby_tables import LobbyTables
from lilygames.tournaments.pairing.tournament import Tournament
from lilygames.tournaments.timetable import Timetable

LISTED = 12
"""Maximum events and tournaments."""
Notice = Mapping[str, object]


class Noticeboard:
    """The contents of the lobby: who is here, the tables, today's deals, what is coming, and the top of a ranking."""

    def __init__(
        self,
        games: Mapping[str, Game],
        events: Events,
        tournaments: Mapping[int, Tournament],
        timetable: Timetable,
        accounts: Accounts,
        *,
        people: Everybody[Person],
        tables: OpenTables,
        top: TopRanks,
        zone: tzinfo,
        clock: Callable[[], float],
    ) -> None:
        self._games = games
        self._events = events
        self._tournaments = tournaments
        self._timetable = timetable
        self._accounts = accounts
        self._people = people
        self._tables = tables
        self._top = top
        self._zone = zone
        self._clock = clock
        self.lobby_tables = LobbyTables(tables, people.is_here)
        """The tables that the lobby shows."""
        self.news = PlaceNews(self._shared, self._personal)
        """Tells those who show the lobby what changes."""

    def facts(self, name: str = "") -> Mapping[str, object]:
        """Return the notices for someone; an empty name is someone who hasn't logged in."""
        tables, more = self._tables.first_facts(packets.FIRST_TABLES)
        return {"tables": tables, "more": more, **self._shared(), **self._personal(name)}

    def follow(self, terminal: Terminal, told: Mapping[str, object], name: str = "") -> None:
        """Tell someone who has been `told` the notices what changes in them."""
        self.news.follow(terminal, name, told)

    def unfollow(self, terminal: Terminal) -> None:
        """Tell someone no more."""
        self.news.unfollow(terminal)

    def _shared(self) -> Mapping[str, object]:
        """Return what is the same for everyone."""
        here = present_before_login(self._people, packets.NAMED)
        daily = [game.name for game in self._games.values() if has_daily(game)]
        day = daily_rules.today(self._clock(), self._zone).isoformat()
        return {
            "people": here.people,
            "who": [*here.names],
            **self.lobby_tables.facts(),
            "daily": {"day": day, "games": daily},
            "events": self._coming(""),
            "top": self._top.facts,
        }

    def _personal(self, name: str) -> Mapping[str, object]:
        """Return what is special for someone: what they have joined, and which of their friends are here."""
        person = self._people.get(fold(name)) if name else None
        return {"events": self._coming(name), "friends": self._friends(person) if person else []}

    def _friends(self, person: Person) -> Sequence[str]:
        found = filter(None, map(self._people.get, sorted(person.profile.friends)))
        return [other.name for other in found if other.here and has_friend(person, other)]

    def _coming(self, name: str) -> Sequence[Notice]:
        """Return the events and tournaments, soonest first. A title is the words of the person named in `by`."""
        key = self._accounts.key(name) if name else ""
        events: list[tuple[float, Notice]] = [
            (
                one.at,
                {
                    "kind": "event",
                    "number": one.number,
                    "title": one.title,
                    "by": one.host,
                    "at": int(one.at),
                    "joined": len(one.joined),
                    "mine": bool(name) and self._events.has_joined(one, name),
                    "game": None,
                    "state": "open",
                },
            )
            for one in self._events.known
        ]
        stored = [one for one in self._tournaments.values() if one.going]
        coming = [Tournament(header) for header in self._timetable.coming(self._clock(), self._tournaments.values())]
        tournaments = [(one.starts, self._tournament(one, key)) for one in (*stored, *coming)]
        return [notice for _, notice in sorted([*events, *tournaments], key=lambda one: one[0])][:LISTED]

    def _tournament(self, one: Tournament, key: str) -> Notice:
        """Return the notice of a tournament for the person with an account key, which is empty for nobody.

        One of the place's own that nobody has joined has the number 0.
        """
        player = one.players.get(key)
        return {
            "kind": "tournament",
            "number": one.header.number,
            "title": one.header.name,
            "by": self._accounts.now(one.header.by),
            "at": int(one.starts),
            "joined": sum(player.playing for player in one.players.values()),
            "mine": player is not None and player.playing,
            "away": player is not None and not player.playing and one.status == "running",
            "game": one.header.game,
            "state": one.status,
        }
