"""Serving a place: its store and bus are opened, its doors too; and how one process hands it on to the next."""

from __future__ import annotations

import asyncio
import errno
import gc
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import attrs
import structlog

from lilygames import __version__
from lilygames.bus import Bus
from lilygames.bus.local import LocalBus
from lilygames.chat import presence
from lilygames.chat.host import Host
from lilygames.chat.people import Person
from lilygames.chat.periodic import regularly
from lilygames.chat.session import visit
from lilygames.edge.admission import Admission
from lilygames.edge.crowd import Crowd
from lilygames.edge.limits import Limits
from lilygames.edge.listener import Server, Visit
from lilygames.edge.telnet import listen
from lilygames.edge.tls import context
from lilygames.games import games, import_all
from lilygames.server.config import Settings
from lilygames.server.handover import Handover, hand_on, inherited, reload_refused, take_over
from lilygames.server.metrics import Counted, Figure, Instruments, Lateness, memory, memory_peak
from lilygames.server.pidfile import mark, refuse, unmark
from lilygames.server.place import Place, furnish
from lilygames.server.store_watch import StoreWatch
from lilygames.store import Store
from lilygames.store.sqlite import SqliteStore
from lilygames.tables.bot import TableBot

log = structlog.get_logger()
SWEEP = 600.0
"""Seconds between two looks for sessions that are too old."""


class CannotListen(Exception):
    """A port cannot be listened on; the text says which one, why, and what to do."""


@contextmanager
def listening(setting: str, host: str, port: int) -> Iterator[None]:
    """Name the setting of a port that cannot be listened on; raises `CannotListen`."""
    option = f"--{setting.replace('_', '-')}"
    try:
        yield
    except OSError as problem:
        if isinstance(problem, socket.gaierror) or problem.errno == errno.EADDRNOTAVAIL:
            why = f"Can't listen on {host}: this machine doesn't have that address. Choose another with --host."
        elif problem.errno == errno.EADDRINUSE:
            why = f"{setting} {port} on {host} is in use: stop what listens there, or choose another with {option}."
        elif problem.errno == errno.EACCES:
            why = f"You may not listen on {setting} {port}: choose a port above 1023 with {option}."
        else:
            why = f"Can't listen on {setting} {port} of {host} ({problem.strerror}): choose another with {option}."
        raise CannotListen(why) from problem


async def opened_store(settings: Settings) -> Store:
    """Return the store that the settings name; raises `StoreUnavailable`, `OSError`."""
    kind, _, file = settings.store.partition(":")
    if kind in ("", "sqlite"):
        return await asyncio.to_thread(SqliteStore.open, file or settings.data / "lilygames.db")
    from lilygames.store.postgres import PostgresStore  # noqa: PLC0415 - its library is only for several nodes

    return await PostgresStore.open(settings.store, unsafe=bool(settings.unsafe))


async def opened_bus(settings: Settings) -> Bus | None:
    """Return the bus that the settings name, None where the store is a file, which one node has to itself."""
    if not settings.store.startswith("postgres"):
        return None
    if settings.bus == "local":
        return LocalBus()
    if settings.bus != "postgres":
        from lilygames.bus.nats import NatsBus  # noqa: PLC0415 - as above

        return await NatsBus.open(settings.bus)
    from lilygames.bus.postgres import PostgresBus  # noqa: PLC0415 - as above

    return await PostgresBus.open(settings.store)


