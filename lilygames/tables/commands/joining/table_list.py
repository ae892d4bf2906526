"""The `/tables` command: a list of tables with the state of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from weakref import WeakKeyDictionary

import attrs

from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Reader
from lilygames.layout import short
from lilygames.picture import Picture
from lilygames.tables.log.acts import Sitter
from lilygames.tables.open import game_names
from lilygames.tables.open.table_index import number_of_spectators, spectators
from lilygames.tables.room.bot import TableBot
from lilygames.tables.sight import narrate
from lilygames.tables.state.life import Life, written
from lilygames.tables.state.table import Table
from lilygames.tables.visits.first_menu import joinable_elsewhere
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import NARROW, Line, Voice, columns, count, listing

_PAGE = 18
"""Tables on one screen."""
_GAME, _NOW, _LEADING, _SLIM = 12, 35, 14, 35
"""Columns of the title, of the state, and of the leader; and of the second row on a narrow screen."""
_NAME = 8


@attrs.frozen
class Row:
    """A table in the list; `now` and `leading` are public facts of the game."""

    number: int
    game: str
    now: Sequence[str]
    leading: Sequence[str]
    watching: int

    def told(self, parts: Sequence[str], most: int) -> str:
        """Return as many of these parts as fit, the first one cut if it is too long."""
        kept = short(next(iter(parts), ""), most)
        for part in parts[1:]:
            if columns(f"{kept}, {part}") > most:
                break
            kept = f"{kept}, {part}"
        return kept

    @property
    def aloud(self) -> str:
        """The row for screen readers."""
        scores = ", ".join(self.leading).replace(" +", " ").replace(" -", " minus ")
        leads = f" Leading: {scores}." if scores else ""
        watch = f" {self.watching} watching." if self.watching else ""
        return f"Table {self.number}, {self.game}: {', '.join(self.now)}.{leads}{watch}"


@command("tables", group="table")
async def list_tables(at: TableContext, page: int = 1) -> Sequence[Line]:
    """List the open tables: what is happening, who leads, and how many are watching. /tables 2 shows more.

    The tables with the most spectators come first, then those that need players.
    Those whose players are away come last.
    """
    listed = at.tables.listed.page(at.person, _PAGE * (max(page, 1) - 1), _PAGE)
    remote = at.tables.remote
    await remote.ready(number for number in listed.numbers if remote.waiting(number) is None)
    rows, stopped, narrow = list[Line](), list[Line](), at.person.width < NARROW
    for number in listed.numbers:
        bot = at.tables.open.get(number)
        if bot is None:
            rows += _lines_elsewhere(at, number, narrow=narrow)
        elif lines := _lines(bot, at.person.voice, narrow=narrow):
            rows += lines
        else:
            state = narrate.summary(bot.table, bot.case)
            stopped.append(bot.line(f"#{bot.table.header.number} {bot.room.name}: {state}."))
    unplayable = [f"{table.called}: {table.why}." for table in at.tables.unplayable if table.may_see(at.person.name)]
    later = returning(at)
    found = [*([] if narrow or not rows else [_HEAD]), *rows, *stopped, *map(Line, unplayable), *later]
    if not found:
        return [Line("No table is open. Type /quick to play, or /new GAME to open a table.")]
    if listed.more:
        found.append(Line(f"({count(listed.more, 'more table')}: /tables {max(page, 1) + 1})"))
    return [*found, _last(at, listed.numbers)]


def returning(at: TableContext) -> Iterator[Line]:
    """Yield a line about the tables that a start has left for later."""
    if number := at.tables.host.tables.returning():
        yield Line(f"(the server has just restarted: {count(number, 'table')} will be back in a moment)")


def _last(at: TableContext, numbers: Sequence[int]) -> Line:
    """Return what to do next: watch the first table, sit down at the first that waits, or play."""
    bots = (bot for number in numbers if (bot := at.tables.open.get(number)))
    others = [bot for bot in bots if bot.seat_of(at.person.name) is None and not (bot.case or bot.absent)]
    joinable = {bot.table.header.number for bot in others if bot.open_to_all}
    joinable |= {row.number for row in joinable_elsewhere(at.tables, at.person) if row.waits}
    watch = next((f"/watch {bot.table.header.number} to watch" for bot in others if bot.table.started), "")
    sit = next((f"/sit {number} to join" for number in numbers if number in joinable), "")
    return Line(f"Type {listing(filter(None, (watch, sit, '/quick to play')), 'or')}.")


def _lines(bot: TableBot, voice: Voice, *, narrow: bool) -> Sequence[Line]:
    """Return a table's row in the list, or nothing if a bug has stopped the table."""
    with suppress(UserError), bot.runner.bugs_stop_this_table:
        if not bot.case:
            return _rows(bot).of(voice, narrow=narrow)
    return ()


