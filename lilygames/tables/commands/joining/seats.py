"""Commands to start a game, sit down, watch and leave."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from hmac import compare_digest
from typing import Annotated, Any

import attrs

from lilygames.chat.host.discussions import leave_room
from lilygames.chat.host.dispatch import Seated, ask
from lilygames.chat.input import grammar
from lilygames.chat.input.grammar import Ask, Move, Number
from lilygames.chat.names.names import fold
from lilygames.commands import Reads, Rest, command
from lilygames.errors import AgainstRules, UserError
from lilygames.game import Game, Reader
from lilygames.tables.commands.joining import duplicates, presets
from lilygames.tables.log import options
from lilygames.tables.log.acts import Header
from lilygames.tables.open import game_names
from lilygames.tables.open.opening import Plan
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.seeks import party_codes
from lilygames.tables.seeks.seeks import refuses
from lilygames.tables.sight.narrate import sitting
from lilygames.tables.visits.table_context import LineContext, TableContext
from lilygames.text import Line, listing
from lilygames_rules.kit import KeyedLuck, Refused

_ANOTHER_AT = re.compile(r"[/\s]*at?\s", re.IGNORECASE)

# start


@command("games", group="start")
def games(at: TableContext) -> list[str]:
    """List the games, how many people can play, and how to start."""
    rows = [f"{game.name}: {game.title}, {_sizes(game.rules.SEATS)}." for game in at.tables.games.values()]
    return [*rows, "Type /quick GAME to play now, /new GAME to open a table, or /help GAME for the rules."]


def _sizes(seats: range) -> str:
    return f"{seats.start} to {seats.stop - 1} players"


# table


@command("new", group="table", syntax="GAME [OPTION=VALUE...] [NAME...]", says=("duplicate=",))
async def new(at: TableContext, game: str, *words: str) -> list[str]:
    """Open a table and sit down at it.

    To set options, add words such as max=5, or -german for style=german;
    /options GAME lists them. To invite people, add their names. They answer with
    /sit or /decline, and the game starts when everyone has answered. /new friday
    opens the table that you saved as friday with /preset.

    With duplicate=NAME, other tables can get the same cards: /help duplicate.
    """
    kind, words = game_names.split(at.tables.games, await presets.opened(at, (game, *words)))
    cards, words = duplicates.named(words)
    frame, words = options.frame(kind, words)
    chosen, names = options.read(kind, words)
    guests = list(dict.fromkeys(at.tables.host.lookup.person(name) for name in names))
    if at.person in guests:
        guests.remove(at.person)
    chosen = await at.tables.texts.filled(kind, chosen)
    check(kind, chosen, len(guests) + 1)
    plan = Plan(kind, chosen, frame, tuple(guest.name for guest in guests))
    at.tables.opening.check_may_open(plan, at.person)
    at.tables.host.quotas.invite(at.person, plan.invited)
    found = await duplicates.found(at, plan, cards) if cards else None
    bot = await at.opened(await duplicates.planned(at, plan, cards, found) if cards else plan)
    if cards:
        await duplicates.complete(at, bot)
    for guest in guests:
        await invite_to(at, bot, guest.name)
    number = bot.table.header.number
    if guests:
        verb = "have" if len(guests) > 1 else "has"
        return [f"(table #{number} is open; it starts when {listing(guest.name for guest in guests)} {verb} answered)"]
    if bot.table.started:
        return []
    return [f"(table #{number} is open; type /house to add a bot, then /start)"]


async def invite_to(at: TableContext, bot: TableBot, name: str) -> None:
    """Tell someone that they are invited to a table, or the table that their formula declines."""
    guest = at.tables.host.people.get(fold(name))
    if guest is None:
        return
    if why := refuses(guest.profile, at.person, bot.table, at.tables.results.ratings.one):
        await at.do(bot, seating.note, "declined", guest.name)
        at.person.show(Line(f"({guest.name}'s /formula declined your invitation: {why})"))
        await at.do(bot, seating.all_answered)
        return
    ways = f"/sit {bot.room.name} or /decline {bot.room.name}"
    guest.focus.invite(bot.table.header.number)
    guest.show(Line(f"*** {at.person.name} invites you to {bot.table.game.title}: {ways} ***", "notice"))


def check(game: Game, chosen: Any, seats: int = 0) -> None:
    """Check that the options allow a game with `seats` players or more; raises `UserError`."""
    try:
        game.rules.start(max(seats, game.rules.SEATS.start), chosen, (), KeyedLuck(b""))
    except Refused as no:
        sentence = game.refusal(no.code, no.facts, Reader(None, ()))
        raise AgainstRules(f"{sentence} Type /options {game.name} to list the options.", no.code) from None


@command("sit", group="table", syntax="[TABLE]")
async def sit(at: TableContext, table: str = "", word: str = "") -> None:
    """Take a seat: at the table you name, the one in your room, or the one you are invited to.

    At a party, type its code: /sit PEAR42.
    """
    if party_codes.read(table):
        await _join_party(at, table)
        return
    if word:
        await _let_in(at, table, word)
    bot = at.one(at.find(table) if table else at.named or _open_here(at) or _invited_to(at) or at.bot)
    await duplicates.check_new_player(at, bot.table.header.duplicate, bot.table.header.number)
    await at.do(bot, seating.sit, at.person)
    accept_invitation(at, bot)


async def _join_party(at: TableContext, code: str) -> None:
    """Seat someone who knows the code of a party, now or when the next round begins; raises `UserError`."""

    def has_place(bot: TableBot) -> bool:
        return bot.keeps_seat(at.person.name) or bot.open_seats.waits(at.person) or seating.has_place(bot)

    quotas = at.tables.host.quotas
    bot = await at.tables.party(code, quotas, quotas.at(at.person.origin), has_place)
    if not bot.room.may_see(at.person):
        await at.do(bot, seating.note, "invited", at.person.name)
    await at.do(bot, seating.sit, at.person)


def accept_invitation(at: TableContext, bot: TableBot) -> None:
    """Let those who have invited a person to the table where they sit now invite them again."""
    at.tables.host.quotas.accepted(at.person, (bot.table.header.host, *bot.invitations.inviters(at.person.name)))


def word_of(at: TableContext, header: Header) -> str:
    """Return the word that lets people sit down at a private table; its players give it to others."""
    return at.tables.host.sessions.word(f"table {header.number}")


async def _let_in(at: TableContext, table: str, word: str) -> None:
    """Invite someone who knows the word of a private table; do nothing if it's wrong."""
    digits = table.removeprefix("#")
    bot = at.tables.open.get(int(digits[:9])) if digits.isascii() and digits.isdigit() else None
    if bot is None or bot.table.lesson or bot.room.may_see(at.person):
        return
    header = bot.table.header
    if header.private and not header.duplicate and compare_digest(word.encode(), word_of(at, header).encode()):
        await at.do(bot, seating.note, "invited", at.person.name, header.host)


