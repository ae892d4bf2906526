"""How one process hands a place on to the next without anybody noticing: listeners, connections, and who sits there.

The process becomes the next one by `exec`, so that its number and its open connections stay. What cannot be handed on,
a connection with TLS, is closed with a sentence; the seat is kept.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence

import attrs
import structlog

from lilygames import codec
from lilygames.chat.handover_state import Kept, attach, carry, take_up
from lilygames.chat.people import Person
from lilygames.chat.session import go_on
from lilygames.chat.terminal import Terminal
from lilygames.edge.connection_state import Carried, handed_on
from lilygames.edge.listener import Server, Visit
from lilygames.edge.outbox import MOMENT
from lilygames.edge.telnet import LilyTelnet
from lilygames.edge.terminal import TelnetTerminal
from lilygames.server.place import Before, Place
from lilygames.tables.bot import KeptTable
from lilygames.tables.commands.history import Replay
from lilygames.text import Line, Packet

log = structlog.get_logger()
INHERITED = "LILYGAMES_HANDOVER"
"""The variable that tells a process which file descriptor says what it takes over."""
QUIET = 2.0
"""Seconds in which everything that is being done is done, and all that was sent has gone out."""
TRIED = 30.0
"""Seconds in which a program that can begin has shown that it can."""
_PLACE = re.compile(r'^ *File "(.+)", line (\d+)', re.MULTILINE)
_GLANCE = 0.005
_SORRY = Line("(the place begins anew, and cannot take this line along: connect again, your seat is kept)")


@attrs.frozen
class Handed:
    """One connection that is handed on, by which door it came, and who sits there: nobody yet where None."""

    door: str
    carried: Carried
    who: Kept | None


@attrs.frozen
class Handover:
    """All that one process leaves to the next."""

    listeners: Mapping[str, tuple[int, ...]]
    """The listening sockets of each door."""
    lines: tuple[Handed, ...]
    absent: tuple[Kept, ...]
    """Those who are not here, and whose seats are kept."""
    tables: tuple[KeptTable, ...] = ()
    replays: dict[str, Replay] = attrs.field(factory=dict)
    """Which finished game each is looking at."""
    node: str = ""
    """What the process was called among several."""

    @property
    def before(self) -> Before:
        """How far everything had come."""
        return Before(self.node, {table.number: table.seq for table in self.tables})

    def listening(self, door: str) -> Sequence[socket.socket]:
        """Return the sockets at which a door goes on to listen."""
        return [_listener(handle) for handle in self.listeners.get(door, ())]


def _listener(handle: int) -> socket.socket:
    listener = socket.socket(fileno=handle)
    listener.settimeout(0)
    listener.set_inheritable(False)
    return listener


def inherited() -> Handover | None:
    """Return what the process before has left, if there was one."""
    handle = os.environ.pop(INHERITED, "")
    if not handle:
        return None
    with os.fdopen(int(handle), "rb") as file:
        file.seek(0)
        handover: Handover = codec.from_text(file.read().decode(), Handover)
    return handover


def _own_command() -> list[str]:
    """Return the command by which this process was started."""
    return [sys.executable, *sys.orig_argv[1:]]


async def reload_refused(seconds: float = TRIED) -> str:
    """Return why the next process could not begin, empty if it could: its code and settings are tried in a child."""
    command = [*_own_command(), "--dry-run"]
    try:
        child = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    except OSError as problem:
        return f"{command[0]} cannot be run ({problem.strerror})"
    try:
        async with asyncio.timeout(seconds):
            _, said = await child.communicate()
    except TimeoutError:
        return f"the new program did not start within {seconds:g} seconds"
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
    return _complaint(said.decode("utf-8", "replace").strip(), child.returncode) if child.returncode else ""


def _complaint(text: str, code: int | None) -> str:
    """Return the last line of what a program said before it failed, with the place in the code where it names one."""
    log.error("the new program cannot start", code=code, said=text)
    last = text.rpartition("\n")[2].removeprefix("lilygames: ")
    places = _PLACE.findall(text)
    where = f" ({places[-1][0]}, line {places[-1][1]})" if places else ""
    return f"{last}{where}" if last else f"the new program ended with code {code}"


def begin_anew(handover: Handover) -> None:
    """Become the next process, which takes over; it returns only by an `OSError`."""
    handle = os.memfd_create("handover", flags=0)
    os.write(handle, codec.to_text(handover).encode())
    os.environ[INHERITED] = str(handle)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the next process minds it as soon as it can
    os.execv(sys.executable, _own_command())  # noqa: S606 - the same command as before


async def hand_on(place: Place, doors: Mapping[str, Server]) -> Handover:
    """Stop, and return all that the next process has to know; nothing is said to anybody from here on."""
    listeners = {kind: tuple(map(handed_on, door.stop())) for kind, door in doors.items()}
    connections = [(kind, connection) for kind, door in doors.items() for connection in door.connections]
    lines = [(kind, connection) for kind, connection in connections if isinstance(connection, LilyTelnet)]
    for _, line in lines:
        line.stop_reading()
    for bot in place.tables.open.values():
        bot.runner.sleep()
    if place.node:
        await place.node.make_way()
    await _quiet(place, [line for _, line in lines])
    if place.node:
        await place.node.end()
    sitting = {id(person.terminal): person for person in place.host.people.values() if person.near}
    handed = [_handed(place, kind, line, sitting) for kind, line in lines]
    await _quiet(place, [line for _, line in lines])
    absent = [carry(place.host, person) for person in place.host.people.values() if not (person.here or person.home)]
    return Handover(
        listeners,
        tuple(line for line in handed if line),
        tuple(absent),
        tuple(bot.carry() for bot in place.tables.open.values()),
        dict(place.tables.replays),
        place.node.name if place.node else "",
    )


async def _quiet(place: Place, lines: Sequence[LilyTelnet]) -> None:
    """Return when all that was asked is done and all that was sent has gone out, or after so many seconds."""
    until = time.monotonic() + QUIET
    for room in [*place.host.rooms.values()]:
        await room.finish()
    await asyncio.sleep(2 * MOMENT)  # what many are shown at once is on its way to their outboxes for a moment
    while time.monotonic() < until and (  # noqa: ASYNC110 - no socket tells anybody that it is empty
        place.host.dispatcher.in_progress or not all(line.settled for line in lines)
    ):
        await asyncio.sleep(_GLANCE)


def _handed(place: Place, kind: str, line: LilyTelnet, sitting: Mapping[int, Person]) -> Handed | None:
    person = sitting.get(id(line.terminal))
    carried = line.carry()
    if carried is None:
        line.terminal.show(_SORRY)
        line.terminal.close()
        if person:
            person.disconnect()
        return None
    return Handed(kind, carried, carry(place.host, person) if person else None)


async def take_over(place: Place, doors: Mapping[str, Server], handover: Handover) -> None:
    """Go on with everybody where the process before has stopped; raises `StoreUnavailable`.

    Nobody is heard, and nobody is let in, before all are here: they would miss what others say and play. What other
    nodes have said and done meanwhile is told when the place wakes.
    """
    for door in doors.values():
        door.stop()
    for kept in handover.absent:
        attach(place.host, await take_up(place.host, kept), None)
    sitting = [await take_up(place.host, line.who) if line.who else None for line in handover.lines]
    for table in handover.tables:
        if table.number in place.tables.open:
            place.tables.open[table.number].take_up(table)
    place.tables.replays.update(handover.replays)
    all_here, coming = asyncio.Event(), set[str]()
    for line, person in zip(handover.lines, sitting, strict=True):
        handle = line.carried.taken()
        try:
            await doors[line.door].take_up(handle, (line.carried, _visit(place, line, person, coming, all_here)))
        except OSError as problem:
            log.info("a line was lost on the way", why=str(problem))
            handle.close()
    await _attached(coming)
    all_here.set()
    for door in doors.values():
        door.start()


async def _attached(coming: set[str]) -> None:
    """Return when all have their terminals, or after so many seconds: one may have hung up meanwhile."""
    until = time.monotonic() + QUIET
    while coming and time.monotonic() < until:  # noqa: ASYNC110 - each visit begins by itself
        await asyncio.sleep(_GLANCE)


def _visit(
    place: Place, line: Handed, person: Person | None, coming: set[str], all_here: asyncio.Event
) -> Visit | None:
    """Return what goes on at a line, None where nobody had given a name there; who is not attached yet is `coming`."""
    if person is None:
        return None
    coming.add(person.name)

    async def goes_on(terminal: Terminal) -> None:
        attach(place.host, person, terminal)
        coming.discard(person.name)
        if isinstance(terminal, TelnetTerminal):
            name = Packet("name", {"name": person.name, "guest": person.guest})
            terminal.take_up(line.carried.half, person.belongings.settings, name)
        await all_here.wait()
        await go_on(place.host, terminal, person)

    return goes_on
