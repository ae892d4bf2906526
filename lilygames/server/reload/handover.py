"""Restart without disconnecting: hand listeners, connections and their people to the next process.

TLS connections and websockets can't be handed over: they are closed with a message, and their seats are kept.
`lilygames/server/reload/succession.py` starts the next process, and sends it all this.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Mapping, Sequence
from itertools import chain

import attrs
import structlog

from lilygames.chat.host.host import Host
from lilygames.chat.people.people import Person
from lilygames.chat.people.profile import Profile
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.talk.history import UnsavedTalk
from lilygames.chat.visits.arrivals import expect_back
from lilygames.chat.visits.handover_state import PersonState, attach, carry, take_up
from lilygames.chat.visits.session import continue_visit
from lilygames.edge.connections.listener import Connection, Listener, Server, Visit
from lilygames.edge.connections.telnet import LilyTelnet
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.terminal.terminal import TelnetTerminal
from lilygames.edge.wire.connection_state import ConnectionState, handed_on
from lilygames.edge.wire.outbox import MOMENT
from lilygames.limits.quota import Use
from lilygames.nodes.order.predecessor import Predecessor
from lilygames.server.place.place import Before, Place
from lilygames.server.reload.waiting import Waiting
from lilygames.store.record_changes import Record
from lilygames.tables.commands.finished.replays import Replay
from lilygames.tables.room.bot import KeptTable
from lilygames.text import Line, Packet

log = structlog.get_logger()
QUIET = 2.0
"""Seconds to wait until everything queued is done and sent."""
AT_ONCE = 20
"""People who are restored together."""
SAVED = 1.0
"""Seconds that the last talk and profiles have to be saved before they are handed over."""
_GLANCE = 0.005
_SORRY = Line("(the server is restarting and can't keep a TLS connection: please reconnect, your seat is saved)")


@attrs.frozen
class Handed:
    """A connection to hand over, the listener it came through, and its person; None before login."""

    door: str
    """The kind of its listener: telnet, tls, machine or web."""
    carried: ConnectionState
    who: PersonState | None

    def renumbered(self, numbers: Mapping[str, int]) -> Handed:
        """Return it with another number of its socket."""
        return attrs.evolve(self, carried=attrs.evolve(self.carried, handle=numbers[str(self.carried.handle)]))


@attrs.frozen
class Unsaved:
    """Talk and profiles that the store couldn't save. Profiles are by account key, None for one to delete."""

    talk: tuple[UnsavedTalk, ...] = ()
    profiles: dict[str, Profile | None] = attrs.field(factory=dict)


@attrs.frozen
class Handover:
    """The state that one process leaves to the next."""

    listeners: Mapping[str, tuple[int, ...]]
    """The listening sockets of each kind of listener."""
    lines: tuple[Handed, ...]
    absent: tuple[PersonState, ...]
    """Disconnected people whose seats are kept, and people whose connections couldn't be handed over."""
    tables: tuple[KeptTable, ...] = ()
    """The tables with something that isn't in their logs."""
    replays: dict[str, Replay] = attrs.field(factory=dict)
    """The finished game that each person is looking at."""
    node: str = ""
    """The process's node name in a cluster."""
    handles: dict[str, int] = attrs.field(factory=dict)
    """The handles of people and rooms, as lily's clients know them."""
    arrived: dict[str, int] = attrs.field(factory=dict)
    """The number of messages that had arrived by other node."""
    talk: dict[str, tuple[int, ...]] = attrs.field(factory=dict)
    """How far the messages of each room were shown: see `lilygames.nodes.room_talk`."""
    unsaved: Unsaved = Unsaved()
    process: int = 0
    """The number by which others know the server."""
    changed: tuple[Record, ...] = ()
    """The records that were written since the next process began to load."""
    told: dict[int, int] = attrs.field(factory=dict)
    """The last entry of each table that was told, by its number."""
    unanswered: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    """The lines for whose answers people wait, by folded name."""
    log: tuple[int, tuple[str, ...]] = (0, ())
    """The number of the newest line of the log, and the last lines; none from release 0.2."""
    opened_from: dict[int, str] = attrs.field(factory=dict)
    """The address from which each table was opened, by its number; none from release 0.2."""
    rooms_from: dict[str, str] = attrs.field(factory=dict)
    """The address from which each room was opened, by its key; none from release 0.2."""
    uses: tuple[Use, ...] = ()
    """The rates that people and addresses have used; none from release 0.2."""

    @property
    def descriptors(self) -> Sequence[int]:
        """The descriptors of all its sockets."""
        return [*chain.from_iterable(self.listeners.values()), *(line.carried.handle for line in self.lines)]

    def renumbered(self, numbers: Mapping[str, int]) -> Handover:
        """Return it with other numbers of its sockets, as another process has got them."""
        listeners = {kind: tuple(numbers[str(each)] for each in sockets) for kind, sockets in self.listeners.items()}
        return attrs.evolve(self, listeners=listeners, lines=tuple(line.renumbered(numbers) for line in self.lines))

    @property
    def before(self) -> Before:
        """How far each table had been told, and who was there."""
        return Before(self.told, Predecessor(self.node, self.arrived), self.talk)

    @property
    def waiting(self) -> Sequence[tuple[ConnectionState, bool]]:
        """The connections, each with whether it is a program's."""
        return [(line.carried, line.door == "machine" or line.carried.half.page) for line in self.lines]

    def listening(self, kind: str) -> Sequence[socket.socket]:
        """Return the sockets that a listener takes over."""
        return [_listener(handle) for handle in self.listeners.get(kind, ())]


