"""Seating at a table: sit down, add bots, start and leave. Everything runs in the table's room."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import attrs

from lilygames.chat.names.names import fold
from lilygames.chat.people.people import Person
from lilygames.errors import UserError
from lilygames.tables.bots import characters, levels
from lilygames.tables.log.acts import Cut, Joined, Left, Note, Resumed, Seated, Sitter
from lilygames.tables.room.bot import TableBot
from lilygames.tables.room.sealing import lost_seat
from lilygames.tables.room.welcome import sat_down
from lilygames.tables.seeks import seeks
from lilygames.tables.sight.narrate import says
from lilygames.tables.sight.positions import round_of
from lilygames.tables.state.strategies import seated_bot
from lilygames.tables.state.table import free_seats
from lilygames.tables.state.vacant import bots_own, bots_seats, left_seats, number_vacant
from lilygames.text import count, listing
from lilygames_rules.kit import KeyedLuck, Refused, Seat

CUTS = 8
"""Maximum words of `/cut` for each seat: all of them are sent to every client."""


def place_for(bot: TableBot, name: str) -> Seat:
    """Return a person's place in the seating order: host and guests as invited, then everyone else.

    At a table of a duplicate set, people sit before the bots, so that the same seats can be compared.
    """
    order = [fold(guest) for guest in (bot.table.header.host, *bot.table.header.invited)]
    if fold(name) not in order:
        return len(bot.table.seats.people) if bot.table.header.duplicate else len(bot.table.seats)
    before = order[: order.index(fold(name))]
    return sum(fold(who.name) in before for who in bot.table.seats)


async def all_answered(bot: TableBot) -> None:
    """Start the game as soon as all guests have answered and enough have accepted."""
    header = bot.table.header
    if bot.table.rounds.sealed:
        return
    if not bot.table.started and 0 < header.wanted <= len(bot.table.seats):
        await bot.shuffle.begin(header.host)
        return
    if bot.table.started or not header.invited or bot.invitations.unanswered:
        return
    if len(bot.table.seats) < max(bot.table.game.rules.SEATS.start, header.wanted):
        bot.say("Everyone has answered, but there are too few players. Type /house to add a bot, then /start.")
        return
    await bot.shuffle.begin(header.host)


async def sit(bot: TableBot, person: Person) -> None:
    """Give a person the next seat; raises `UserError` if none is free."""
    if bot.seat_of(person.name) is not None:
        raise UserError(
            f"you already have a seat at {bot.room.name}. Type /status to see what the table is waiting for."
        )
    if bot.table.header.tournament:
        raise UserError(f"{bot.room.name} is a tournament's table. Type /tournament to see how to join.")
    if bot.invitations.invited_later(person.name) and await _takes_over(bot, person):
        return
    _check_fits(bot, person)
    if bots_seats(bot.table):
        _wait_for_a_seat(bot, person)
        return
    if bot.table.started and not (bot.table.game.joins and bot.table.going):
        _ask_to_take_over(bot, person)
        raise UserError(
            f"{bot.room.name} has already started. Type /watch {bot.room.name} to watch, or /new {bot.table.game.name}."
        )
    if lost_seat(bot.table, person.name):
        raise UserError(f"your client didn't reveal in time at {bot.room.name}, so you can't sit down there again.")
    if not free_seats(bot.table):
        raise UserError(
            f"every seat at {bot.room.name} is taken. Type /new {bot.table.game.name} to open another table."
        )
    if bot.table.started and bot.newcomers.seals(person):
        return
    act = await _seating(bot, Sitter(person.name))
    if bot.table.started:
        person.go(bot.room)
    await bot.runner.act(person.name, act)
    person.seats.append(bot)
    await sat_down(bot.runner, bot.publisher, person, bot.services.players)
    await _let_bots_recall(bot)
    await all_answered(bot)


def has_place(bot: TableBot) -> bool:
    """Return whether a newcomer to a party could get a seat: now, or a bot's when the next round begins."""
    if bots_seats(bot.table):
        return bool(bot.open_seats.left or left_seats(bot.table))
    return number_vacant(bot.table) > 0


async def _let_bots_recall(bot: TableBot) -> None:
    """Let bots that sat down earlier know what they remember of someone who has just sat down before the start.

    The log says what a bot knows as it sits down, so they all sit down again. Raises `UserError`.
    """
    table, here = bot.table, bot.services.players.people
    if table.started or table.rounds.sealed or table.rounds.wanted or not characters.has_memories(table):
        return
    bots = [(seat, who) for seat, who in enumerate(table.seats) if who.house]
    again = [(seat, who, characters.seated(table, here, who.name, who.level)) for seat, who in bots]
    acts = [act for seat, who, now in again if now != who for act in (Seated(seat, None), Seated(seat, now))]
    if acts:
        await bot.runner.acts("table", acts)


