"""Commands about time: late players, and what all players agree on."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

from lilygames.chat.names.names import fold
from lilygames.chat.names.time_text import day_and_time
from lilygames.chat.people.people import Person
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.commands import Reads, command
from lilygames.errors import UserError
from lilygames.tables.log.acts import Act, Paced, Paused, Resumed, Undone, UndoneUncounted
from lilygames.tables.log.clocks import Clock, spoken
from lilygames.tables.room.bot import TableBot
from lilygames.tables.room.proposals import Wish
from lilygames.tables.sight.narrate import says
from lilygames.tables.state.undo import last_decision, revelations
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, count
from lilygames_rules.kit import Refused, Seat

ClockText = Annotated[
    Clock,
    Reads(
        "CLOCK", Clock.parse, "a clock is none, or like 60 or 3d (per move), or like 10m+5 (for the game)", rest=True
    ),
]


@command("wait", group="time")
async def wait(at: TableContext, name: str = "") -> None:
    """Give a late player the same time again: /wait, /wait bob."""

    async def longer(bot: TableBot) -> None:
        await _grant(bot, bot.clock.late_seat(at.person, name), bot.clock.whole_turn)

    await at.do(await at.table(), longer)


@command("moretime", group="time")
async def more_time(at: TableContext, name: str = "", minutes: int = 1) -> None:
    """Give another player more time: /moretime bob 5 gives bob five minutes.

    At a quick table, /moretime alone gives you more time when a bot is about
    to play your turn. You can do that once a turn.
    """

    async def longer(bot: TableBot) -> None:
        if not name:
            own = bot.seat_of(at.person.name)
            if own is None:
                raise UserError(f"you don't have a seat at {bot.room.name}. Type /sit to take one.")
            await _grant(bot, own, bot.clock.take_more(own))
            return
        seat = bot.seat_of(name)
        if seat is None or seat not in bot.clock.clocks.turns or seat == bot.seat_of(at.person.name):
            raise UserError(
                "you can only give more time to another player whose turn it is. Type /status to see whose."
            )
        if bot.seat_of(at.person.name) is None:
            raise UserError(f"only players at {bot.room.name} can give more time.")
        await _grant(bot, seat, min(minutes, 1440) * 60)

    await at.do(await at.table(), longer)


async def _grant(bot: TableBot, seat: Seat, extra: float) -> None:
    saying = says(seat, f"gets {spoken(extra)} more.", f"get {spoken(extra)} more.")
    await bot.runner.note("granted", bot.table.seats[seat].name, str(extra), saying)


@command("skip", group="time")
async def skip(at: TableContext, name: str = "") -> None:
    """Make a legal move for a late player, but not a clever one."""

    async def skipped(bot: TableBot) -> None:
        await bot.clock.skip(bot.clock.late_seat(at.person, name), at.person.name)

    await at.do(await at.table(), skipped)


@command("substitute", group="time")
async def substitute(at: TableContext, name: str = "") -> None:
    """Let a bot play for a late player until they are back."""

    async def substituted(bot: TableBot) -> None:
        await bot.house.substitute(bot.clock.late_seat(at.person, name), at.person.name)

    await at.do(await at.table(), substituted)


async def _wish(bot: TableBot, person: Person, wish: Wish, act: Act, done: str) -> None:
    await bot.proposals.wish(person, wish, act, done)


@command("adjourn", group="time", whole=True)
async def adjourn(at: TableContext) -> None:
    """Stop the game for now, if everyone here agrees. /resume continues it, today or next week."""
    bot = await at.table()
    done = f"The game is adjourned. To continue, everyone here has to type /at {bot.table.header.number} resume."
    await at.do(bot, partial(_wish, person=at.person, wish="adjourn", act=Paused(), done=done))


@command("resume", group="time")
async def resume(at: TableContext) -> None:
    """Continue an adjourned game, if everyone here agrees."""
    await at.do(
        await at.table(),
        partial(_wish, person=at.person, wish="resume", act=Resumed(), done="The game continues."),
    )


@command("pace", group="time")
async def pace(at: TableContext, clock: ClockText) -> None:
    """Change the clock, if everyone agrees: /pace 60, /pace 3d (slow play), /pace 10m+5, /pace none."""
    done = f"The clock is now: {clock.said}."
    await at.do(await at.table(), partial(_wish, person=at.person, wish="pace", act=Paced(clock), done=done))


@command("undo", group="time")
async def undo(at: TableContext, word: str = "") -> None:
    """Take back your last decision and every move since then, if everyone here agrees.

    You can't undo if cards or dice were drawn or revealed since then. If you play
    against bots only, you can, but you're asked first. After /undo yes the game
    no longer counts for ratings or statistics, and you can't win chips.
    """
    if word.casefold() not in ("", "yes"):
        raise UserError("type /undo, or /undo yes to confirm.")
    await at.do(await at.table(), partial(_undone, person=at.person, sure=bool(word)))


async def _undone(bot: TableBot, person: Person, *, sure: bool) -> None:
    """Agree to a requested undo, or undo the person's own last decision, or ask about it first."""
    seat = bot.seat_of(person.name)
    if seat is None:
        raise UserError(f"only players at {bot.room.name} can undo. Type /sit to take a seat.")
    act = bot.proposals.wished_undo or _own_undo(bot, seat)
    if not await _tells_more(bot, act.to, person):
        await bot.proposals.wish(person, wish="undo", act=act, done="")
    elif bot.table.seats.owners != {fold(person.name)}:
        raise UserError("you can't undo that: something was drawn or revealed since then. Type /moves to play on.")
    elif sure or not bot.table.counted:
        await bot.runner.act(person.name, UndoneUncounted(act.to), only_here=True)
        await bot.go_on()
    else:
        person.show(bot.line(_QUESTION + (_CHIPS if bot.table.game.purse else "")))


