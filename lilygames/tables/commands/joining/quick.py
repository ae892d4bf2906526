"""The `/quick` command: a menu of games, or a seat at a table that starts now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

import attrs

from lilygames.chat.people.people import Person
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.commands.joining.seats import check
from lilygames.tables.log import options
from lilygames.tables.open import game_names
from lilygames.tables.open.game_names import NoSuchGame
from lilygames.tables.open.opening import Plan
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.visits.first_menu import in_order, joinable_elsewhere, waiting, with_open_seats
from lilygames.tables.visits.table_context import TableContext, game_here
from lilygames.text import Line, count, listing

_NAMED = 3
"""Maximum number of waiting people named per game in the menu."""
_LATER = 2
"""Maximum tables below the menu where a bot's seat is free at the next round."""
_READ = 3
"""Most tables that one `/quick` restores after a start, or reads of other nodes, because someone may be waiting."""


@attrs.frozen
class Wish:
    """A wish to play: the game, the plan for a new table, and the number of seats."""

    game: Game
    plan: Plan
    seats: int
    specific: bool
    """Whether they asked for options or seats, so that not every table will do."""
    typed: tuple[str, ...] = ()
    """The settings that they asked for, such as `clock`; a table may have any others."""
    chosen: tuple[str, ...] = ()
    """The options of the game that they asked for, such as `max`; a table may have any others."""


@command("quick", group="start", syntax="[GAME] [OPTION=VALUE...]")
async def quick(at: TableContext, *words: str) -> Sequence[Line] | None:
    """Play now: /quick lists the games, /quick ohell starts a short game of Ohell.

    You join a table that can start now, or get a new one. Bots take the empty
    seats, and anyone may take over a bot's seat when a round begins. While
    people wait for someone who is silent for a minute, a bot plays. If you are
    in the middle of a game, /quick takes you back to it. In a game's room
    /quick plays that game. To choose options, add words such as max=5 or
    seats=3; /options GAME lists them.
    """
    here = game_here(at)
    if not words and here is None:
        return _menu(at)
    try:
        game, rest = game_names.split(at.tables.games, words) if words else (here, ())
    except NoSuchGame as no:
        said = f"{no} Type {_numbers(no.near)}." if no.near else str(no)
        lines = (f"/quick {' '.join((name, *_options(words)))}" for name in no.near)
        at.person.focus.offer(lines, rows=(Line(said),), once=True)
        raise UserError(said) from None
    if game:
        await play(at, game, rest)
    return None


def _options(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if "=" in word or word.startswith("-"))


def _numbers(names: Sequence[str]) -> str:
    """Return what to type to choose a game: `1 to play ohell`, `1 for liarsdice or 2 for liedie`."""
    if len(names) == 1:
        return f"1 to play {names[0]}"
    return listing((f"{number} for {name}" for number, name in enumerate(names, 1)), "or")


async def play(at: TableContext, game: Game, words: Sequence[str]) -> None:
    """Seat a person at a table that starts at once; raises `UserError`."""
    wish = await _wish(at, game, words)
    seats = [bot for bot in at.tables.seating(at.person.name) if bot in at.person.seats]
    for bot in [bot for bot in seats if bot.table.game.name == game.name and _fits(bot, wish)]:
        if _goes_on(bot, at.person) and await _plays_on(at, bot, wish):
            return
    others = [bot for bot in at.tables.joinable.values() if bot.table.game is game and bot not in seats]
    for bot in sorted(others, key=lambda bot: bot.table.started):
        if await _seated(at, bot, wish):
            return
    for number in _others(at, game):
        await at.tables.host.tables.ready_for("", [number])
        if (joinable := at.tables.joinable.get(number)) and await _seated(at, joinable, wish):
            return
    await at.opened(wish.plan, seating.sit_and_begin if wish.specific else seating.sit_quickly, wish.seats)
    return


async def _wish(at: TableContext, game: Game, words: Sequence[str]) -> Wish:
    """Return the wish for these words, with the game's quick options as defaults; raises `UserError`."""
    seats, others = _seats(game, words)
    frame, rest = options.frame(game, others)
    typed = options.settings(others)
    late = frame.late if "late" in typed else "substitute"
    frame = attrs.evolve(frame, soft="clock" not in typed, late=late, open_seats=not frame.private)
    chosen, names = options.read(game, rest, game.quick_options)
    if names:
        raise UserError(f"/quick doesn't invite people. Type /new {game.name} {' '.join(names)} to invite them.")
    if words:
        chosen = await at.tables.texts.filled(game, chosen)
        check(game, chosen, seats)
    return Wish(game, Plan(game, chosen, frame), seats, bool(words), typed, options.set_by(game, rest))


def _seats(game: Game, words: Sequence[str]) -> tuple[int, tuple[str, ...]]:
    """Return the number of seats (`seats=3`, or the game's quick default), and the remaining words."""
    asked = [word.partition("=")[2] for word in words if word.casefold().startswith("seats=")]
    rest = tuple(word for word in words if not word.casefold().startswith("seats="))
    if not asked:
        return min(game.quick, game.rules.SEATS.stop - 1), rest
    if not (asked[-1].isascii() and asked[-1].isdigit() and int(asked[-1][:9]) in game.rules.SEATS):
        raise UserError(f"{game.title} is for {game.rules.SEATS.start} to {game.rules.SEATS.stop - 1} players.")
    return int(asked[-1]), rest


def _fits(bot: TableBot, wish: Wish) -> bool:
    """Whether a table, which is no lesson, has the options, seats and settings that a person wants."""
    if not wish.specific or bot.table.lesson:
        return not bot.table.lesson
    room = len(bot.table.seats) < wish.seats or bot.table.started
    settings = _agree(bot.table.header, wish.plan.frame, wish.typed)
    return room and settings and _agree(bot.table.options, wish.plan.options, wish.chosen)


