"""The metrics of a server for Prometheus. They are read when someone asks; until then, parts only count.

Labels have few values: games, nodes' own words and settings, but never people or tables.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import get_args

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from lilygames import __version__, log_events
from lilygames.edge.connections.listener import Connection
from lilygames.edge.web.server import WebServer
from lilygames.limits import quota
from lilygames.scheduling.durations import BOUNDS, Durations
from lilygames.server.place.sources import Sources
from lilygames.server.process.version import commit_of
from lilygames.server.watch.measures import memory, memory_peak
from lilygames.tables.open.held_tables import QUOTAS as HELD
from lilygames.tables.play.activity import Mover
from lilygames.tables.room.bot import TableBot

_PREFIX = "lilygames_"
_LEVELS = ("debug", "info", "warning", "error", "critical")


def registry_of(sources: Sources) -> CollectorRegistry:
    """Return a registry with the metrics of a server, of its process and of Python's garbage collector."""
    registry = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    registry.register(ServerMetrics(sources))
    return registry


class ServerMetrics(Collector):
    """The metrics of one server, by subject."""

    def __init__(self, sources: Sources) -> None:
        self._from = sources
        self._began = time.time()
        self._build = {"version": __version__, "commit": commit_of(), "python": platform.python_version()}

    def collect(self) -> Iterable[Metric]:
        """Yield all metrics."""
        yield from self._process()
        yield from self._people()
        yield from self._tables()
        yield from self._play()
        yield from self._storage()
        yield from self._queues()
        yield from self._mail()
        yield from self._quotas()
        yield from self._log()

    def _process(self) -> Iterator[Metric]:
        late = self._from.late
        yield InfoMetricFamily(f"{_PREFIX}build", "The program that runs.", value=self._build)
        yield _gauge("uptime_seconds", "Seconds since the process started.", time.time() - self._began)
        yield _gauge("memory_bytes", "Memory of the process.", memory())
        yield _gauge("memory_peak_bytes", "Peak memory of the process.", memory_peak())
        yield _gauge("loop_late_seconds", "Delay of the event loop.", late.now)
        yield _gauge("loop_late_seconds_worst", "Recent maximum of the delay.", late.worst)

    def _people(self) -> Iterator[Metric]:
        people = self._from.place.host.people
        node = self._from.place.node
        yield _gauge("people", "People here, on all nodes.", people.number_here)
        yield _gauge("people_served", "People connected to this node.", sum(person.local for person in people.nearby()))
        by_kind = {kind: listener.connected for kind, listener in self._from.listeners.items()}
        yield _gauge("connections", "Open connections.", sum(by_kind.values()))
        yield _by_label(GaugeMetricFamily, "connections_by_port", "Open connections of each port.", "port", by_kind)
        yield from self._page()
        yield _counter("connections_refused", "Connections refused by a limit.", self._from.admission.refused)
        yield from self._certificate()
        yield _gauge("nodes", "Nodes that are alive.", len(node.beats.live) if node else 1)
        yield _gauge("discussions", "Rooms, including tables' rooms.", len(self._from.place.host.rooms))

    def _certificate(self) -> Iterator[Metric]:
        watch = self._from.certificate
        if watch and watch.seconds_left is not None:
            about = "Seconds until the TLS certificate expires, negative afterwards."
            yield _gauge("certificate_expires_seconds", about, watch.seconds_left)

    def _page(self) -> Iterator[Metric]:
        page = self._from.listeners.get("web")
        if isinstance(page, WebServer):
            answers = {str(status): count for status, count in sorted(page.answers.items())}
            about = "Answers to browsers, by HTTP status. A websocket is 101."
            yield _by_label(CounterMetricFamily, "page_answers", about, "status", answers)

    def _tables(self) -> Iterator[Metric]:
        tables = self._from.place.tables
        games = (bot.table.game.name for bot in tables.open.values())
        remote = (row.game for row in tables.remote)
        later = (header.game for header in tables.unrestored.besides(tables.remote))
        by_game = _counted(chain(games, later, remote), tables.games)
        stopped = sum(map(_is_stopped, tables.open.values())) + len(tables.unplayable.stopped)
        waiting = len(tables.unplayable.numbers) - len(tables.unplayable.stopped)
        yield _by_label(GaugeMetricFamily, "tables", "Open tables.", "game", by_game)
        yield _gauge("tables_stopped", "Tables stopped by a bug or by an unreadable log.", stopped)
        yield _gauge("tables_waiting", "Open tables whose rules aren't installed here.", waiting)

    def _play(self) -> Iterator[Metric]:
        activity, games = self._from.place.tables.activity, self._from.place.tables.games
        moves = CounterMetricFamily(f"{_PREFIX}moves", "Moves made through this node.", labels=["game", "by"])
        ended = CounterMetricFamily(f"{_PREFIX}games_ended", "Games ended at this node.", labels=["game", "how"])
        took = HistogramMetricFamily(
            f"{_PREFIX}move_seconds", "Time of a person's move, from the line read to the result sent.", labels=["game"]
        )
        late = HistogramMetricFamily(
            f"{_PREFIX}bot_late_seconds", "Time from when a bot's move is due until it is sent.", labels=["game"]
        )
        for game in games:
            for by in get_args(Mover):
                moves.add_metric([game, by], activity.moves[game, by])
            for how in get_args(log_events.End):
                ended.add_metric([game, how], activity.ended[game, how])
            took.add_metric([game], *_histogram(activity.move_times.get(game, Durations())))
            late.add_metric([game], *_histogram(activity.bot_lateness.get(game, Durations())))
        yield moves
        yield _by_label(
            CounterMetricFamily, "tables_opened", "Tables opened.", "game", {g: activity.opened[g] for g in games}
        )
        yield _by_label(
            CounterMetricFamily, "games_begun", "Games begun.", "game", {g: activity.begun[g] for g in games}
        )
        yield ended
        yield _by_label(
            CounterMetricFamily,
            "refusals",
            "Moves that a game's rules refused.",
            "game",
            {g: activity.refused[g] for g in games},
        )
        yield took
        yield late

    def _storage(self) -> Iterator[Metric]:
        store, disk, watch = self._from.store, self._from.disk, self._from.store_watch
        unreadable = len(self._from.place.tables.unreadable)
        yield _durations("write_seconds", "Time to write entries and records to the store.", store.writes)
        yield _counter("write_conflicts", "Writes that lost a race.", store.conflicts)
        yield _counter("write_failures", "Writes that failed.", store.failures)
        yield _gauge("store_lost", "1 while nothing can be saved.", bool(watch.why))
        yield _gauge("store_answer_seconds", "Time that the store took for its last answer.", watch.took)
        yield _gauge("unreadable_rows", "Rows of the store that can't be read.", unreadable)
        if sizes := disk.sizes:
            yield _gauge("store_bytes", "Size of the store, with space that it can use again.", sizes.store)
            yield _gauge("archive_bytes", "Size of archived games outside the store.", sizes.archive)
            yield _gauge("data_folder_bytes", "Size of the files in the data folder.", sizes.files)
            yield _gauge("disk_free_bytes", "Free space on the disk of the data folder.", sizes.free)
            yield _gauge("disk_growth_bytes_per_day", "Growth of the store and the archive per day.", sizes.growth)
        if self._from.bus:
            yield _durations("bus_seconds", "Time of a hint to the bus and back.", self._from.bus.times)
            yield _counter("bus_hints_lost", "Hints that didn't come back from the bus.", self._from.bus.lost)

    def _queues(self) -> Iterator[Metric]:
        place = self._from.place
        lines = (line for listener in self._from.listeners.values() for line in listener.connections)
        queues = {
            "lines being handled": place.dispatcher.in_progress,
            "messages to save": place.history.unsaved,
            "profiles to save": place.host.profiles.unsaved,
        }
        yield _by_label(GaugeMetricFamily, "queue", "Length of a queue.", "queue", queues)
        yield _gauge("unsent_bytes", "Output that clients haven't read yet.", _unsent(lines))

    def _mail(self) -> Iterator[Metric]:
        counts = self._from.place.mailing.counts
        yield _counter("mails", "Mails and push messages sent.", counts["sent"])
        yield _counter("mail_failures", "Failed tries.", counts["failed"])
        yield _counter("mail_bounces", "Refused destinations.", counts["bounced"])
        yield _counter("mails_acted_on", "Logins soon after one.", counts["acted"])

    def _quotas(self) -> Iterator[Metric]:
        host, held = self._from.place.host, self._from.place.tables.held
        refused = CounterMetricFamily(
            f"{_PREFIX}quota_refused", "Requests that a quota refused.", labels=["quota", "scope"]
        )
        by_the_sysop = (
            host.quotas.registering,
            host.login_attempts.quota,
            quota.connections(0),
            quota.connects(1),
        )
        for one in (*quota.ALL, *by_the_sysop):
            for limit in one.limits:
                refused.add_metric([one.name, limit.scope], host.quotas.uses.refused[one.name, limit.scope])
        yield refused
        most = {one.name: held.most(one.name) for one in HELD} | {quota.ROOMS.name: host.rooms.most()}
        yield _by_label(GaugeMetricFamily, "quota_held_max", "The most that one person holds.", "quota", most)

    def _log(self) -> Iterator[Metric]:
        events, levels = self._from.log.events, self._from.log.levels
        logins = {how: events["login", how] for how in get_args(log_events.Login)}
        limits = {how: events["limit", how] for how in get_args(log_events.Limit)}
        yield _by_label(CounterMetricFamily, "logins", "Logins at this node.", "how", logins)
        yield _counter("registrations", "Names registered.", events["registered", ""])
        yield _counter("wrong_passwords", "Wrong passwords and return words.", events["wrong password", ""])
        yield _by_label(CounterMetricFamily, "limits", "Lines in the log about a limit.", "limit", limits)
        moderated = sum(count for (event, _), count in events.items() if event == "moderated")
        yield _counter("moderated", "Acts of moderators.", moderated)
        written = {level: levels[level] for level in _LEVELS}
        yield _by_label(CounterMetricFamily, "log_lines", "Lines of the log.", "level", written)


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(_PREFIX + name, meaning, value=value)