_QUESTION = (
    "Something was drawn or revealed since then. If you undo that, this game no longer counts for ratings and "
    "statistics. Type /undo yes to do it."
)
_CHIPS = " You can't win anything then, and you still lose what you have lost so far."


def _own_undo(bot: TableBot, seat: Seat) -> Undone:
    """Return the act that undoes a seat's last decision; raises `Refused` or `UserError`."""
    if bot.table.paused:
        raise Refused("adjourned")
    decision = last_decision(bot.table, seat) if bot.table.going else None
    if decision is None:
        raise Refused("no-undo")
    if bot.autopass.passes(bot.table.seats[seat].name):
        raise UserError("/autopass is on and would pass again. Type /autopass to turn it off, then /undo.")
    return Undone(decision.to)


async def _tells_more(bot: TableBot, to: int, person: Person) -> bool:
    """Return whether the moves to undo drew luck or revealed something, without blocking other work."""
    with bot.runner.bugs_stop_this_table:
        return any(await run_in_slices(revelations(bot.table, bot.table.taken_back(to)), person.origin))


@command("clock", group="time")
async def clock(at: TableContext) -> Line:
    """Show the clock, and how much time everyone has left."""
    bot = await at.shown()
    return bot.line(f"Clock: {bot.clock.said}; {bot.clock.time_left(at.person) or 'nobody is being timed'}.")


@command("vacation", group="time")
async def vacation(at: TableContext, days: int = -1) -> str:
    """Pause your slow games: /vacation 14 for 14 days, /vacation 0 to stop, /vacation to see what is left."""
    name, now = at.person.name, time.time()
    if days > 0:
        await at.tables.vacations.begin(name, days, now)
    elif days == 0:
        await at.tables.vacations.end(name, now)
    ends, left = at.tables.vacations.ends(name), count(at.tables.vacations.left(name, now), "day")
    if ends <= now:
        return f"(you aren't on vacation; you have {left} left this year)"
    until = day_and_time(ends, now, at.person.profile.zone)
    return f"(your slow games are paused until {until}; you have {left} left this year)"


@command("queue", group="time", private=True)
async def queue(at: TableContext, line: Annotated[str, Reads("MOVE", str, rest=True)] = "") -> Line:
    """Choose your next move in advance: /queue bid 2. It's dropped if it isn't legal when your turn comes.

    /queue alone cancels it.
    """
    bot = await at.seat()
    if bot.seat_of(at.person.name) is None:
        raise UserError(f"you don't have a seat at {bot.room.name}. Type /sit to take one.")
    if line and bot.question(at.person):
        raise UserError("it's your turn now. Type the move itself.")
    return bot.line(bot.typed.queue(at.person, line.removeprefix("/")), by=at.person.name)
