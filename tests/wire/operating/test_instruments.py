"""Test metrics, and the pages about a node's health."""

import asyncio
import re
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import attrs
import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from lilygames.bus.local import LocalBus
from lilygames.edge.connections.admission import Admission
from lilygames.edge.connections.certificate import make_certificate
from lilygames.edge.connections.tls import ServerCertificate
from lilygames.edge.web.host_names import MachineNames
from lilygames.games import games
from lilygames.gametest.stage import Stage
from lilygames.limits.quota import TABLES_WAITING
from lilygames.scheduling.durations import BOUNDS, Durations
from lilygames.server.place.health import Health
from lilygames.server.place.sources import Sources
from lilygames.server.process.logs import ServerLog
from lilygames.server.serving.metrics import registry_of
from lilygames.server.serving.metrics_http import MetricsServer
from lilygames.server.watch.certificate_watch import CertificateWatch
from lilygames.server.watch.disk_usage import DAY
from lilygames.server.watch.measures import (
    BLOCKED,
    BusDelay,
    CountedStore,
    Disk,
    Lateness,
    memory,
    memory_peak,
)
from lilygames.store import Conflict, Draft, Replaced, StoreUnavailable
from lilygames.store.memory import MemoryStore

ROOT = Path(__file__).parents[3]


@pytest.fixture
async def stage():
    """A place with ann and bob, and all games."""
    stage = await Stage.open(games())
    for name in ("ann", "bob"):
        stage.enter(name)
    return stage


@pytest.fixture
async def sources(stage, tmp_path):
    """The sources of a server with a bus and a certificate, which has measured its disk."""
    files = make_certificate(tmp_path, ["games.example"])
    watch = CertificateWatch(ServerCertificate.load(*files), stage.host)
    log, store = ServerLog("info", as_json=True), CountedStore(MemoryStore())
    parts = {"store": store, "bus": None, "data": tmp_path, "certificate": watch, "log": log}
    found = Sources.of(stage.place, {}, Admission(), **parts)
    await found.disk.measure()
    return attrs.evolve(found, bus=BusDelay(LocalBus(), "here"))


@asynccontextmanager
async def served(sources, health=None, names=None):
    """Serve metrics on a free port, and yield a function that asks for a page."""
    server = MetricsServer(registry_of(sources), health or Health(sources.place, sources.store, sources.late), names)
    await server.listen("127.0.0.1", 0)
    port = server.port
    try:
        async with aiohttp.ClientSession() as session:

            async def page(path, **headers):
                async with session.get(f"http://127.0.0.1:{port}{path}", headers=headers) as response:
                    return response.status, await response.text()

            yield page
    finally:
        await server.close()


def values(sources):
    """Return the value of each metric with its labels."""
    families = text_string_to_metric_families(generate_latest(registry_of(sources)).decode())
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value for family in families for sample in family.samples
    }


async def test_metrics_are_served_over_http(sources):
    async with served(sources) as page:
        status, text = await page("/metrics")
        _, newer = await page("/metrics", Accept="application/openmetrics-text; version=1.0.0")

    assert 200 == status
    assert "# HELP lilygames_people People here, on all nodes.\n# TYPE lilygames_people gauge\n" in text
    assert newer.endswith("# EOF\n")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:9100", 200),
        ("[::1]:9100", 200),
        ("localhost:9100", 200),
        ("lilygames:9100", 200),
        ("games.example:9100", 200),
        ("Games.Example.", 200),
        ("rebound.example:9100", 421),
        ("127.0.0.1.rebound.example", 421),
    ],
)
@pytest.mark.parametrize("path", ["/metrics", "/health", "/ready"])
async def test_page_of_someone_else_cannot_read_the_metrics(sources, path, host, status):
    """It can point a name of its own at this machine (DNS rebinding), but can't hide it."""
    async with served(sources, names=MachineNames(("games.example",))) as page:
        answered, text = await page(path, Host=host)

    assert status == answered
    assert (status == 421) == ("metrics_names" in text)


async def test_refusals_of_quotas_are_counted_by_quota_and_scope(stage, sources):
    for _ in range(TABLES_WAITING.limits[0].most + 2):
        await stage.type("ann", "/new ohell")
    found = values(sources)

    assert 2 == found["lilygames_quota_refused_total", "person", "tables waiting"]
    assert 0 == found["lilygames_quota_refused_total", "address", "tables waiting"]
    for name in ("connections_per_address", "connects_per_minute", "wrong_passwords", "signup"):
        assert 0 == found["lilygames_quota_refused_total", "address", name]