def _open_here(at: TableContext) -> TableBot | None:
    """Return the table of the person's room, if they could sit down there."""
    bot = at.person.room.bot
    here = isinstance(bot, TableBot) and not bot.table.started and not bot.keeps_seat(at.person.name)
    return bot if here and isinstance(bot, TableBot) else None


def _invited_to(at: TableContext) -> TableBot | None:
    """Return the only table that invites the person, or None; raises `UserError` if there are several."""
    invitations = at.tables.inviting(at.person)
    if len(invitations) > 1:
        raise UserError(
            f"you have several invitations. Add the table: {listing((bot.room.name for bot in invitations), 'or')}."
        )
    return next(iter(invitations), None)


@command("decline", group="table")
async def decline(at: TableContext, table: str = "") -> str:
    """Decline an invitation. If you have several, name the table: /decline ohell-2."""
    bot = at.find(table) if table else _invited_to(at)
    if bot is None:
        raise UserError("nobody has invited you. Type /seeks to list the tables that need players.")
    await at.do(bot, seating.decline, at.person)
    return f"(you declined the invitation to {bot.room.name})"


@command("house", "bots", group="table", syntax="[LEVEL] [NUMBER]")
async def house(at: TableContext, *words: str) -> None:
    """Add bots to your table: /house, /house 2, /house shark 2.

    They are novices unless you name another level: club, shark, or at some
    tables master (/help bots).
    """
    bot = await at.table()
    numbers = [int(word[:9]) for word in words if word.isascii() and word.isdigit()]
    levels = [word.casefold() for word in words if not word.isascii() or not word.isdigit()]
    levels = levels or [*bot.table.game.players][:1]
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"only players at {bot.room.name} can add bots. Type /sit to take a seat.")
    await at.do(bot, seating.house, levels[0] if levels else "", (numbers or [1])[0])