def _lines_elsewhere(at: TableContext, number: int, *, narrow: bool) -> Sequence[Line]:
    """Return the row of a table that waits for players and that only other nodes follow; nothing if it's gone."""
    remote = at.tables.remote
    known = remote.waiting(number)
    if known is None or known.vacancies is None:
        return ()
    watching = number_of_spectators(remote.room_of(number), known.holders)
    away = _away(at.tables.absent_elsewhere(known), len(known.holders))
    now = [*away, *_company(known.vacancies.sitters)]
    row = Row(number, game_names.title(at.tables.games, known.game), now, (), watching)
    return (*_narrow(row),) if narrow else (_wide(row),)


def _company(sitters: Sequence[Sitter]) -> Sequence[str]:
    """Return the state of a table that waits for players: those who are there."""
    first, *others = [who.listed for who in sitters] or ["nobody yet"]
    return (f"waiting: {first}", *others)


@attrs.frozen
class _Rows:
    """The rows of a table as it is now, for each voice and width: many people look at the same page."""

    table: Table
    watching: int
    absent: Sequence[str]
    drawn: dict[tuple[Voice, bool], Sequence[Line]] = attrs.field(factory=dict)

    def of(self, voice: Voice, *, narrow: bool) -> Sequence[Line]:
        """Return the row for this voice and width."""
        if (voice, narrow) not in self.drawn:
            self.drawn[voice, narrow] = self._row(voice, narrow=narrow)
        return self.drawn[voice, narrow]

    def _row(self, voice: Voice, *, narrow: bool) -> Sequence[Line]:
        table, away = self.table, _away(self.absent, len(self.table.seats.owners))
        now, leading = _facts(table, voice)
        row = Row(table.header.number, table.game.title, [*away, *now], leading, self.watching)
        return (*_narrow(row),) if narrow else (_wide(row),)


_ROWS: WeakKeyDictionary[TableBot, _Rows] = WeakKeyDictionary()


def _rows(bot: TableBot) -> _Rows:
    watching, absent, known = len(spectators(bot)), bot.absent, _ROWS.get(bot)
    if known and known.table is bot.table and (known.watching, known.absent) == (watching, absent):
        return known
    _ROWS[bot] = new = _Rows(bot.table, watching, absent)
    return new


def _away(absent: Sequence[str], players: int) -> Sequence[str]:
    """Return that these players of so many are away, if there are any."""
    if not absent:
        return ()
    if len(absent) > 1 and len(absent) == players:
        return ("everyone is away",)
    return (f"{listing(absent)} {'is' if len(absent) == 1 else 'are'} away",)


def _facts(table: Table, voice: Voice) -> tuple[Sequence[str], Sequence[str]]:
    """Return the state of a table and its leader, as everyone may see them."""
    if not table.started:
        return _company(table.seats), ()
    reader, view = Reader(None, table.names, attrs.evolve(voice, spoken=False)), table.view(None)
    picture = table.game.picture(view, reader) if table.game.picture else Picture(("playing",))
    now = [*(table.game.glance(view, reader) if table.game.glance else picture.facts)]
    if written(table) is Life.PAUSED:
        now.insert(0, "adjourned")
    elif table.clock.slow and table.to_move:
        now.insert(1, f"{reader.everyone(table.to_move)} to move")
    return now, _leading(picture, reader)


def _leading(picture: Picture, reader: Reader) -> Sequence[str]:
    """Return the two best scores with their names; nothing if all are equal or the game shows none."""
    place = next((place for place, column in enumerate(picture.columns) if column.leads), None)
    if place is None:
        return ()
    scores = sorted(picture.seats, key=lambda one: -int(one.values[place]))
    if len({one.values[place] for one in scores}) < 2:  # noqa: PLR2004 - nobody leads
        return ()
    return [f"{short(reader.who(one.seat), _NAME)} {one.values[place]}" for one in scores[:2]]


_HEAD = Line(f"  #  {'game':<{_GAME}}  {'now':<{_NOW}}  {'leading':<{_LEADING}}  watch", aloud="")


def _wide(row: Row) -> Line:
    """Return a table's row in columns."""
    text = f"{row.number:>3}  {_filled(row.game, _GAME)}  {_middle(row)}  {row.watching or '':>5}".rstrip()
    return Line(text, aloud=row.aloud)


def _middle(row: Row) -> str:
    """Return the state and the leader; without a leader there is more room for the state."""
    if not row.leading:
        return _filled(row.told(row.now, _NOW + 2 + _LEADING), _NOW + 2 + _LEADING)
    return f"{_filled(row.told(row.now, _NOW), _NOW)}  {_filled(row.told(row.leading, _LEADING), _LEADING)}"


def _narrow(row: Row) -> Iterator[Line]:
    """Yield a table's two rows on a narrow screen."""
    leads = row.told(row.leading, _LEADING)
    yield Line(f"{row.number:>3} {short(row.game, _GAME)}{f'  {leads}' if leads else ''}", aloud=row.aloud)
    yield Line(f"    {row.told(row.now, _SLIM)}", aloud="")


def _filled(text: str, width: int) -> str:
    text = short(text, width)
    return text + " " * (width - columns(text))
