"""Run a server: open its store, bus and listeners, start its periodic tasks, and shut it down or hand it over."""

from __future__ import annotations

import asyncio
import errno
import socket
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import structlog

from lilygames import __version__, log_events
from lilygames.bus import Bus
from lilygames.bus.local import LocalBus
from lilygames.chat.host import idle
from lilygames.chat.host.host import Host
from lilygames.chat.tasks.periodic import regularly
from lilygames.chat.visits.session import visit
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.listener import Listener, Visit
from lilygames.edge.connections.telnet import listen
from lilygames.edge.connections.tls import ServerCertificate
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.terminal.crowd import Crowd
from lilygames.edge.terminal.terminal import TelnetTerminal, for_program
from lilygames.edge.web.address import Proxies
from lilygames.edge.web.host_names import HostNames, MachineNames
from lilygames.edge.web.pages import Pages
from lilygames.edge.wire.limits import Limits
from lilygames.edge.wire.wire import MakeTerminal
from lilygames.game import Game
from lilygames.games import games, import_all
from lilygames.limits.addresses import networks
from lilygames.limits.quota import Quotas
from lilygames.mailing.web_pages import WebPages
from lilygames.nodes.hints.early_hints import EarlyHints
from lilygames.nodes.membership import heartbeat
from lilygames.nodes.membership.heartbeat import may_follow
from lilygames.server.place import preloading
from lilygames.server.place.health import Health
from lilygames.server.place.place import Before, Place, furnish
from lilygames.server.place.preloading import Preloaded, Source, file_at
from lilygames.server.place.sources import Sources
from lilygames.server.process.garbage import collect_seldom
from lilygames.server.process.large_pages import use_large_pages
from lilygames.server.process.logs import ServerLog
from lilygames.server.process.pidfile import mark, unmark
from lilygames.server.process.systemd import Systemd
from lilygames.server.process.version import commit_of, long_version
from lilygames.server.reload.handover import Handover, hand_on, take_over
from lilygames.server.reload.succession import CannotStart, Start, Successor, successor
from lilygames.server.reload.waiting import Waiting
from lilygames.server.serving.control import Control, Reloads
from lilygames.server.settings.config import Settings
from lilygames.server.watch.certificate_watch import CertificateWatch
from lilygames.server.watch.measures import CountedStore
from lilygames.store import Damaged, Replaced, Store, StoreUnavailable, is_outage
from lilygames.store.packs import Packs
from lilygames.store.patient import PatientStore, until_it_answers
from lilygames.store.record_changes import RecordChanges
from lilygames.store.sqlite import sqlite
from lilygames.store.sqlite.archive_file import ArchiveFile, beside
from lilygames.store.sqlite.datafile import inspect_in_background, is_unchecked
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.tables.open.row_check import complete_rows
from lilygames.tables.play.runner import RETRY

log = structlog.get_logger()
ANSWER = 2.0
"""Seconds that the store has to answer before a reload hands everyone to the next process."""
SWEEP = 600.0
"""Seconds between checks for expired sessions."""
SINKING = 86400.0
"""Seconds between two looks at the best players: the bounds of idle ones sink by the day."""


class CannotListen(Exception):
    """A port can't be listened on. The text says which one, why, and what to do."""


@contextmanager
def listening(setting: str, host: str, port: int) -> Iterator[None]:
    """Raise `CannotListen`, with the name of the setting, if the block can't listen on its port."""
    option = f"--{setting.replace('_', '-')}"
    to_listen_on = "--metrics-host" if setting == "metrics_port" else "--host"
    try:
        yield
    except OSError as problem:
        if isinstance(problem, socket.gaierror) or problem.errno == errno.EADDRNOTAVAIL:
            why = f"Can't listen on {host}: this machine doesn't have that address. Choose another with {to_listen_on}."
        elif problem.errno == errno.EADDRINUSE:
            why = f"{setting} {port} on {host} is in use: stop what listens there, or choose another with {option}."
        elif problem.errno == errno.EACCES:
            why = f"You need more privileges to listen on {setting} {port}: choose a port above 1023 with {option}."
        else:
            why = f"Can't listen on {setting} {port} of {host} ({problem.strerror}): choose another with {option}."
        raise CannotListen(why) from problem