def _agree(one: object, other: object, fields: Iterable[str]) -> bool:
    """Whether two values have the same in these fields."""
    return all(getattr(one, field) == getattr(other, field) for field in fields)


def _goes_on(bot: TableBot, person: Person) -> bool:
    """Return whether the person's own table is playable now and will ask them for a move."""
    table = bot.table
    if table.started:
        acts = table.going  # a game that has just ended is still saved
    else:
        acts = table.game.everyone_acts(table.options, max(len(table.seats), table.game.quick))
    return acts and not bot.clock.stalled(but=person.name)


async def _plays_on(at: TableContext, bot: TableBot, wish: Wish) -> bool:
    """Return whether the person plays at their own table now; its game may end while they wait for it."""
    await at.do(bot, seating.fill_and_start, at.person, wish.seats)
    return bot.table.going or not bot.table.started


def _others(at: TableContext, game: Game) -> list[int]:
    """Return tables of a game that this node has to read first: a start has left them for later, or other nodes have.

    Someone is probably waiting there.
    """
    elsewhere = [row.number for row in joinable_elsewhere(at.tables, at.person) if row.game == game.name]
    return [*at.tables.unrestored.joinable(game, partial(_is_here, at))[:_READ], *elsewhere[:_READ]]


def _is_here(at: TableContext, name: str) -> bool:
    person = at.tables.host.people.get(name)
    return person is not None and person.here


async def _seated(at: TableContext, bot: TableBot, wish: Wish) -> bool:
    """Return whether the person got a seat in a running game that they wish for; raises `UserError` if it can't start.

    A person who was too late for this table can be seated at another.
    """
    if not (_fits(bot, wish) and seating.takes_quickly(bot, at.person)):
        return False
    try:
        await at.do(bot, seating.sit_quickly, at.person, wish.seats)
    except UserError:
        if bot.seat_of(at.person.name) is not None:
            raise
        return False
    return True


# the menu


def _menu(at: TableContext) -> list[Line]:
    """Return the menu of games, shortest first, with numbers that the person may type next."""
    rows = [_Row.of(at, number, game) for number, game in enumerate(in_order([*at.tables.games.values()]), 1)]
    if not rows:
        raise UserError("no games are installed here. Type /who to see who is here.")
    first = rows[0].game
    last = f"Bots fill the seats. Also: /quick {first.name} seats={first.rules.SEATS.start}, /rules {first.name}"
    later = [Line(_joins_later(bot)) for bot in islice(with_open_seats(at.tables, at.person), _LATER)]
    shown = [*_drawn(rows, at.person.width), Line(last), *later]
    at.person.focus.offer((f"/quick {row.game.name}" for row in rows), rows=shown)
    return shown


def _joins_later(bot: TableBot) -> str:
    """Return who plays with bots at a table, and what to type to take the seat of one."""
    people, bots = [who.name for who in bot.table.seats.people][:_NAMED], len(bot.table.seats.bots)
    plays = f"{listing(people)} {'play' if people[1:] else 'plays'} {bot.table.game.title} with {count(bots, 'bot')}"
    return f"{plays}. Type /sit {bot.table.header.number} to join in the next round."


@attrs.frozen
class _Row:
    """A game in the menu."""

    number: int
    game: Game
    waiting: str

    @classmethod
    def of(cls, at: TableContext, number: int, game: Game) -> _Row:
        """Return the row of a game; people at tables that can be joined at once are shown as waiting."""
        names = [*islice(waiting(at.tables, at.person, game), _NAMED + 1)]
        return cls(number, game, ", ".join([*names[:_NAMED], *(["..."] if names[_NAMED:] else [])]))

    @property
    def seats(self) -> str:
        """The number of players: `2-12`."""
        return f"{self.game.rules.SEATS.start}-{self.game.rules.SEATS.stop - 1}"

    @property
    def aloud(self) -> str:
        """The row for screen readers."""
        low, high = self.game.rules.SEATS.start, self.game.rules.SEATS.stop - 1
        waits = f" Waiting: {self.waiting.removesuffix(', ...')}." if self.waiting else ""
        about = f"{self.number}, {self.game.title}, {low} to {high} players, {count(self.game.minutes, 'minute')}."
        return about + waits


def _drawn(rows: Sequence[_Row], width: int) -> list[Line]:
    """Return the menu in columns; a narrow screen leaves out the description of the game."""
    title = max(len(row.game.title) for row in rows) + 2
    about = max(len(row.game.tagline) for row in rows) + 2
    head = "Pick a game by its number."
    if 4 + title + about + len("seats  minutes  waiting") > width:
        return [Line(head), *(line for row in rows for line in _narrow(row, title))]
    columns = f"{head:<{4 + title + about}}seats  minutes"
    if any(row.waiting for row in rows):
        columns += "  waiting"
    return [Line(columns, aloud=head), *(_wide(row, title, about) for row in rows)]


def _wide(row: _Row, title: int, about: int) -> Line:
    game = row.game
    text = f"{row.number:>2}. {game.title:<{title}}{game.tagline:<{about}}{row.seats:>5}  {game.minutes:>7}"
    return Line(f"{text}  {row.waiting}".rstrip(), margin=" " * 8, aloud=row.aloud)


def _narrow(row: _Row, title: int) -> Iterator[Line]:
    text = f"{row.number:>2}. {row.game.title:<{title}}{row.seats:>5} {row.game.minutes:>3} min"
    yield Line(text, aloud=row.aloud)
    if row.waiting:
        yield Line(f"    waiting: {row.waiting}", margin=" " * 6, aloud="")