async def test_most_that_one_person_holds_is_measured(stage, sources):
    await stage.create_account("ann", "a long password")
    for name, line in (("ann", "/new ohell"), ("ann", "/new ohell"), ("bob", "/new ohell"), ("ann", "/create den")):
        await stage.type(name, line)
    found = values(sources)

    assert [2, 2, 0, 1] == [
        found["lilygames_quota_held_max", name] for name in ("tables waiting", "tables", "slow tables", "rooms")
    ]


async def test_unknown_page_is_not_found(sources):
    async with served(sources) as page:
        assert 404 == (await page("/"))[0]


async def test_moves_and_refusals_are_counted_by_game(stage, sources):
    """The first move is refused because it isn't that player's turn. Then two count."""
    for name, line in (("ann", "/new ohell first-dealer=host"), ("bob", "/sit ohell"), ("ann", "/start")):
        await stage.type(name, line)
    for name, line in (("bob", "/bid 1"), ("ann", "/pick 3"), ("bob", "/bid 1")):
        await stage.type(name, line)
    found = values(sources)

    assert 1 == found["lilygames_tables", "ohell"]
    assert 1 == found["lilygames_tables_opened_total", "ohell"] == found["lilygames_games_begun_total", "ohell"]
    assert 2 == found["lilygames_moves_total", "ohell", "person"] == found["lilygames_move_seconds_count", "ohell"]
    assert 1 == found["lilygames_refusals_total", "ohell"]
    assert 0 == found["lilygames_moves_total", "liedie", "person"]


async def test_lateness_of_bots_moves_is_counted_by_game(stage, sources):
    await stage.type("ann", "/quick ohell")
    found = values(sources)
    moves = found["lilygames_moves_total", "bot", "ohell"]

    assert moves == found["lilygames_bot_late_seconds_count", "ohell"] > 0
    assert 0 == found["lilygames_bot_late_seconds_count", "liedie"]


async def test_labels_are_never_people(stage, sources):
    """However many people come and play, there are as many time series as before."""
    before = {*values(sources)}
    await stage.type("ann", "/quick ohell")
    await stage.type("ann", "/rename zebra")

    assert before == {*values(sources)}
    assert not any("ann" in word.split() for name in before for word in name)


async def test_logins_and_limits_are_counted_by_the_log(sources):
    for event, how in (("login", "guest"), ("login", "guest"), ("limit", "lines_per_second")):
        sources.log(None, "", {"event": event, "how": how, "level": "info"})
    found = values(sources)

    assert 2 == found["lilygames_logins_total", "guest"]
    assert 1 == found["lilygames_limits_total", "lines_per_second"]
    assert 3 == found["lilygames_log_lines_total", "info"]


async def test_build_is_named(sources):
    labels = next(name for name in values(sources) if name[0] == "lilygames_build_info")

    assert re.fullmatch(r"\d+\.\d+\.\d+", labels[1]) or re.fullmatch(r"\d+\.\d+\.\d+", labels[2])


async def test_operations_page_names_all_metrics(sources):
    """The page names exactly the metrics that exist, as a sysop types them into a query."""
    told = (ROOT / "help/host/operations.md").read_text("utf-8")
    named = {
        family.name + {"counter": "_total", "info": "_info"}.get(family.type, "")
        for family in registry_of(sources).collect()
        if family.name.startswith("lilygames_")
    }

    assert named == set(re.findall(r"lilygames_[a-z_]+", told))


# durations


def test_durations_are_counted_in_the_range_that_ends_with_them():
    durations = Durations()
    for seconds in (BOUNDS[0], BOUNDS[0] * 1.01, BOUNDS[-1] + 1):
        durations.add(seconds)

    assert [1, 1, *[0] * (len(BOUNDS) - 2), 1] == durations.counts
    assert BOUNDS[0] * 2.01 + BOUNDS[-1] + 1 == pytest.approx(durations.seconds)


async def test_histogram_of_writes_is_cumulative(sources):
    for seconds in (0.0001, 0.003, 100):
        sources.store.writes.add(seconds)
    found = values(sources)

    assert (1, 2, 3) == tuple(found["lilygames_write_seconds_bucket", bound] for bound in ("0.001", "0.005", "+Inf"))
    assert 3 == found["lilygames_write_seconds_count",]