async def opened_store(settings: Settings) -> Store:
    """Open the store in the settings. Raises `StoreUnavailable` and `OSError`."""
    if file := settings.data_file:
        return await asyncio.to_thread(SqliteStore.open, file)
    from lilygames.store.postgres.postgres import PostgresStore  # noqa: PLC0415 - its library is only for several nodes

    return await PostgresStore.open(settings.store, unsafe=bool(settings.unsafe))


async def _opened_again(settings: Settings, waiting: Waiting) -> Store:
    """Open the store after a reload, while people wait: an outage takes as long as it takes, and ends nothing.

    A damaged data file is waited for, too, until another one is put in its place.
    """
    return await until_it_answers(partial(opened_store, settings), waiting.begin, hopeless=())


def packs_of(settings: Settings, store: Store) -> Packs:
    """Return where the finished games of a store that is open are archived: a file beside it, or its own database."""
    if file := settings.data_file:
        return ArchiveFile(beside(file), store)
    from lilygames.store.postgres.pack_table import PackTable  # noqa: PLC0415 - as above
    from lilygames.store.postgres.postgres import PostgresStore  # noqa: PLC0415 - as above

    assert isinstance(store, PostgresStore)  # noqa: S101 - `opened_store` has opened it
    return PackTable(store)


async def opened_bus(settings: Settings) -> Bus | None:
    """Open the bus in the settings. Return None if the store is a file, which only one node can use."""
    if not settings.store.startswith("postgres"):
        return None
    if settings.bus == "local":
        return LocalBus()
    if settings.bus != "postgres":
        from lilygames.bus.nats import NatsBus  # noqa: PLC0415 - as above

        return await NatsBus.open(settings.bus)
    from lilygames.bus.postgres import PostgresBus  # noqa: PLC0415 - as above

    return await PostgresBus.open(settings.store)


async def serve(
    settings: Settings,
    ready: Callable[[str, str], None],
    reloads: Reloads,
    service: Systemd,
    server_log: ServerLog,
    *,
    start: Start,
) -> tuple[Successor, Handover] | None:
    """Serve until cancelled, or until a reload is wanted; then return the next process, and what to hand over to it.

    `ready` gets the kind and the address of each port, and `service` what systemd wants to know. `server_log` is the
    part of the log that stays in memory. Raises `OSError`, `StoreUnavailable`, `Unusable` and `CannotListen`.
    """
    began = time.monotonic()
    settings.data.mkdir(parents=True, exist_ok=True)
    before = start.before
    unchecked = _unchecked(settings)
    waiting = Waiting(before.waiting if before else ())
    opened = await (_opened_again(settings, waiting) if before else opened_store(settings))
    patient = PatientStore(opened, waiting.begin) if before else None
    changes = RecordChanges(patient or opened, preloading.KINDS)
    store = CountedStore(changes)
    try:
        bus = await opened_bus(settings)
        notices = Notices(before.handles if before else None)
        place = await furnish(
            store,
            settings,
            _prepared_games(),
            bus=bus,
            before=await _state_before(start, _source(settings, opened)),
            gather=partial(Crowd, notices),
            packs=packs_of(settings, opened),
            at_once=False,
            thread=True,
        )
        collect_seldom()
        admission, certificate = _admission(settings, place), _certificate(settings)
        listeners = await _open(
            settings,
            partial(visit, place.host, place.dispatcher),
            partial(_facts, place, time.time()),
            admission,
            before,
            certificate=certificate,
            make_terminal=partial(TelnetTerminal, notices=notices),
            pages={**WebPages(place.mailing).pages, **place.sites.pages},
            quotas=place.host.quotas.uses,
        )
        sources = Sources.of(
            place,
            listeners,
            admission,
            store=store,
            bus=bus,
            certificate=CertificateWatch(certificate, place.host) if certificate else None,
            data=settings.data,
            log=server_log,
        )
        health = Health(place, store, sources.late)
        end_metrics = await _metrics_server(settings, sources, health, before)
        if before and patient:
            await _taken_over(place, listeners, before, waiting, patient)
        watching = [*map(asyncio.create_task, (*_watches(place, settings), *sources.watches(), _check(unchecked)))]
        control = Control(place, reloads, server_log.recent)
        await control.listen(settings.data)
        try:
            mark(settings.data, start.number)
            _say_listening(settings.host, listeners, ready)
            service.ready()
            _say_started(place, listeners, settings.data, seconds=time.monotonic() - began, reloaded=before is not None)
            following = await _reload_wanted(reloads, changes)
            service.reloading()
            health.leave("this node is reloading")
            log_events.reloading(version=__version__, **_present(place))
            handover = await hand_on(place, listeners, notices)
        except asyncio.CancelledError:
            service.stopping()
            await _close(place, listeners, health)
            unmark(settings.data, start.number)
            raise
        finally:
            for watch in watching:
                watch.cancel()
            control.close()
            await place.kept()
            place.workers.close()
            await end_metrics()
    finally:
        await store.close()
    return following, attrs.evolve(handover, changed=changes.changed, log=server_log.recent.carry())