def fits(bot: TableBot, person: Person) -> bool:
    """Whether a person meets the condition of the table's seek, or was invited."""
    host = bot.services.players.people.get(fold(bot.table.header.host))
    invited = bot.invitations.invited_later(person.name)
    return invited or seeks.fits(person, bot.table, bot.services.players.rating_of, host)


def _check_fits(bot: TableBot, person: Person) -> None:
    """Raise `UserError` if a person doesn't meet the condition of the table's seek."""
    if fits(bot, person):
        return
    host = bot.services.players.people.get(fold(bot.table.header.host))
    known = seeks.facts(person, bot.table, bot.services.players.rating_of, host.profile if host else person.profile)
    own = "guest" if person.guest else f"rating {known.rating:.0f}, {count(known.games, 'game')}"
    raise UserError(
        f"{bot.room.name} is only for {bot.table.header.accepts} (you: {own}). Type /seeks to find another table."
    )


def not_agreed(bot: TableBot, name: str) -> list[str]:
    """Return the players here who haven't yet invited `name` to take over a bot's seat."""
    agreed = bot.invitations.inviters(name)
    here = [who.name for who in bot.table.seats.people if bot.publisher.is_here(who.name)]
    return [one for one in here if fold(one) not in agreed]


def _bots_seat(bot: TableBot) -> Seat | None:
    """Return the seat of a bot that isn't a substitute, or None. At a duplicate table the bots keep their seats."""
    kept = bot.table.game.joins or bot.table.lesson or bot.table.header.duplicate
    return next(iter(bots_own(bot.table)), None) if bot.table.going and not kept else None


def _wait_for_a_seat(bot: TableBot, person: Person) -> None:
    """Let a person watch until the next round gives them a bot's seat; raises `UserError` if others wait for all."""
    told = bot.open_seats.waits(person)
    bot.open_seats.ask(person)
    if person.room is not bot.room:
        person.go(bot.room)
    bot.room.watch(person)
    person.show(bot.line(f"You get a bot's seat when the next {_part(bot)} begins. Until then you watch."))
    if not told:
        comes = f"{person.name} takes a bot's seat when the next {_part(bot)} begins."
        bot.room.show(bot.line(comes), but=person)


def _part(bot: TableBot) -> str:
    """Return what the game calls the part after which seats change: a round, a hand or a game."""
    return round_of(bot.table).partition(" ")[0] or "round"


def _ask_to_take_over(bot: TableBot, person: Person) -> None:
    """Ask the players whether someone may take over a bot's seat; raises `UserError` with that message."""
    if _bots_seat(bot) is None or not bot.room.may_see(person):
        return
    missing = not_agreed(bot, person.name)
    if not missing:
        return
    if not bot.invitations.asks(person.name):
        bot.invitations.ask(person.name)
        asks = f"{person.name} would like to take over a bot's seat. Type /invite {person.name} to agree."
        bot.room.show(bot.line(asks), but=person)
    raise UserError(
        f"{bot.room.name} has already started. You take over a bot's seat as soon as {listing(missing)}"
        f" {'type' if missing[1:] else 'types'} /invite {person.name}."
    )


async def _takes_over(bot: TableBot, person: Person) -> bool:
    """Give an invited person a bot's seat: one that a player has left, or a bot's own if all players agree.

    Raises `UserError`.
    """
    seat = next(iter(left_seats(bot.table)), None)
    if seat is None and not (bot.table.header.party or not_agreed(bot, person.name)):
        seat = _bots_seat(bot)
    if seat is None:
        return False
    await bot.give_seat(seat, person)
    return True


async def _seating(bot: TableBot, who: Sitter) -> Seated | Joined:
    """Return the act of sitting down, with a purse if the game is running; raises `UserError` if it is empty.

    A staked purse is also checked before the start: nobody can sit down at a game they can't pay for.
    """
    purse = await bot.services.chips.brought(bot.table, who)
    if bot.table.game.purse and bot.table.game.purse.staked and not purse:
        raise UserError(
            f"you don't have any {bot.table.game.purse.unit}s left for {bot.room.name}. You'll get new ones tomorrow."
        )
    if bot.table.started:
        return Joined(len(bot.table.seats), who, purse)
    return Seated(len(bot.table.seats) if who.house else place_for(bot, who.name), who)


