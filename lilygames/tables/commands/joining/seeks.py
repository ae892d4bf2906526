"""Commands to find players: seeks, invitations and formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from lilygames.chat.host.friends import shuns
from lilygames.chat.names.names import fold
from lilygames.chat.people.profile import Profile
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.game import Game
from lilygames.tables.commands.joining import duplicates
from lilygames.tables.commands.joining import seats as verbs
from lilygames.tables.commands.joining.table_list import returning
from lilygames.tables.log import options
from lilygames.tables.open import game_names
from lilygames.tables.open.opening import Plan
from lilygames.tables.room import seating
from lilygames.tables.room.bot import TableBot
from lilygames.tables.seeks.formula import NUMBERS, checked, joined, looks_like_condition
from lilygames.tables.seeks.seeks import WORDS, asked_for, hearers
from lilygames.tables.sight import narrate
from lilygames.tables.sight.public_row import PublicRow, Vacancies
from lilygames.tables.state.life import Life
from lilygames.tables.visits.first_menu import joinable_elsewhere
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, Packet, count, listing


@command("seek", group="start", syntax="GAME [NUMBER] [OPTION=VALUE...] [FORMULA]")
async def seek(at: TableContext, game: str, *words: str) -> str:
    """Look for players: /seek ohell 4 max=5 opens a table that starts when four have sat down.

    Everyone is told. To choose who may sit down, add a formula:
    /seek ohell rating>30 registered. /unseek stops looking. /notify game ohell
    off hides seeks from you, and /seeks notify ohell rings for them.
    """
    kind, words = game_names.split(at.tables.games, (game, *words))
    words, accepts = _condition(at, kind, words)
    frame, words = options.frame(kind, words)
    chosen, rest = options.read(kind, words)
    wanted = _players(rest, kind.rules.SEATS)
    if frame.private:
        raise UserError("everyone can join a seek. For a private game, type /new GAME private=on NAMES.")
    if sought := _sought(at):
        raise UserError(f"you're already looking for players at {sought.room.name}. Type /unseek to stop.")
    chosen = await at.tables.texts.filled(kind, chosen)
    verbs.check(kind, chosen)
    bot = await at.opened(Plan(kind, chosen, frame, wanted=wanted, accepts=accepts))
    said = _said(chosen, kind.rules.Options(), accepts)
    await _tell(at, bot, f"is looking for {count(wanted - 1, 'player')} for {kind.title}{said}")
    told = "everyone who fits" if accepts else "everyone"
    return f"({told} has been told; the game starts when {wanted} players have joined {bot.room.name})"


def _condition(at: TableContext, game: Game, words: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Split off the formula of those who may sit down; raises `UserError`. `games=3` is an option, if there is one."""
    numbers = tuple(f"{name}=" for name in NUMBERS if name not in attrs.fields_dict(game.rules.Options))

    def belongs(word: str) -> bool:
        return looks_like_condition(word) or word.casefold().startswith(numbers)

    words = joined(" ".join(words)).split() if any(map(belongs, words)) else words
    condition = [word for word in words if belongs(word)]
    others = tuple(word for word in words if not belongs(word))
    return others, checked(" ".join(condition), at.tables.games) if condition else ""


async def _tell(at: TableContext, bot: TableBot, text: str) -> None:
    """Announce a seek to everyone who may sit down and whose formula accepts it. It rings for those who asked."""
    host, by, ratings = at.tables.host, at.person, at.tables.results.ratings
    told, far = await hearers(host.people, by, bot.table, ratings)
    wishing = [one for one in told if asked_for(one.profile, by, bot.table, ratings.one)]
    asked = [one for one in wishing if not (shuns(one, by) or shuns(by, one))]
    others = [one for one in told if one not in asked]
    game, way = bot.table.game.name, f"{text}: /sit {bot.room.name}"
    host.tell(by.did("game", rooms=(game,), text=way), others, far=far)
    host.tell(by.did("seek", rooms=(game,), text=way), asked)


def _sought(at: TableContext) -> TableBot | None:
    """Return the table of the person's seek, or None."""
    seats = (bot for bot in at.tables.seating(at.person.name) if bot.seat_of(at.person.name) is not None)
    mine = (bot for bot in seats if fold(bot.table.header.host) == fold(at.person.name))
    return next((bot for bot in mine if bot.table.header.wanted and not bot.table.started), None)