def preload(settings: Settings) -> Preloaded | None:
    """Read what takes long, while another server uses the store. Raises `StoreUnavailable` and `OSError`.

    A database that can't be read now is read later. Damage is raised, so that the other server goes on.
    """
    if file := settings.data_file:
        return asyncio.run(Preloaded.of(file)) if file.exists() else None
    hints = None if settings.bus == "local" else EarlyHints(partial(_shared_bus, settings), preloading.HEARD)
    damage = None
    if hints is None or hints.begin():
        try:
            return asyncio.run(Preloaded.of_database(settings.store, hints))
        except StoreUnavailable as problem:
            damage = problem if isinstance(problem, Damaged) else None
    if hints:
        asyncio.run(hints.end())
    if damage:
        raise damage
    return None


async def _shared_bus(settings: Settings) -> Bus:
    bus = await opened_bus(settings)
    assert bus is not None  # noqa: S101 - only a data file has none
    return bus


def _source(settings: Settings, opened: Store) -> Source:
    """Return the data file or the database of a store that is open."""
    if file := settings.data_file:
        return file_at(file)
    from lilygames.store.postgres.postgres import PostgresStore  # noqa: PLC0415 - as above

    assert isinstance(opened, PostgresStore)  # noqa: S101 - `opened_store` has opened it
    return opened.tables


async def _state_before(start: Start, source: Source) -> Before | None:
    """Return what the process before has left, with what was read earlier if that is still right."""
    if start.before is None:
        return None
    if start.preloaded is None:
        return start.before.before
    return attrs.evolve(start.before.before, preloaded=await start.preloaded.still(source, start.before.changed))


def _prepared_games() -> Mapping[str, Game]:
    """Return all games, ready to be played."""
    found = games()
    for game in found.values():
        game.prepare()
    return found


async def _taken_over(
    place: Place, listeners: Mapping[str, Listener], before: Handover, waiting: Waiting, store: PatientStore
) -> None:
    """Continue with everyone. From then on, an outage of the store is a refusal, and not a wait."""
    await take_over(place, listeners, before, waiting)
    await place.wake()
    store.hurry()