def _counter(name: str, meaning: str, value: float) -> Metric:
    return CounterMetricFamily(_PREFIX + name, meaning, value=value)


def _by_label(
    kind: type[GaugeMetricFamily | CounterMetricFamily],
    name: str,
    meaning: str,
    label: str,
    values: Mapping[str, float],
) -> Metric:
    family = kind(_PREFIX + name, meaning, labels=[label])
    for word, value in values.items():
        family.add_metric([word], value)
    return family


def _durations(name: str, meaning: str, durations: Durations) -> Metric:
    buckets, total = _histogram(durations)
    return HistogramMetricFamily(_PREFIX + name, meaning, buckets=buckets, sum_value=total)


def _histogram(durations: Durations) -> tuple[Sequence[tuple[str, float]], float]:
    """Return the cumulative buckets of Prometheus's format, and the sum."""
    buckets, count = [], 0
    for bound, more in zip((*map(str, BOUNDS), "+Inf"), durations.counts, strict=True):
        count += more
        buckets.append((bound, float(count)))
    return buckets, durations.seconds


def _counted(found: Iterable[str], words: Iterable[str]) -> Mapping[str, int]:
    """Return how often each word is found; 0 for those that aren't."""
    counts = dict.fromkeys(words, 0)
    for word in found:
        counts[word] = counts.get(word, 0) + 1
    return counts


def _unsent(connections: Iterable[Connection]) -> int:
    return sum(line.unsent for line in connections)


def _is_stopped(bot: TableBot) -> bool:
    return bool(bot.case)
