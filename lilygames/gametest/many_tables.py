"""Many tables of people and bots on one server: how soon bots move when they are due, and how long talk takes.

Phases in which all tables rest and in which all play take turns. At each table a person makes a move now and then, and
the bots do the rest. A person whose game is over opens another table, as a game may take only seconds. A move brings
about all that it does on a server: views, log and screens.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import cycle
from typing import Any

import attrs
from rich.box import SIMPLE
from rich.table import Table

from lilygames import codec
from lilygames.game import Game, Thinker
from lilygames.games import games
from lilygames.gametest import loop_turns
from lilygames.gametest.loop_turns import RecordingLoop, Turns
from lilygames.gametest.stage import SETTINGS, Stage
from lilygames.scheduling.durations import BOUNDS, Durations
from lilygames.server.process.garbage import collect_seldom
from lilygames.server.process.large_pages import use_large_pages
from lilygames.tables.log.acts import Body, Moved
from lilygames.tables.room.bot import TableBot

_PERSON = (4.0, 12.0)
"""Seconds after which a person makes a move if it is their turn: at least and at most."""
_PAUSE = 0.4
"""Seconds that a bot takes for a move."""
_SPEAKERS, _LINES = 20, 0.02
"""People who talk in a room, and seconds from one line to the next."""
_QUIET = 10
"""Looks a tenth of a second apart at which no bot must have anything to do."""
_PATIENCE = 300.0
"""Seconds until bots must have come to rest. Only a machine that is too busy for this measurement takes longer."""
_BYTES = 4096
"""Bytes of signals that are read at once."""
_LATE = (0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds, as ends of ranges."""


@attrs.frozen
class Tables:
    """That many tables, each of one person and bots of one level."""

    game: str
    options: Sequence[str]
    level: str
    seats: int
    number: int
    workers: int
    whole: bool = False
    """Whether bots keep their whole budgets while many moves wait."""

    async def opened(self) -> Stage:
        """Return a stage on which these tables have started."""
        settings = attrs.evolve(SETTINGS, house_workers=self.workers, house_pause_min=_PAUSE, house_pause_max=_PAUSE)
        known = {name: _unhurried(game) for name, game in games().items()} if self.whole else games()
        stage = await Stage.open(known, settings=settings)
        for player in self.players:
            stage.enter(player)
            await self.open(stage, player)
        for number in range(_SPEAKERS):
            stage.enter(_speaker(number))
            line = "/join hall" if number else "/create hall"
            await stage.place.dispatcher.hear(stage.people[_speaker(number)], line)
        return stage

    @property
    def players(self) -> list[str]:
        """The people at the tables, one each."""
        return [f"player{number}" for number in range(self.number)]

    async def open(self, stage: Stage, player: str) -> None:
        """Let a person open a table and start its game."""
        options = " ".join(self.options)
        for line in (f"/new {self.game} {options}", f"/house {self.level} {self.seats - 1}", "/start"):
            await stage.place.dispatcher.hear(stage.people[player], line)


def _unhurried(game: Game) -> Game:
    """Return the game with bots that never search less."""
    players = {
        level: attrs.evolve(one, less=()) if isinstance(one, Thinker) else one for level, one in game.players.items()
    }
    return attrs.evolve(game, players=players)


def _speaker(number: int) -> str:
    return f"speaker{number}"


@attrs.define
class Load:
    """The seconds after which lines had been heard, and how late bots' moves were."""

    lines: list[float] = attrs.field(factory=list)
    moves: Durations = attrs.field(factory=Durations)
    turns: Turns = attrs.field(factory=Turns)

    def within(self, seconds: float) -> float:
        """Return the share of the moves that came so soon after they were due."""
        return sum(self.moves.counts[: BOUNDS.index(seconds) + 1]) / max(1, sum(self.moves.counts))

    def talk(self, share: float) -> float:
        """Return this quantile of the time that a line takes, in milliseconds."""
        times = sorted(self.lines)
        return 1000 * times[min(len(times) - 1, int(share * len(times)))]


async def loads(stage: Stage, tables: Tables, *, seconds: float, rounds: int) -> tuple[Load, Load]:
    """Return what was measured while all tables rested, and while they played; raises `TimeoutError`."""
    resting, now = Load(), asyncio.get_running_loop().time
    await _rest(stage)
    await _talk(stage, Load(), now() + 1)  # the first lines take longer
    lateness = stage.place.tables.activity.bot_lateness
    lateness.clear()
    playing = Load(moves=lateness[tables.game])
    for turn in range(rounds):
        with _recorded(resting.turns):
            await _talk(stage, resting, now() + seconds)
        until = now() + seconds
        people = [_play(stage, tables, one, random.Random(f"{turn} {one}"), until) for one in tables.players]  # noqa: S311 - only a load
        with _recorded(playing.turns):
            await asyncio.gather(_talk(stage, playing, until), *people)
        await _rest(stage)
    return resting, playing


def _recorded(turns: Turns) -> AbstractContextManager[object]:
    """Return a block whose turns are recorded, if the event loop does that."""
    loop = asyncio.get_running_loop()
    return loop.recording(turns) if isinstance(loop, RecordingLoop) else nullcontext()