@command("start", group="table")
async def start(at: TableContext) -> None:
    """Start the game with the players who have sat down."""
    bot = await at.table()
    await duplicates.complete(at, bot)
    if not bot.table.header.keyed or not bot.table.started:
        await at.do(bot, seating.start, at.person)


@command("cut", group="table", says="anything")
async def cut(at: TableContext, word: str) -> None:
    """Mix a word of yours into the deal before the start, so that nobody can choose the cards: /cut pips."""
    await at.do(await at.table(), seating.cut, at.person, word)


@command("commit", group="table")
async def commit(at: TableContext, digits: str = "") -> None:
    """Commit to a number before the start: /commit and its 64 digits. Most clients do it for you; see /help seal.

    /commit alone shows what your program needs to hash.
    """
    await at.do(await at.table(), seating.commit, at.person, digits.casefold())


@command("reveal", group="table")
async def reveal(at: TableContext, digits: str) -> None:
    """Reveal the number you committed to when the table asks for it: /reveal and its 64 digits."""
    await at.do(await at.table(), seating.reveal, at.person, digits.casefold())


@command("watch", group="table")
async def watch(at: TableContext, table: str) -> Sequence[Line]:
    """Watch a table: /watch ohell-2. You see everything but hidden cards."""
    bot = await at.watched(table)
    at.person.go(bot.room)
    bot.room.watch(at.person)
    bot.house.resume()
    return [bot.line(f"You're watching {bot.room.name}: {sitting(bot.table)}."), *bot.screens.watched(at.person)]


@command("leave", group="table", whole=True)
async def leave(at: TableContext) -> str:
    """Leave the table. In mid-game a bot takes over your seat, so that the others can play on.

    After the game, and if you only watch, you leave the room as well.
    """
    return await leave_table(at, await at.table())


@command("close", group="table", whole=True)
async def close(at: TableContext, table: str = "") -> str:
    """Close a table of yours that waits for players: /close 12. If others sit there, you only leave it."""
    bot = at.one(at.find(table) if table else at.bot)
    if not bot.keeps_seat(at.person.name):
        raise UserError(f"you don't have a seat at {bot.room.name}, so you can't close it. Type /tables to list all.")
    if bot.table.started:
        raise UserError(
            f"the game at {bot.room.name} has started. Type /at {bot.table.header.number} leave to leave it."
        )
    return await leave_table(at, bot)


async def leave_table(at: TableContext, bot: TableBot) -> str:
    """Let a person leave and tell them so; close a table that hasn't started and is now empty.

    They leave the room, too, if they had no seat, if the game is over, or if only bots are left to finish it. A lesson
    ends.
    """
    if bot.table.lesson and bot.table.started:
        return await leave_lesson(at, bot)
    if bot.over or not bot.keeps_seat(at.person.name):
        return _leave_room(at, bot, "")
    await at.do(bot, seating.leave, at.person)
    if not bot.table.started and not seating.people_at(bot):
        at.tables.closing.close(bot)
        return f"(nobody is left at {bot.room.name}, so the table is closed)"
    if bot.over:
        return _leave_room(at, bot, "")
    company = any(other is not at.person for other in bot.room.people.values())
    if bot.table.going and not (bot.table.seats.owners or company):
        return _leave_room(at, bot, ", and bots finish the game")
    return f"(you left the table at {bot.room.name}; type /watch {bot.room.name} to watch)"


def _leave_room(at: TableContext, bot: TableBot, why: str) -> str:
    """Take a person out of a table's room and tell them where they are; raises `UserError` if they aren't in it."""
    if at.person not in bot.room.people.values():
        raise UserError(f"you aren't at {bot.room.name}. Type /tables to list the tables.")
    leave_room(at.tables.host, at.person, bot.room)
    return f"(you left {bot.room.name}{why}; you are in {at.person.room.name})"


async def leave_lesson(at: TableContext, bot: TableBot) -> str:
    """End a lesson and tell the learner."""
    await at.do(bot, seating.break_off)
    leave_room(at.tables.host, at.person, bot.room)
    name = bot.table.game.name
    return f"(you left the lesson and are in {at.person.room.name}; type /learn {name} to start it again)"