async def house(bot: TableBot, level: str, number: int) -> None:
    """Give the next seats to bots; raises `UserError`."""
    if bot.table.started and not (bot.table.game.joins and bot.table.going):
        raise UserError("the game has already started. You can only add bots before /start.")
    if bot.table.header.tournament:
        raise UserError("you can't add bots at a tournament's table.")
    if bot.table.header.keyed:
        raise UserError("you can't add bots here: this table has as many as the others with these cards.")
    levels.check(bot.table, level, number)
    if not 1 <= number <= free_seats(bot.table):
        raise UserError(f"{bot.room.name} has room for {count(free_seats(bot.table), 'more player')}.")
    here = bot.services.players.people
    seated = [characters.seated(bot.table, here, name, level) for name in bot.house.free_names[:number]]
    for who in seated:
        await bot.runner.act("table", await _seating(bot, who))
    sit = "sit down." if number > 1 else "sits down."
    bots = listing(f"bot {who.name}" for who in seated)
    bot.say(f"{listing(who.starred for who in seated)} {sit}", aloud=f"{bots[:1].upper()}{bots[1:]} {sit}")


async def seat_bots(bot: TableBot, bots: Sequence[tuple[str, str]]) -> None:
    """Give the next seats to bots with these names and levels, and start once everyone is there."""
    for name, level in bots:
        await bot.runner.act("table", Seated(len(bot.table.seats), seated_bot(bot.table.game, name, level)))
    await all_answered(bot)


async def start(bot: TableBot, person: Person) -> None:
    """Start the game; raises `UserError` if there are too few players."""
    least = bot.table.game.rules.SEATS.start
    if bot.seat_of(person.name) is None:
        raise UserError(f"you don't have a seat at {bot.room.name}. Type /sit to take one.")
    if len(bot.table.seats) < least:
        raise UserError(f"{bot.table.game.title} needs {count(least, 'player')}. Type /house to add a bot.")
    await bot.shuffle.begin(person.name)


def takes_quickly(bot: TableBot, person: Person) -> bool:
    """Return whether `/quick` may seat a person here: they can play and will be asked for a move at once."""
    table, game = bot.table, bot.table.game
    cash = game.joins and game.purse is not None and game.purse.staked
    if (
        (table.started and not (cash and table.going))  # most tables, so every login asks this first
        or table.clock.slow
        or not table.counted
        or table.header.duplicate
        or not fits(bot, person)
        or table.header.tournament
        or not (bot.room.may_see(person) and free_seats(bot.table))
        or bot.clock.stalled()
    ):
        return False
    seats = max(len(table.seats) + 1, min(game.quick, game.rules.SEATS.stop - 1))
    if not game.everyone_acts(table.options, seats):
        return False
    if table.started:
        return any(bot.publisher.is_here(who.name) for who in table.seats.people)
    return bot.open_to_all and _could_start(bot, seats)


def _could_start(bot: TableBot, seats: int) -> bool:
    """Return whether `seats` players could start with this table's options; some allow fewer cards for more players."""
    try:
        with bot.runner.bugs_stop_this_table:
            bot.table.game.rules.start(seats, bot.table.options, (), KeyedLuck(b""))
    except (Refused, UserError):
        return False
    return True


async def sit_quickly(bot: TableBot, person: Person, seats: int) -> None:
    """Seat a person, fill up with bots and start in one step; raises `UserError` if others were faster."""
    if not takes_quickly(bot, person):
        raise UserError(
            f"{bot.room.name} has just started or filled up. Type /quick {bot.table.game.name} to find another table."
        )
    await sit_and_begin(bot, person, seats)


async def sit_and_begin(bot: TableBot, person: Person, seats: int) -> None:
    """Seat a person, fill up with bots and start; raises `UserError`."""
    await sit(bot, person)
    await fill_and_start(bot, person, seats)


async def fill_and_start(bot: TableBot, person: Person, seats: int) -> None:
    """Add bots up to `seats` players and start, unless the game has started or ended. Raises `UserError`."""
    game = bot.table.game
    if bot.table.started and (bot.seat_of(person.name) is None or not bot.table.going):
        return
    if bot.table.started:
        person.go(bot.room)
        bot.house.resume()
        person.show(*bot.remind(person))
        return
    missing = min(seats - len(bot.table.seats), free_seats(bot.table))
    if missing > 0 and game.players:
        await house(bot, next(iter(game.players)), missing)
    await start(bot, person)


