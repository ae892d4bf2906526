"""Notices about today and the coming days, for programs and the page, even before anyone logs in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import tzinfo

from lilygames.calendar.events import Events
from lilygames.chat.accounts.accounts import Accounts
from lilygames.game import Game
from lilygames.tables.duplicate import daily_rules
from lilygames.tables.duplicate.daily_deals import has_daily
from lilygames.tournaments.pairing.tournament import Tournament

LISTED = 12
"""Maximum events and tournaments."""
Notice = Mapping[str, object]


class Noticeboard:
    """The games of today's daily deals, the coming events, and the open tournaments."""

    def __init__(
        self,
        games: Mapping[str, Game],
        events: Events,
        tournaments: Mapping[int, Tournament],
        accounts: Accounts,
        *,
        zone: tzinfo,
        clock: Callable[[], float],
    ) -> None:
        self._games = games
        self._events = events
        self._tournaments = tournaments
        self._accounts = accounts
        self._zone = zone
        self._clock = clock

    def facts(self, name: str = "") -> Mapping[str, object]:
        """Return the notices for someone; an empty name is someone who hasn't logged in."""
        daily = [game.name for game in self._games.values() if has_daily(game)]
        day = daily_rules.today(self._clock(), self._zone).isoformat()
        return {"daily": {"day": day, "games": daily}, "events": self._coming(name)}

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
        tournaments: list[tuple[float, Notice]] = [
            (
                one.starts,
                {
                    "kind": "tournament",
                    "number": number,
                    "title": one.header.name,
                    "by": self._accounts.now(one.header.by),
                    "at": int(one.starts),
                    "joined": sum(player.playing for player in one.players.values()),
                    "mine": bool(key) and key in one.players and one.players[key].playing,
                    "game": one.header.game,
                    "state": one.status,
                },
            )
            for number, one in self._tournaments.items()
            if one.going
        ]
        return [notice for _, notice in sorted([*events, *tournaments], key=lambda one: one[0])][:LISTED]