@command("table", group="table")
async def table(at: TableContext) -> Sequence[Line]:
    """Show the table: the players, the cards, whose turn it is, and the seal."""
    return (await at.shown()).screens.shown(at.person)


@command("options", group="table")
async def show_options(at: TableContext, game: str = "") -> list[str]:
    """List the options of a game or of your table. /new GAME NAME=VALUE sets them for a new table."""
    if game:
        return options.rows(at.tables.game(game))
    chosen = (await at.shown()).table.options
    return [
        f"{options.typed(name)}={options.said(value)}" for name, value in attrs.asdict(chosen, recurse=False).items()
    ]


@command("at", group="table")
async def at_table(lines: LineContext, table: str, line: Annotated[str, Reads("COMMAND", str, rest=True)] = "") -> None:
    """Use a command at another table: /at ohell-2 bid 3, /at 12 score. /at 12 takes you there.

    /at 12:40 bid 3 bids only if the table still asks the same as at entry 40.
    Programs whose moves may come late type that.
    """
    at = lines.at
    table, since = _entry(table)
    bot = at.find(table)
    if _ANOTHER_AT.match(line):
        raise UserError("type /at only once: /at TABLE COMMAND.")
    if not line:
        await _go_to(at, bot)
        return
    if not bot.keeps_seat(at.person.name) and bot.typed.reads(line):
        raise UserError(bot.screens.seatless(at.person))
    if not await _moved(at, bot, line, since):
        await lines.dispatcher.command(at.person, line.removeprefix("/"), bot)
    if bot.question(at.person) and at.person.focus.table() is not bot and not _is_asked_back(at):
        at.person.show(*bot.turn(at.person))


@command("at:move", rare=True)
async def move_at_table(at: TableContext, table: str, line: Rest) -> None:
    """Make a move at a table, and never anything else: /at:move 12 KH. Moves by mail come this way."""
    bot = at.find(table)
    if not bot.keeps_seat(at.person.name):
        raise UserError(bot.screens.seatless(at.person))
    if not await _moved(at, bot, line):
        game = bot.table.game  # the line isn't repeated: it may be a password
        raise UserError(f"that isn't a move in {game.title}. Type /help {game.name} for the moves.")
    if bot.question(at.person) and at.person.focus.table() is not bot and not _is_asked_back(at):
        at.person.show(*bot.turn(at.person))


async def _moved(at: TableContext, bot: TableBot, line: str, since: int | None = None) -> bool:
    """Make the move that a line means at a table, or ask about it; return False if it means none."""
    match grammar.at_table(line, Seated(bot, at.person)):
        case Number(_, digits):
            await bot.typed.number(at.person, digits, named=True, since=since)
        case Move(_, found, rest):
            await bot.typed.move(at.person, found, rest, since=since)
        case Ask() as asked:
            ask(at.person, asked)
        case None:
            return False
    return True


def _is_asked_back(at: TableContext) -> bool:
    """Whether the person has just been asked what they meant: a table's question would take the answer's number."""
    menu = at.person.focus.choices
    return menu is not None and menu.once


def _entry(table: str) -> tuple[str, int | None]:
    """Return the table that was typed, and the log entry after its colon, if any."""
    table, colon, entry = table.partition(":")
    if colon and not (entry.isascii() and entry.isdigit()):
        raise UserError("after the colon goes the number of an entry, as in /at 12:40 bid 3.")
    return table, int(entry[:9]) if colon else None


async def _go_to(at: TableContext, bot: TableBot) -> None:
    """Move a person to a table and show what it asks; questions of other tables wait."""
    await bot.house.take_back(at.person)
    at.person.go(bot.room)
    at.person.focus.typed_at(bot)
    at.person.show(*bot.remind(at.person))


@command("next", group="table")
async def next_table(at: TableContext) -> None:
    """Go to the next table that is waiting for you."""
    waiting = [bot for bot in at.person.focus.waiting() if isinstance(bot, TableBot)]
    if not waiting:
        raise UserError("no table is waiting for you.")
    now = at.person.focus.table() or at.person.room.bot
    later = itertools.dropwhile(lambda bot: bot is not now, [*waiting, *waiting])
    await _go_to(at, next(itertools.islice(later, 1, None), waiting[0]))