async def _rest(stage: Stage) -> None:
    """Wait until no bot has anything to do for a second, and no move is being checked; raises `TimeoutError`."""
    quiet = 0
    async with asyncio.timeout(_PATIENCE):
        while quiet < _QUIET:  # no event says so
            await asyncio.sleep(0.1)
            thinks = any(bot.timer.busy for bot in stage.place.tables.open.values())
            quiet = 0 if thinks or not stage.place.workers.idle else quiet + 1


async def _play(stage: Stage, tables: Tables, player: str, draw: random.Random, until: float) -> None:
    """Make a person's first legal move now and then, on their turn; open another table when their game is over."""
    now, person = asyncio.get_running_loop().time, stage.people[player]
    await asyncio.sleep(draw.uniform(0, _PERSON[1]))
    while now() < until:
        table = next((bot.table for bot in person.seats if isinstance(bot, TableBot)), None)
        if table is None:
            await tables.open(stage, player)
        elif (seat := table.seat_of(player)) in table.to_move:
            await stage.place.dispatcher.hear(person, f"/{table.game.spell(table.moves(seat)[0])}")
        await asyncio.sleep(draw.uniform(*_PERSON))


async def _talk(stage: Stage, load: Load, until: float) -> None:
    """Let the speakers say one line after the other until then."""
    now, speakers = asyncio.get_running_loop().time, cycle(map(_speaker, range(_SPEAKERS)))

    def hear(arrived: float) -> None:
        stage.place.dispatcher.hear_at_once(stage.people[next(speakers)], "hello")
        load.lines.append(now() - arrived)

    with _arrivals(hear):
        await asyncio.sleep(until - now())


@contextmanager
def _arrivals(hear: Callable[[float], object]) -> Iterator[None]:
    """Call `hear` for each line, with the time at which it arrived, as soon as the event loop can know of it.

    A signal's byte wakes the loop as a packet does, and the line is heard in the call that reads it. The loop's own
    timers come up to a millisecond late, which no line does. That would count as the server's time, above all while the
    tables rest.
    """
    loop = asyncio.get_running_loop()
    here, there = socket.socketpair()
    there.setblocking(False)  # noqa: FBT003 - as its name says
    arrives = loop.time() + _LINES

    def read() -> None:
        nonlocal arrives
        here.recv(_BYTES)
        while arrives <= loop.time():
            hear(arrives)
            arrives += _LINES

    with here, there, _woken(there.fileno()):
        loop.add_reader(here, read)
        arrives = loop.time() + _LINES
        signal.setitimer(signal.ITIMER_REAL, _LINES, _LINES)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            loop.remove_reader(here)


@contextmanager
def _woken(descriptor: int) -> Iterator[None]:
    """Write a byte for each signal of a timer while the block runs."""
    handler = signal.signal(signal.SIGALRM, lambda *_: None)
    before = signal.set_wakeup_fd(descriptor)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGALRM, handler)


async def budgets(stage: Stage) -> Mapping[int, int]:
    """Return how many moves have searched with each budget that isn't the level's own."""
    found: dict[int, int] = {}
    for number in range(1, stage.place.tables.activity.opened.total() + 1):
        for entry in await stage.place.tables.archive.entries(number):
            act = codec.from_text(entry.body, Body).act
            if isinstance(act, Moved) and act.budget:
                found[act.budget] = found.get(act.budget, 0) + 1
    return found


async def measured(tables: Tables, *, seconds: float, rounds: int) -> list[Table]:
    """Play at these tables, and return what was measured as something printable; the loop's turns come second.

    Raises `TimeoutError` if the bots don't come to rest.
    """
    stage = await tables.opened()
    collect_seldom()  # as a server does: otherwise some lines wait for a collection of 80 ms
    use_large_pages()
    try:
        resting, playing = await loads(stage, tables, seconds=seconds, rounds=rounds)
        less = ", ".join(f"{moves} with {budget}" for budget, moves in sorted((await budgets(stage)).items()))
    finally:
        stage.place.workers.close()
    about = f"{tables.number} tables with {tables.seats} seats, {tables.workers} workers"
    title = f"{about}, load average {os.getloadavg()[0]:.1f}; moves with smaller budgets: {less or 'none'}"
    found = {"all tables rest": resting, "all tables play": playing}
    turns = {way: load.turns for way, load in found.items() if load.turns.turns}
    return [_shown(title, found), *(loop_turns.shown(turns) if turns else [])]


def _shown(title: str, found: Mapping[str, Load]) -> Table:
    table = Table("", title=title, title_justify="left", box=SIMPLE, padding=0, pad_edge=False)
    heads = ("moves", *(f"in {seconds:g} s" for seconds in _LATE), "talk p50 ms", "talk p99 ms")
    for head in heads:
        table.add_column(head, justify="right")
    for way, load in found.items():
        moves: list[Any] = [sum(load.moves.counts), *(f"{load.within(seconds):.1%}" for seconds in _LATE)]
        table.add_row(way, *map(str, moves), f"{load.talk(0.5):.1f}", f"{load.talk(0.99):.1f}")
    return table