def _watches(place: Place, settings: Settings) -> Sequence[Coroutine[Any, Any, None]]:
    """Return the tasks that read what a start has left for later, and the periodic tasks of a place.

    Most of those wait for it, because they may look at each table.
    """
    restored = [
        idle.watch(place.host, settings.idle_minutes * 60),
        place.abandoned_seats.watch(),
        place.duplicate_watch.watch(),
        place.reminders.watch(),
        place.tournament_reminders.watch(),
        place.ladder_watch.watch(),
        place.top_ranks.watch(),
        place.mailing.watch(),
        place.deletions.watch(),
        place.retention.watch(),
        _sweep(place.host),
        _rate_waiting_games(place),
    ]
    addresses = _fill_in(place.openers_addresses.learn, RETRY)
    curves = _fill_in(partial(place.tables.results.ratings.curves.fill, place.host.foreground))
    begun = (_restored(place), _keep_rankings(place), place.director.watch(), addresses, curves)
    return [*begun, *(_once_restored(place, watch) for watch in restored)]


async def _restored(place: Place) -> None:
    """Restore the tables that were left for later, and settle what is in memory then."""
    if place.tables.unrestored:
        await place.tables.unrestored.finish()
        collect_seldom()
    await asyncio.to_thread(use_large_pages)
    if not place.node:
        await _fill_in(partial(complete_rows, place.tables))


async def _once_restored(place: Place, watch: Coroutine[Any, Any, None]) -> None:
    """Run a periodic task once all tables are restored."""
    try:
        await place.tables.unrestored.finished()
    except asyncio.CancelledError:
        watch.close()
        raise
    await watch


def _unchecked(settings: Settings) -> Path | None:
    """Return the data file if it is large and the last server didn't close it; ask before it is opened."""
    file = settings.data_file
    return file if file and is_unchecked(file) else None


async def _check(file: Path | None) -> None:
    """Check all of a large data file that the last server didn't close, and log damage."""
    if file is None:
        return
    try:
        await inspect_in_background(file)
    except StoreUnavailable as problem:
        log.error("a check of all data has found damage", why=str(problem))  # noqa: TRY400 - there is nothing to trace


async def _sweep(host: Host) -> None:
    """Delete expired sessions, again and again until cancelled."""

    async def look() -> None:
        await host.sessions.sweep(host.clock())

    await regularly(SWEEP, look, "cannot delete expired sessions")


async def _fill_in(fill: Callable[[], Awaitable[None]], again: float = SWEEP) -> None:
    """Add stored data to what is in memory, until all is added or this is cancelled.

    If the store fails, try again after `again` seconds, or later if it is damaged.
    """
    while True:
        try:
            return await fill()
        except StoreUnavailable as problem:
            log.warning("stored results can't be read now", why=str(problem))
            await asyncio.sleep(again if is_outage(problem) else SWEEP)


async def _keep_rankings(place: Place) -> None:
    """Put ratings in the order of the lists, now and each day: idle players sink."""
    while True:
        await _fill_in(partial(place.tables.results.ratings.keep_in_order, place.host.foreground), RETRY)
        await asyncio.sleep(SINKING)


async def _rate_waiting_games(place: Place) -> None:
    """Rate the games that wait because the store was away, again and again."""
    while True:
        await _fill_in(place.tables.results.ratings.rate_waiting)
        await asyncio.sleep(SWEEP)


async def _reload_wanted(reloads: Reloads, changes: RecordChanges) -> Successor:
    """Return the next process when a reload is requested that would succeed. Refuse any other, and keep serving."""
    while True:
        await reloads.wanted()
        changes.begin()
        try:
            return await _successor(changes)
        except CannotStart as problem:
            changes.end()
            reloads.refuse(f"{problem} (case {log_events.reload_refused(str(problem))})")


async def _successor(store: Store) -> Successor:
    """Return the next process when it could take over. Raises `CannotStart`."""
    await _must_answer(store)  # what was written before can be read now
    following = await successor()
    try:
        await _must_answer(store)  # again, because the next process needs it at once
        if not following.waits:
            raise CannotStart("the new program has ended: try again")  # noqa: TRY301 - it ends the program below
    except BaseException:
        following.end()
        raise
    return following