async def serve(settings: Settings, ready: Callable[[str], None], anew: asyncio.Event) -> Handover | None:
    """Serve until cancelled, or until `anew` is set: then what the next process takes over is returned.

    `ready` gets a line for each port. Raises `OSError`, `StoreUnavailable`, `Unusable`, `CannotListen`.
    """
    settings.data.mkdir(parents=True, exist_ok=True)
    before = inherited()
    store = Counted(await opened_store(settings))
    try:
        found = games()
        for game in found.values():
            game.prepare()
        place = await furnish(
            store,
            settings,
            found,
            bus=await opened_bus(settings),
            before=before.before if before else None,
            gather=Crowd,
        )
        _collect_seldom()
        doors = await _open(settings, partial(visit, place.host), partial(_facts, place, time.time()), before)
        late, kept = Lateness(), StoreWatch(store, place.host)
        if settings.metrics_port:
            with _going_on_without("metrics_port", before):
                await _show_figures(settings.metrics_port, place, store, _figures(place, doors, store, late, kept))
        if before:
            await take_over(place, doors, before)
            await place.wake()
        watches = [
            presence.watch(place.host, settings.idle_minutes * 60),
            late.watch(),
            kept.watch(),
            place.forsaken.watch(),
            _sweep(place.host),
        ]
        watching = [*map(asyncio.create_task, watches)]
        try:
            mark(settings.data)
            for kind, door in doors.items():
                ready(f"listening: {kind} {settings.host}:{door.port}")
            await _reload_wanted(settings.data, anew)
            return await hand_on(place, doors)
        except asyncio.CancelledError:
            await _close(place, doors)
            unmark(settings.data)
            raise
        finally:
            for watch in watching:
                watch.cancel()
            await place.kept()
            place.workers.close()
    finally:
        await store.close()


async def _sweep(host: Host) -> None:
    """Let go of sessions that are too old, again and again until cancelled."""

    async def look() -> None:
        await host.sessions.sweep(host.clock())

    await regularly(SWEEP, look, "old sessions cannot be let go of")


async def _reload_wanted(data: Path, anew: asyncio.Event) -> None:
    """Return when a reload is asked for that can succeed; one that cannot is refused, and the server goes on."""
    while True:
        await anew.wait()
        anew.clear()
        why = await reload_refused()
        if not why:
            return
        log.error("a reload is refused, and the server goes on as it was", why=why)
        refuse(data, why)


async def try_out(settings: Settings) -> None:
    """Import our own games and look at the store, as a start would, while a running server has it.

    Raises `StoreUnavailable`, and whatever the import of a game raises.
    """
    import_all()
    kind, _, file = settings.store.partition(":")
    if kind in ("", "sqlite"):
        await asyncio.to_thread(SqliteStore.check, file or settings.data / "lilygames.db")
        return
    from lilygames.store.postgres import PostgresStore  # noqa: PLC0415 - its library is only for several nodes

    await PostgresStore.check(settings.store, unsafe=bool(settings.unsafe))
    bus = await opened_bus(settings)
    if bus:
        await bus.close()


async def _show_figures(port: int, place: Place, store: Store, figures: Sequence[Figure]) -> None:
    """Listen for those who read figures; raises `CannotListen`."""
    instruments = Instruments(figures, store, partial(_ill, place), lambda: place.tables.troubles)
    with listening("metrics_port", "127.0.0.1", port):
        await instruments.listen(port)


@contextmanager
def _going_on_without(setting: str, before: Handover | None) -> Iterator[None]:
    """Go on without a port that cannot be listened on if people are here already, whom a failure would throw out."""
    try:
        yield
    except CannotListen as problem:
        if before is None:
            raise
        log.error("the server goes on without a port", setting=setting, why=str(problem))  # noqa: TRY400 - as it says


async def _close(place: Place, doors: Mapping[str, Server]) -> None:
    """Hang up on everybody, and let other nodes go on."""
    if place.node:
        await place.node.drain()
    place.host.announce("*** lily is closing for a moment; your seats are kept ***")
    await asyncio.gather(*(door.close() for door in doors.values()))
    for room in list(place.host.rooms.values()):
        await room.finish()
    if place.node:
        await place.node.end()


def _ill(place: Place) -> str:
    """Return why nobody should be sent to this node; empty where it is well."""
    return "this node takes nobody in any more" if place.node and place.node.beats.draining else ""