@command("unseek", group="start", whole=True)
async def unseek(at: TableContext) -> str:
    """Stop looking for players, and leave the table that you opened for it."""
    bot = _sought(at)
    if bot is None:
        raise UserError("you aren't looking for players. Type /seek GAME to look for some.")
    return await verbs.leave_table(at, bot)


def _players(words: list[str], seats: range) -> int:
    """Return the number of players that a table waits for; raises `UserError`."""
    numbers = [int(word[:3]) for word in words if word.isascii() and word.isdigit()]
    names = [word for word in words if not (word.isascii() and word.isdigit())]
    if names:
        raise UserError(f"everyone can join a seek. Type /new GAME {' '.join(names)} to invite people.")
    wanted = numbers[0] if numbers else max(2, seats.start)
    if wanted not in seats or wanted < 2:  # noqa: PLR2004 - a single player needs no seek
        raise UserError(f"that game is for {seats.start} to {seats.stop - 1} players.")
    return wanted


def _said(chosen: Any, default: Any, accepts: str) -> str:
    """Return the options that differ from their defaults, and who may sit down, in brackets."""
    own, plain = attrs.asdict(chosen, recurse=False), attrs.asdict(default, recurse=False)
    said = [f"{options.typed(name)}={options.said(value)}" for name, value in own.items() if value != plain[name]]
    parts = [", ".join(said)] if said else []
    if accepts:
        parts.append(f"only {accepts}")
    return f" ({'; '.join(parts)})" if parts else ""


@command("seeks", group="start", syntax="[notify GAME [FORMULA] | notify GAME off | notify]")
def seeks(at: TableContext, verb: str = "", *words: str) -> list[str | Line]:
    """List the tables that need players. Type /sit TABLE to join one.

    /seeks notify ohell rings when someone looks for players for Ohell. Add a
    formula to hear only of some: /seeks notify ohell rating>30. /seeks notify
    ohell off stops that, and /seeks notify lists what you asked for.
    """
    if verb.casefold() == "notify":
        return [_notify(at, words)]
    if verb:
        raise UserError("type /seeks to list the tables that need players, or /seeks notify GAME to hear of new ones.")
    waiting = [bot for bot in at.tables.waiting.values() if bot.open_to_all and bot.room.may_see(at.person)]
    rows = {bot.table.header.number: _row(bot) for bot in waiting}
    rows |= {row.number: _remote_row(at, row) for row in joinable_elsewhere(at.tables, at.person) if row.waits}
    listed: list[str | Line] = [*(rows[number] for number in sorted(rows)), *returning(at)]
    return listed or ["(nobody is looking for players; type /seek GAME to look for some)"]


def _notify(at: TableContext, words: Sequence[str]) -> str:
    """Set or list the seeks that a person wants to hear of; raises `UserError`."""
    person, wishes = at.person, at.person.profile.seeks
    if words:
        game, rest = game_names.split(at.tables.games, words)
        others = tuple(wish for wish in wishes if wish.partition(" ")[0] != game.name)
        wish = checked(" ".join(rest), at.tables.games) if rest and rest != ("off",) else ""
        wishes = others if rest == ("off",) else (*others, f"{game.name} {wish}".strip())
        person.update_profile(seeks=wishes)
        at.tables.host.keep(person)
    if not wishes:
        return "(your bell doesn't ring for seeks; /seeks notify GAME changes that)"
    return f"(your bell rings for seeks of {listing(sorted(wishes))}; /seeks notify GAME off stops it)"


def _row(bot: TableBot) -> str:
    """Return the row of a table that needs players."""
    header = bot.table.header
    missing = _missing(header.wanted - len(bot.table.seats), header.accepts)
    return f"#{header.number} {bot.room.name}: {narrate.summary(bot.table, bot.case)}{missing}."


def _remote_row(at: TableContext, row: PublicRow) -> str:
    """Return the same row of a table that only other nodes follow."""
    vacancies = row.vacancies or Vacancies(())
    missing = _missing(vacancies.wanted - row.seats, vacancies.accepts)
    title = game_names.title(at.tables.games, row.game)
    return f"#{row.number} {row.room}: {title}, {narrate.listed(vacancies.sitters)}; {Life.WAITING.value}{missing}."