async def _must_answer(store: Store) -> None:
    """Raise `CannotStart` if the store doesn't answer. One that was replaced is opened by a reload."""
    try:
        async with asyncio.timeout(ANSWER):
            await store.now()
    except Replaced:
        pass
    except (StoreUnavailable, TimeoutError):
        raise CannotStart("the store doesn't answer: check that it works, then reload again") from None


async def try_out(settings: Settings) -> None:
    """Import our games and check the store as a start would, while another server may be using it.

    The games are prepared, too, because people don't wait yet. Raises `StoreUnavailable`, and any error of importing a
    game.
    """
    import_all()
    _prepared_games()
    if file := settings.data_file:
        await asyncio.to_thread(sqlite.must_open, file)
        return
    from lilygames.store.postgres import postgres  # noqa: PLC0415 - its library is only for several nodes

    await postgres.must_open(settings.store, unsafe=bool(settings.unsafe))
    if await postgres.has_tables(settings.store):
        async with postgres.read_beside(settings.store) as (kept, _):
            may_follow((await kept.every_of([heartbeat.KIND]))[heartbeat.KIND])
    bus = await opened_bus(settings)
    if bus:
        await bus.close()


async def _metrics_server(
    settings: Settings, sources: Sources, health: Health, before: Handover | None
) -> Callable[[], Awaitable[None]]:
    """Serve metrics, if they have a port. Return a function that ends it. Raises `CannotListen`."""
    if not settings.metrics_port:
        return _nothing
    from lilygames.server.serving.metrics import registry_of  # noqa: PLC0415 - its libraries are an extra
    from lilygames.server.serving.metrics_http import MetricsServer  # noqa: PLC0415 - as above

    names = MachineNames(tuple(settings.metrics_names.replace(",", " ").split()))
    server, host, port = (
        MetricsServer(registry_of(sources), health, names),
        settings.metrics_host,
        settings.metrics_port,
    )
    with _going_on_without("metrics_port", before), listening("metrics_port", host, port):
        await server.listen(host, port)
    return server.close


async def _nothing() -> None:
    """Do nothing."""


@contextmanager
def _going_on_without(setting: str, before: Handover | None) -> Iterator[None]:
    """After a restart, log a port that can't be listened on and continue: failing would disconnect everyone."""
    try:
        yield
    except CannotListen as problem:
        if before is None:
            raise
        log.error("continuing without a port", setting=setting, why=str(problem))  # noqa: TRY400 - as it says


async def _close(place: Place, listeners: Mapping[str, Listener], health: Health) -> None:
    """Disconnect everyone, and tell load balancers and the other nodes to take over."""
    health.leave("this node is shutting down")
    log_events.stopping(**_present(place))
    if place.node:
        await place.node.drain()
    place.host.announce("*** The server is shutting down. Your seats are saved. ***")
    await asyncio.gather(*(listener.close() for listener in listeners.values()))
    for room in list(place.host.rooms.values()):
        await room.finish()
    if place.node:
        await place.node.end()


def _say_listening(host: str, listeners: Mapping[str, Listener], ready: Callable[[str, str], None]) -> None:
    for kind, listener in listeners.items():
        ready(kind, f"{host}:{listener.port}")


def _say_started(
    place: Place, listeners: Mapping[str, Listener], data: Path, *, seconds: float, reloaded: bool
) -> None:
    log_events.started(
        "reload" if reloaded else "start",
        version=long_version(__version__, commit_of()),
        ports=" ".join(f"{kind} {listener.port}" for kind, listener in listeners.items()),
        data=str(data.absolute()),
        seconds=seconds,
        **_present(place),
    )


def _present(place: Place) -> Mapping[str, int]:
    """Return how many people and open tables there are, for the log."""
    later = place.tables.unrestored.besides(place.tables.remote)
    tables = len(place.tables.open) + len(later) + len(place.tables.remote)
    return {"people": place.host.people.number_here, "tables": tables}


