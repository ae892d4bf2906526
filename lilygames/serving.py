"""Serving a place: its store and bus are opened, its doors too; and how one process hands it on to the next."""

from __future__ import annotations

import asyncio
import gc
import resource
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import attrs
import structlog

from lilygames import __version__
from lilygames.app import Place, furnish, games
from lilygames.bus import Bus
from lilygames.bus.local import LocalBus
from lilygames.chat import presence
from lilygames.chat.host import Host
from lilygames.chat.people import Person
from lilygames.chat.regularly import regularly
from lilygames.chat.visit import visit
from lilygames.config import Settings
from lilygames.edge.crowd import Crowd
from lilygames.edge.door import Server
from lilygames.edge.gate import Gate
from lilygames.edge.limits import Limits
from lilygames.edge.server import Visit
from lilygames.edge.telnet import listen
from lilygames.edge.tls import Unusable, context
from lilygames.figures import Counted, Figure, Instruments, Lateness, memory, memory_peak
from lilygames.handover import Handover, hand_on, inherited, take_over
from lilygames.running import mark, unmark
from lilygames.store import Store
from lilygames.store.sqlite import SqliteStore
from lilygames.tables.bot import TableBot

log = structlog.get_logger()
SWEEP = 600.0
"""Seconds between two looks for sessions that are too old."""
OTHER_FILES = 100
"""Files that the process opens for anything but connections, at most."""


async def opened_store(settings: Settings) -> Store:
    """Return the store that the settings name; raises `Unavailable`, `OSError`."""
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

    `ready` gets a line for each port. Raises `OSError`, `Unavailable`, `Unusable`.
    """
    settings.data.mkdir(parents=True, exist_ok=True)
    before = inherited()
    store = Counted(await opened_store(settings))
    try:
        place = await furnish(
            store, settings, games(), bus=await opened_bus(settings), before=before.before if before else None
        )
        place.host.gather = Crowd
        _collect_seldom()
        doors = await _open(settings, partial(visit, place.host), partial(_facts, place, time.time()), before)
        if before:
            await take_over(place, doors, before)
            await place.wake()
        late = Lateness()
        watches = [
            presence.watch(place.host, settings.idle_minutes * 60),
            late.watch(),
            place.forsaken.watch(),
            _sweep(place.host),
        ]
        watching = [*map(asyncio.create_task, watches)]
        try:
            mark(settings.data)
            for kind, door in doors.items():
                ready(f"listening: {kind} {settings.host}:{door.port}")
            if settings.metrics_port:
                instruments = Instruments(
                    _figures(place, doors, store, late), store, partial(_ill, place), lambda: place.tables.troubles
                )
                await instruments.listen(settings.metrics_port)
            await anew.wait()
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


def _figures(place: Place, doors: Mapping[str, Server], store: Counted, late: Lateness) -> list[Figure]:
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
    gate = Gate(_limits(settings))
    doors: dict[str, Server] = {}

    def told() -> Mapping[str, Sequence[str]]:
        ports = {"PORT" if kind == "telnet" else "SSL": str(door.port) for kind, door in doors.items()}
        return {name: [value] for name, value in (*facts().items(), *ports.items())}

    handed = {kind: before.listening(kind) for kind in before.listeners} if before else {}
    doors["telnet"] = await listen(
        settings.host, settings.port, visits, gate=gate, facts=told, listeners=handed.get("telnet", ())
    )
    if tls:
        try:
            doors["tls"] = await listen(
                settings.host,
                settings.tls_port,
                visits,
                gate=gate,
                facts=told,
                tls=tls,
                listeners=handed.get("tls", ()),
            )
        except OSError as problem:
            await doors["telnet"].close()
            why = f"port {settings.tls_port} cannot be used for TLS ({problem.strerror}): give another with --tls-port"
            raise Unusable(why) from problem
    return doors


def _limits(settings: Settings) -> Limits:
    """Return what is granted, as far as the process may open files for it."""
    _, files = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    limits = Limits(**{name: getattr(settings, name) for name in attrs.fields_dict(Limits)})
    if files == resource.RLIM_INFINITY or limits.connections + OTHER_FILES <= files:
        return limits
    log.warning("the system allows fewer connections than the settings", connections=files - OTHER_FILES)
    return attrs.evolve(limits, connections=max(1, files - OTHER_FILES))


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