def _listener(handle: int) -> socket.socket:
    listener = socket.socket(fileno=handle)
    listener.settimeout(0)
    listener.set_inheritable(False)
    return listener


async def hand_on(place: Place, listeners: Mapping[str, Listener], notices: Notices) -> Handover:
    """Stop, and return what the next process needs. People are sent nothing from here on."""
    sockets = {kind: tuple(map(handed_on, listener.stop())) for kind, listener in listeners.items()}
    connections = [(kind, connection) for kind, listener in listeners.items() for connection in listener.connections]
    lines = [(kind, connection) for kind, connection in connections if isinstance(connection, LilyTelnet)]
    for _, connection in connections:
        connection.stop_reading()
    place.tables.carried_over.sleep()
    if place.node:
        await place.node.make_way()
    await _quiet(place, [connection for _, connection in connections])
    if place.node:
        await place.node.end()
    sitting = {id(person.terminal): person for person in place.host.people.nearby() if person.local}
    handed = [_handed(kind, line, place.host, sitting.get(id(line.terminal))) for kind, line in lines]
    unanswered = _unanswered(place)  # not before: up to now, answers have reached people
    staying = {line.who.name for line in handed if line and line.who}
    cut = [person for person in sitting.values() if person.name not in staying]
    absent = [
        carry(place.host, person)
        for person in place.host.people.nearby()
        if person in cut or not (person.here or person.node)
    ]
    for person in cut:
        person.disconnect()
    for listener in listeners.values():
        await listener.restart()
    if cut or None in handed:  # else nobody was shown anything since
        await _quiet(place, [line for _, line in lines])
    left = await unsaved(place)
    return Handover(
        sockets,
        tuple(line for line in handed if line),
        tuple(absent),
        place.tables.carried_over.kept,
        dict(place.tables.replays),
        place.node.name if place.node else "",
        notices.handles.carried(),
        place.node.arrived if place.node else {},
        place.node.room_talk.places if place.node else {},
        left,
        told={**place.tables.carried_over.told, **{number: bot.table.seq for number, bot in place.tables.open.items()}},
        unanswered=unanswered,
        opened_from=dict(place.host.tables.held.addresses),
        rooms_from=dict(place.host.rooms.addresses),
        uses=place.host.quotas.uses.carry(place.host.now()),
    )


def _unanswered(place: Place) -> dict[str, tuple[str, ...]]:
    """Return the lines whose answers the next process has to find, because this one has no time for them."""
    found = {name: tuple(lines) for name, lines in place.unanswered_lines.lines.items() if name in place.host.people}
    for asked in (place.tables.hints, place.tables.reviews, place.tables.bot_checks):
        for name, line in asked.lines.items():
            found[name] = (*found.get(name, ()), line)
    return found


async def unsaved(place: Place) -> Unsaved:
    """Return what can't be saved within a moment. From here on, the next process saves it."""
    if await place.saved(SAVED):
        return Unsaved()
    return Unsaved(await place.history.carry(), await place.host.profiles.carry())


def save(place: Place, unsaved: Unsaved) -> None:
    """Save in the background what the process before couldn't."""
    place.history.take_up(unsaved.talk)
    for key, profile in unsaved.profiles.items():
        place.host.profiles.keep(key, profile)