async def _open(
    settings: Settings,
    visits: Visit,
    facts: Callable[[], Mapping[str, str]],
    admission: Admission,
    before: Handover | None,
    *,
    certificate: ServerCertificate | None,
    make_terminal: MakeTerminal,
    pages: Pages,
    quotas: Quotas,
) -> Mapping[str, Listener]:
    """Open the listeners in the settings, by kind. Those of the process before continue."""
    opened: dict[str, Listener] = {}

    def told() -> Mapping[str, Sequence[str]]:
        names = {"telnet": "PORT", "tls": "SSL"}
        ports = {names[kind]: str(listener.port) for kind, listener in opened.items() if kind in names}
        return {name: [value] for name, value in (*facts().items(), *ports.items())}

    handed = {kind: before.listening(kind) for kind in before.listeners} if before else {}
    listens = partial(listen, settings.host, make_terminal=make_terminal)
    open_listener = partial(listens, visit=visits, admission=admission, facts=told)
    with listening("port", settings.host, settings.port):
        opened["telnet"] = await open_listener(settings.port, listeners=handed.get("telnet", ()))
    try:
        if settings.speaks_tls("telnet"):
            with _going_on_without("tls_port", before), listening("tls_port", settings.host, settings.tls_port):
                opened["tls"] = await open_listener(settings.tls_port, tls=certificate, listeners=handed.get("tls", ()))
        if port := settings.machine_port:
            with _going_on_without("machine_port", before), listening("machine_port", settings.host, port):
                sockets = handed.get("machine", ())
                tls = certificate if settings.speaks_tls("machine") else None
                opened["machine"] = await open_listener(port, tls=tls, program=True, listeners=sockets)
        if port := settings.web_port:
            with _going_on_without("web_port", before), listening("web_port", settings.host, port):
                opened["web"] = await _open_web(
                    settings,
                    visits,
                    admission,
                    certificate if settings.speaks_tls("web") else None,
                    pages=pages,
                    quotas=quotas,
                    telnet_port=opened["telnet"].port,
                    listeners=handed.get("web", ()),
                )
    except CannotListen:
        await asyncio.gather(*(listener.close() for listener in opened.values()))
        raise
    return opened


async def _open_web(
    settings: Settings,
    visits: Visit,
    admission: Admission,
    tls: ServerCertificate | None,
    *,
    pages: Pages,
    quotas: Quotas,
    telnet_port: int,
    listeners: Sequence[socket.socket],
) -> Listener:
    """Serve the page. Raises `OSError`."""
    from lilygames.edge.web.server import WebConfig, WebServer  # noqa: PLC0415 - its library is an extra

    proxies = Proxies(networks(settings.web_proxies))
    names = HostNames(settings.web_address)
    config = WebConfig(
        admission,
        for_program,
        proxies,
        tls,
        settings.public_address,
        telnet_port,
        names,
        quotas,
        networks(settings.exempt),
    )
    server = WebServer(config, visits, pages)
    await server.listen(settings.host, settings.web_port, listeners)
    return server


def _certificate(settings: Settings) -> ServerCertificate | None:
    """Return the certificate in the settings; None without TLS. Raises `Unusable`."""
    return ServerCertificate.load(*settings.tls_files) if settings.tls_cert else None


def _admission(settings: Settings, place: Place) -> Admission:
    """Return an admission with the limits in the settings."""
    limits = Limits(**{name: getattr(settings, name) for name in attrs.fields_dict(Limits)})
    return Admission(limits, place.host.now, place.host.quotas.uses, networks(settings.exempt))


def _facts(place: Place, since: float) -> Mapping[str, str]:
    """Return the server's entry for MUD lists, by the names of the MUD Server Status Protocol."""
    return {
        "NAME": place.host.name,
        "PLAYERS": str(place.host.people.number_here),
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
