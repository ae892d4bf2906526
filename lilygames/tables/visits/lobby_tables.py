"""The public tables as the lobby shows them: those that someone can join, and those with people to watch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

import attrs

from lilygames.errors import UserError
from lilygames.picture import Picture
from lilygames.tables.open.open_tables import OpenTables
from lilygames.tables.open.table_index import number_of_spectators
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight.public_row import PublicRow
from lilygames.tables.sight.sight import picture_of
from lilygames.tables.state.table import free_seats
from lilygames.text import listing

LOOKED_AT = 50
"""Maximum tables that are looked at, in the order of `/tables`."""
JOINABLE, WATCHABLE = 4, 6
"""Maximum tables of each kind."""
_NAMED, _LONGEST = 2, 24
"""Maximum people named for a table, and letters of what lies in its middle."""
Facts = Mapping[str, object]


@attrs.frozen
class Joinable:
    """A table with people that anyone may join: now, or at the next round in place of a bot."""

    table: int
    game: str
    title: str
    names: tuple[str, ...]
    """The people there."""
    bots: int
    free: int
    """The seats that one can take."""
    now: bool
    """Whether the game hasn't started; otherwise a bot's seat is free at the next round."""

    @property
    def facts(self) -> Facts:
        """The table for pages and programs."""
        return {
            "table": self.table,
            "game": self.game,
            "names": [*self.names],
            "bots": self.bots,
            "free": self.free,
            "now": self.now,
        }

    @property
    def sentence(self) -> str:
        """The table in words: `moss plays Liars Dice with 3 bots`, `moss and jo wait for players at Ohell`."""
        people = listing(self.names[:_NAMED])
        many = len(self.names) > 1
        if self.now:
            return f"{people} {'wait' if many else 'waits'} for players at {self.title}"
        bots = "a bot" if self.bots == 1 else f"{self.bots} bots"
        return f"{people} {'play' if many else 'plays'} {self.title} with {bots}"


@attrs.frozen
class _Drawn:
    """The texts of a table's picture for the lobby, after an entry of its log."""

    seq: int
    part: str
    middle: str
    turn: int | None


class LobbyTables:
    """Lists the tables of a lobby, from memory. `is_here` says whether someone with a folded name is connected."""

    def __init__(self, tables: OpenTables, is_here: Callable[[str], bool]) -> None:
        self._tables = tables
        self._is_here = is_here
        self._drawn: dict[int, _Drawn] = {}

    def joinable(self) -> list[Joinable]:
        """Return the tables that anyone may join; those whose games haven't started come first."""
        found = [one for number in self._numbers() if (one := self._joinable(number))]
        return sorted(found, key=lambda one: not one.now)[:JOINABLE]

    def facts(self) -> Facts:
        """Return both lists for pages and programs."""
        playing = [one for number in self._numbers() if (one := self._watchable(number))][:WATCHABLE]
        known = {one["number"] for one in playing}
        self._drawn = {number: drawn for number, drawn in self._drawn.items() if number in known}
        return {"waiting": [one.facts for one in self.joinable()], "playing": playing}

    def _numbers(self) -> Iterator[int]:
        return (number for *_, number in self._tables.listed.public(LOOKED_AT))

    # tables to join

    def _joinable(self, number: int) -> Joinable | None:
        bot = self._tables.bots.get(number)
        if bot is None:
            return self._joinable_elsewhere(number)
        table, people = bot.table, self._people(bot)
        open_to = not (table.header.accepts or table.header.tournament or table.header.duplicate or table.clock.slow)
        free, now = self._free(bot)
        if not (people and free and open_to):
            return None
        return Joinable(number, table.game.name, table.game.title, people, len(table.seats.bots), free, now)

    @staticmethod
    def _free(bot: TableBot) -> tuple[int, bool]:
        """Return how many seats anyone may take, and whether that is before the start."""
        if bot.table.started:
            return bot.open_seats.left, False
        return (free_seats(bot.table) if bot.open_to_all else 0), True

    def _joinable_elsewhere(self, number: int) -> Joinable | None:
        """Return a table that only other nodes follow, as its row tells."""
        row = self._tables.remote.waiting(number)
        game = self._tables.games.get(row.game) if row else None
        if not (row and game and row.vacancies) or row.private or row.tournament or row.slow or row.invited:
            return None
        if not (row.players and row.vacancies.open) or row.vacancies.accepts or self._tables.absent_elsewhere(row):
            return None
        bots = row.seats - len(row.players)
        return Joinable(number, row.game, game.title, row.players, bots, row.vacancies.open, now=True)

    # tables to watch

    def _people(self, bot: TableBot) -> tuple[str, ...]:
        """Return the players of a table who are here."""
        return tuple(who.name for who in bot.table.seats.people if bot.publisher.is_here(who.name))

    def _watchable(self, number: int) -> Facts | None:
        bot = self._tables.bots.get(number)
        if bot is None:
            return self._watchable_elsewhere(number)
        if not (bot.table.going and self._people(bot)):
            return None
        drawn = self._drawn_of(bot)
        seats = [[who.name, who.house] for who in bot.table.seats]
        watching = number_of_spectators(bot.room, bot.table.seats.by_name)
        return _watched(number, bot.table.game.name, seats, drawn, watching)

    def _watchable_elsewhere(self, number: int) -> Facts | None:
        row: PublicRow | None = self._tables.remote.rows.get(number)
        if row is None or row.private or row.waits or not any(map(self._is_here, row.players)):
            return None
        return _watched(number, row.game, [[name, False] for name in row.players], _Drawn(row.seq, "", "", None), 0)

    def _drawn_of(self, bot: TableBot) -> _Drawn:
        """Return what a table's picture says to everyone; it is drawn once for each entry of its log."""
        number, table = bot.table.header.number, bot.table
        found = self._drawn.get(number)
        if found is None or found.seq != table.seq:
            found = _Drawn(table.seq, "", "", None)
            with suppress(UserError), bot.runner.bugs_stop_this_table:
                if picture := picture_of(table, None):
                    found = _Drawn(table.seq, _first(picture.facts), _middle(picture), next(iter(table.to_move), None))
            self._drawn[number] = found
        return found


def _watched(number: int, game: str, seats: Sequence[object], drawn: _Drawn, watching: int) -> Facts:
    return {
        "number": number,
        "game": game,
        "seats": seats,
        "part": drawn.part,
        "middle": drawn.middle,
        "turn": drawn.turn,
        "watching": watching,
    }


def _middle(picture: Picture) -> str:
    """Return what lies in the middle of a table: the standing claim, chips, or what is going on."""
    chips = [
        f"{zone.label.casefold()} {one.face}" for zone in picture.zones for one in zone.pieces if one.kind == "chips"
    ]
    text = f"“{picture.quote.text}”" if picture.quote else _first(chips or picture.middle)
    return text if len(text) <= _LONGEST else ""


def _first(texts: Sequence[str]) -> str:
    return next(iter(texts), "")