async def _quiet(place: Place, connections: Sequence[Connection]) -> None:
    """Return when everything queued is done and sent, or after a timeout."""
    until = time.monotonic() + QUIET
    for room in [*place.host.rooms.values()]:
        await room.finish()
    await asyncio.sleep(2 * MOMENT)  # lines shown to many at once take a moment to reach their outboxes
    while time.monotonic() < until and (  # noqa: ASYNC110 - no event says that a socket is empty
        place.dispatcher.in_progress or not all(each.settled for each in connections)
    ):
        await asyncio.sleep(_GLANCE)


def _handed(kind: str, line: LilyTelnet, host: Host, person: Person | None) -> Handed | None:
    carried = line.carry()
    if carried is None:
        line.terminal.show(_SORRY)
        line.terminal.close()
        return None
    return Handed(kind, carried, carry(host, person) if person else None)


async def take_over(place: Place, listeners: Mapping[str, Listener], handover: Handover, waiting: Waiting) -> None:
    """Continue with everyone where the process before has stopped. Raises `StoreUnavailable`.

    Nobody can type or log in until everyone is here; else some would miss what others say and play. Moves made on
    other nodes meanwhile are told when the place wakes.
    """
    for listener in listeners.values():
        listener.stop()
    save(place, handover.unsaved)
    for kept, away in zip(handover.absent, await _taken_up(place.host, handover.absent), strict=True):
        attach(place.host, away, None)
        if kept.here:
            expect_back(place.host, away)
    telnet = {kind: listener for kind, listener in listeners.items() if isinstance(listener, Server)}
    known = [line.who for line in handover.lines if line.who]
    await place.tables.results.ratings.read_of(*(who.name for who in known))
    sitting = dict(zip(known, await _taken_up(place.host, known), strict=True))
    place.tables.carried_over.take_up(handover.tables)
    place.tables.replays.update(handover.replays)
    for number, address in handover.opened_from.items():
        place.host.tables.held.opened_from(number, address)
    for key, address in handover.rooms_from.items():
        place.host.rooms.opened_from(key, address)
    place.host.quotas.uses.take_up(handover.uses)
    place.unanswered_lines.take_up(handover.unanswered)
    waiting.end()
    all_here, coming = asyncio.Event(), set[str]()
    for line in handover.lines:
        handle, person = line.carried.taken(), sitting[line.who] if line.who else None
        try:
            await telnet[line.door].take_up(handle, (line.carried, _visit(place, line, person, coming, all_here)))
        except OSError as problem:
            log.info("a connection was lost during the restart", why=str(problem))
            handle.close()
    await _attached(coming)
    if place.node:
        place.node.room_talk.go_on()
    all_here.set()
    for listener in listeners.values():
        listener.start()


async def _taken_up(host: Host, people: Sequence[PersonState]) -> list[Person]:
    """Restore people without their terminals, some at a time, because each waits for the store twice.

    Raises `StoreUnavailable`.
    """
    groups = (people[first : first + AT_ONCE] for first in range(0, len(people), AT_ONCE))
    return [one for group in groups for one in await asyncio.gather(*(take_up(host, kept) for kept in group))]


async def _attached(coming: set[str]) -> None:
    """Return when all have their terminals, or after a timeout: someone may have disconnected meanwhile."""
    until = time.monotonic() + QUIET
    while coming and time.monotonic() < until:  # noqa: ASYNC110 - no event says that all have begun
        await asyncio.sleep(_GLANCE)


def _visit(
    place: Place, line: Handed, person: Person | None, coming: set[str], all_here: asyncio.Event
) -> Visit | None:
    """Return the rest of a connection's visit, None before login. Add people to `coming` until they are attached."""
    if person is None:
        return None
    coming.add(person.name)

    async def visit(terminal: Terminal) -> None:
        attach(place.host, person, terminal)
        coming.discard(person.name)
        if isinstance(terminal, TelnetTerminal):
            name = Packet("name", {"name": person.name, "guest": person.guest})
            terminal.take_up(line.carried.half, person.profile.settings, name)
        if terminal.follows_tables:
            place.host.tables.follow(person, lost=True)
        await all_here.wait()
        place.unanswered_lines.answer(person)
        await continue_visit(place.host, place.dispatcher, terminal, person)

    return visit