async def note(bot: TableBot, what: Note, name: str, more: str = "") -> None:
    """Log a note about someone at the table; raises `UserError` or `Refused`."""
    await bot.runner.note(what, name, more)


async def cut(bot: TableBot, person: Person, word: str) -> None:
    """Add a seated player's word to the seal; raises `UserError` or `Refused`."""
    seat = bot.seat_of(person.name)
    if seat is None:
        raise UserError(f"only players at {bot.room.name} can cut. Type /sit to take a seat.")
    if sum(one == seat for one, _ in bot.table.cuts) >= CUTS:
        raise UserError(f"you have added {CUTS} words already, and that's the limit.")
    await bot.runner.act(person.name, Cut(seat, word[:32]))
    bot.say(says(seat, f"cuts with “{word[:32]}”.", f"cut with “{word[:32]}”."), by=person.name)


async def commit(bot: TableBot, person: Person, digits: str) -> None:
    """Log the commitment of a player's client, or show what it must hash; raises `UserError` or `Refused`."""
    if not digits:
        bot.shuffle.show_what_to_hash(person)
        return
    await (bot.newcomers if bot.table.started else bot.shuffle).commit(person, digits)


async def reveal(bot: TableBot, person: Person, digits: str) -> None:
    """Log the number of a player's client; raises `UserError` or `Refused`."""
    await (bot.newcomers if bot.table.started else bot.shuffle).reveal(person, digits)


async def decline(bot: TableBot, person: Person) -> None:
    """Decline an invitation; raises `UserError` if there is none."""
    if not bot.invitations.invites(person.name):
        raise UserError(f"nobody has invited you to {bot.room.name}. Type /tables to list the tables.")
    await bot.runner.note("declined", person.name)
    bot.room.show(bot.line(f"{person.name} declined the invitation."), but=person)
    await all_answered(bot)


async def leave(bot: TableBot, person: Person) -> None:
    """Leave the table: before the start this frees the seat; after it the others play on.

    They play on without the seat if the game lets people go, otherwise with a bot in it.
    """
    seat = bot.seat_of(person.name)
    if seat is None:
        raise UserError(f"you don't have a seat at {bot.room.name}. Type /quit {bot.room.name} to leave the room.")
    if bot.table.going and bot.table.game.joins:
        await bot.runner.act(person.name, Left(seat), saying=says(seat, "left the table.", "left the table."))
    else:
        who = attrs.evolve(bot.house.stand_in(), left=True) if bot.table.started else None
        plays = f" A bot, {who}, takes over the seat." if who else ""
        await bot.runner.act(
            person.name, Seated(seat, who), saying=says(seat, f"left the table.{plays}", f"left the table.{plays}")
        )
    person.seats.remove(bot)
    await _without_people(bot)
    await bot.go_on()


async def _without_people(bot: TableBot) -> None:
    """Remove the bots from a game that might never end, if no people are left."""
    for seat, who in enumerate(bot.table.seats):
        if bot.table.going and bot.table.game.joins and not bot.table.seats.people and who.house and not who.gone:
            await bot.runner.act(who.writer, Left(seat))


async def clear(bot: TableBot, names: Collection[str]) -> None:
    """Remove people (by folded name) from a table that hasn't started; raises `UserError` if it has."""
    for who in [who for who in bot.table.seats.people if fold(who.name) in names]:
        seat = bot.seat_of(who.name)
        if seat is not None:
            up = f"{who.name} was away too long and has left the table."
            await bot.runner.act("table", Seated(seat, None), saying=up, only_here=True)
    bot.runner.remember_seats()


async def break_off(bot: TableBot) -> None:
    """End a game that everyone has left; raises `UserError` if someone still plays.

    If the game lets people go, they leave with their wins and losses. Otherwise it ends without a winner.
    """
    if bot.table.paused:
        await bot.runner.act("table", Resumed(), only_here=True)
    joins = bot.table.game.joins and not bot.table.lesson
    for seat, who in enumerate(bot.table.seats):
        if bot.table.going and joins and not who.gone:
            await bot.runner.act("table", Left(seat), only_here=True)
    if bot.table.going and not joins:
        await bot.end_of_game.close()
    await bot.go_on()


def people_at(bot: TableBot) -> list[str]:
    """Return the folded names of the people seated here."""
    return [fold(who.name) for who in bot.table.seats.people]