async def test_writes_are_counted_by_result():
    store = CountedStore(MemoryStore())
    await store.append("log", 0, [Draft("ann", "{}")], cmd="1")
    with pytest.raises(Conflict):
        await store.append("log", 0, [Draft("bob", "{}")], cmd="2")
    await store.append_each({"log": [Draft("bob", "{}")], "other": [Draft("bob", "{}")]}, cmd="3")

    assert (3, 1, 0) == (sum(store.writes.counts), store.conflicts, store.failures)


async def test_way_to_the_bus_and_back_is_timed(monkeypatch):
    monkeypatch.setattr("lilygames.server.watch.measures.BUS", 0.01)
    delay = BusDelay(LocalBus(), "here")
    watching = asyncio.create_task(delay.watch())
    while not sum(delay.times.counts):  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0.01)
    watching.cancel()

    assert 0 == delay.lost


class DeafBus(LocalBus):
    """A bus that loses every hint."""

    async def publish(self, topic, hint):
        """Do nothing."""


async def test_hint_that_does_not_come_back_is_counted_as_lost(monkeypatch):
    monkeypatch.setattr("lilygames.server.watch.measures.BUS", 0.01)
    delay = BusDelay(DeafBus(), "here")
    watching = asyncio.create_task(delay.watch())
    while not delay.lost:  # noqa: ASYNC110 - nothing tells
        await asyncio.sleep(0.01)
    watching.cancel()

    assert 0 == sum(delay.times.counts)


async def test_sizes_and_growth_of_the_disk_are_measured(stage, tmp_path):
    """The growth is measured from yesterday's figures."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_bytes(b"x" * 1234)
    usage, now = stage.place.disk_usage, stage.host.clock()
    await usage.sample(now - DAY)
    await usage.store.keep("test", "large", "x" * 5000)
    disk = Disk(usage, lambda: now, tmp_path)
    await disk.measure()

    assert (1234, True, True) == (disk.sizes.files, disk.sizes.free > 0, 5000 <= disk.sizes.growth < 6000)


def test_memory_and_peak_memory_are_reported():
    """Fifty megabytes are allocated and freed."""
    before = memory()
    taken = bytearray(50_000_000)
    with_it = memory()
    del taken

    assert with_it - before > 40_000_000
    assert with_it - memory() > 40_000_000
    assert memory_peak() - memory() > 40_000_000


# health


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (None, (200, "well\n", 200, "ready\n")),
        (StoreUnavailable("away"), (503, "the store doesn't answer\n", 503, "the store doesn't answer\n")),
        (Replaced("move it back"), (503, "move it back\n", 503, "move it back\n")),
    ],
)
async def test_pages_tell_whether_the_store_answers(stage, sources, problem, said):
    store = MemoryStore()
    for _ in range(2 if problem else 0):
        store.fail_next(problem, call="now")
    async with served(sources, Health(stage.place, store, sources.late)) as page:
        assert said == (*(await page("/health")), *(await page("/ready")))


async def test_node_that_leaves_is_healthy_but_not_ready(stage, sources):
    health = Health(stage.place, sources.store, sources.late)
    health.leave("this node is reloading")
    async with served(sources, health) as page:
        assert (200, 503) == ((await page("/health"))[0], (await page("/ready"))[0])
        assert "this node is reloading\n" == (await page("/ready"))[1]


async def test_health_page_lists_what_the_sysop_needs_to_fix(stage, sources, monkeypatch):
    stage.tables.unreadable.report("account", "zoe", ValueError("hm"))
    async with served(sources) as page:
        assert (200, "well\n1 unreadable row in the store\n") == await page("/health")


async def test_blocked_event_loop_is_told_when_it_answers_again(stage, sources, monkeypatch):
    """The clock of the loop jumps, as it does for callbacks that were late."""
    loop, late = asyncio.get_running_loop(), Lateness()
    health = Health(stage.place, sources.store, late)
    watching = asyncio.create_task(late.watch())
    await asyncio.sleep(0)
    before = await health.unready()
    monkeypatch.setattr(loop, "time", lambda now=loop.time: now() + BLOCKED + 2)
    blocked = await health.unready()
    watching.cancel()

    assert "" == before
    assert re.fullmatch(r"the event loop was blocked for \d+\.\d seconds just now", blocked)