def _figures(
    place: Place, doors: Mapping[str, Server], store: Counted, late: Lateness, kept: StoreWatch
) -> list[Figure]:
    """Return what instruments read of a place."""
    host, tables, began = place.host, place.tables, time.time()

    def nodes() -> float:
        return len(place.node.beats.live) if place.node else 1

    return [
        Figure("people", "gauge", "People who are here, on all nodes.", lambda: sum(p.here for p in _everybody(host))),
        Figure(
            "people_served", "gauge", "People whom this node serves.", lambda: sum(p.near for p in _everybody(host))
        ),
        Figure("connections", "gauge", "Open lines of this node.", lambda: sum(d.connected for d in doors.values())),
        Figure("discussions", "gauge", "Discussions, tables' rooms too.", lambda: len(host.rooms)),
        Figure("tables", "gauge", "Tables that are not over.", lambda: len(tables.open)),
        Figure(
            "tables_stopped",
            "gauge",
            "Tables that are stopped: by a bug, or since their log cannot be read.",
            lambda: sum(map(_stopped, tables.open.values())) + len(tables.unplayable.stopped),
        ),
        Figure(
            "tables_waiting",
            "gauge",
            "Open tables whose rules are not installed here.",
            lambda: len(tables.unplayable.numbers) - len(tables.unplayable.stopped),
        ),
        Figure("unreadable_rows", "gauge", "Rows of the store that cannot be read.", lambda: len(tables.unreadable)),
        Figure("writes_total", "counter", "Entries and records written.", lambda: store.appends),
        Figure("write_seconds_total", "counter", "Seconds that writing took.", lambda: store.seconds),
        Figure("write_conflicts_total", "counter", "Writes that came second.", lambda: store.conflicts),
        Figure("write_failures_total", "counter", "Writes that the engine could not take.", lambda: store.failures),
        Figure(
            "store_lost", "gauge", "1 while nothing is saved: the store was removed or replaced.", lambda: kept.lost
        ),
        Figure("nodes", "gauge", "Nodes that are alive.", nodes),
        Figure("loop_late_seconds", "gauge", "How late the loop was just now.", lambda: late.now),
        Figure("loop_late_seconds_worst", "gauge", "The same at its worst, of late.", lambda: late.worst),
        Figure("memory_bytes", "gauge", "Memory that the process has now.", memory),
        Figure("memory_peak_bytes", "gauge", "Memory at its most since the process began.", memory_peak),
        Figure("uptime_seconds", "gauge", "Seconds since this process began.", lambda: time.time() - began),
    ]


def _everybody(host: Host) -> list[Person]:
    return [*host.people.values()]


def _stopped(bot: TableBot) -> bool:
    return bool(bot.case)


def _collect_seldom() -> None:
    """Look for cycles of objects seldom: each look is at all that people have here, and hardly any of it is a cycle."""
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


async def _open(
    settings: Settings, visits: Visit, facts: Callable[[], Mapping[str, str]], before: Handover | None
) -> Mapping[str, Server]:
    """Return the doors that the settings ask for, by the way that one comes in; those of the process before go on."""
    tls = context(Path(settings.tls_cert), Path(settings.tls_key or settings.tls_cert)) if settings.tls_cert else None
    admission = Admission(_limits(settings))
    doors: dict[str, Server] = {}

    def told() -> Mapping[str, Sequence[str]]:
        ports = {"PORT" if kind == "telnet" else "SSL": str(door.port) for kind, door in doors.items()}
        return {name: [value] for name, value in (*facts().items(), *ports.items())}

    handed = {kind: before.listening(kind) for kind in before.listeners} if before else {}
    open_door = partial(listen, settings.host, visit=visits, admission=admission, facts=told)
    with listening("port", settings.host, settings.port):
        doors["telnet"] = await open_door(settings.port, listeners=handed.get("telnet", ()))
    if tls:
        try:
            with _going_on_without("tls_port", before), listening("tls_port", settings.host, settings.tls_port):
                doors["tls"] = await open_door(settings.tls_port, tls=tls, listeners=handed.get("tls", ()))
        except CannotListen:
            await doors["telnet"].close()
            raise
    return doors


def _limits(settings: Settings) -> Limits:
    """Return what is granted."""
    return Limits(**{name: getattr(settings, name) for name in attrs.fields_dict(Limits)})


def _facts(place: Place, since: float) -> Mapping[str, str]:
    """Return what lists of places are told, by the names of the MUD Server Status Protocol."""
    return {
        "NAME": place.host.name,
        "PLAYERS": str(sum(person.here for person in place.host.people.values())),
        "UPTIME": str(int(since)),
        "CODEBASE": f"lilygames {__version__}",
        "FAMILY": "Custom",
        "GENRE": "None",
        "GAMEPLAY": "Social",
        "STATUS": "Live",
        "LANGUAGE": "English",
        "ANSI": "1",
        "UTF-8": "1",
        "VT100": "1",
        "GMCP": "1",
        "MCCP": "0",
        "PAY TO PLAY": "0",
        "PAY FOR PERKS": "0",
    }