def _missing(left: int, accepts: str) -> str:
    """Return how many players are missing, and the formula of those who may sit down."""
    return (f", starts with {left} more" if left > 0 else "") + (f", only {accepts}" if accepts else "")


@command("invite", group="table")
async def invite(at: TableContext, *names: str) -> list[str | Line]:
    """Invite people to your table, even to a private one: /invite bob cat.

    If the server has a page, /invite alone shows a link that you can send to others.

    After the start, they can take over the seat of someone who left. If everyone
    who plays invites them, they can take over any bot's seat.
    """
    bot = await at.table()
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"only players at {bot.room.name} can invite people. Type /sit to take a seat.")
    await duplicates.check_may_invite(at, bot.table.header)
    if not names:
        return _link(at, bot, "(send this link to those you want to invite:)")
    guests = [at.tables.host.lookup.person(name) for name in names]
    if at.person in guests:
        raise UserError("you already have a seat. Type /invite and the names of others.")
    for guest in guests:
        _check_not_invited(at, bot, guest.name)
    at.tables.host.quotas.invite(at.person, [guest.name for guest in guests])
    for guest in guests:
        await at.do(bot, seating.note, "invited", guest.name, at.person.name)
        if bot.invitations.asks(guest.name) and guest.here and not seating.not_agreed(bot, guest.name):
            await at.do(bot, seating.sit, guest)
        else:
            await verbs.invite_to(at, bot, guest.name)
    invited = f"(you invited {listing(guest.name for guest in guests)} to {bot.room.name})"
    return [invited, *(_link(at, bot, "(others can follow this link:)") if at.tables.host.web_address else ())]


def _check_not_invited(at: TableContext, bot: TableBot, name: str) -> None:
    """Raise `UserError` if someone still has an invitation to a table that a player sends again."""
    invitations = bot.invitations
    again = name in bot.table.header.invited or fold(at.person.name) in invitations.inviters(name)
    if again and invitations.invites(name) and not invitations.asks(name):
        raise UserError(f"{name} already has an invitation to {bot.room.name}. Please wait for the answer.")


def _link(at: TableContext, bot: TableBot, sentence: str) -> list[str | Line]:
    """Return a sentence with the link to a table, and send a program what it consists of.

    The word of a private table is behind a `#`, which browsers don't send. Raises `UserError` without a page.
    """
    header, address = bot.table.header, at.tables.host.web_address
    word = verbs.word_of(at, header) if header.private else ""
    at.person.packet(Packet("invitation", {"number": header.number, "word": word}))
    if not (address or at.person.takes_packets):
        raise UserError("type /invite and the names of the people you want to invite.")
    link = f"{address}/t/{header.number}{f'#{word}' if word else ''}"
    return [sentence, Line(link, margin=None)] if address else []


@command("formula", group="you", syntax="[FORMULA | decline GAME... | clear]")
def formula(at: TableContext, *words: str) -> list[str]:
    """Choose whose invitations and seeks you get: /formula rating>30 registered !guest. /formula clear accepts all.

    All conditions must hold; or separates alternatives. You can use rating and
    games (theirs, at that game), registered, guest, friend, rated, unrated and
    games' names. /help formula has examples.
    /formula decline guests ohell declines guests and games of Ohell. You can
    decline games by name, guests, rated, unrated or all.
    """
    person, games = at.person, at.tables.games
    match [word.casefold() for word in words]:
        case []:
            return _formulas(person.profile)
        case ["clear"]:
            person.update_profile(formula=(), accepts="")
        case ["decline", *chosen]:
            known = (*WORDS, *games)
            if not chosen or not set(chosen) <= set(known):
                raise UserError(f"type /formula clear, or /formula decline and one or more of {listing(known, 'or')}.")
            person.update_profile(formula=tuple(chosen))
        case typed:
            person.update_profile(accepts=checked(" ".join(typed), games))
    at.tables.host.keep(person)
    return _formulas(person.profile)


def _formulas(own: Profile) -> list[str]:
    declined = f"(you automatically decline: {listing(own.formula) or 'nothing'})"
    if not own.accepts:
        return [declined]
    return [f"(you accept only: {own.accepts})", *([declined] if own.formula else [])]
