"""Test the dashboard and the alerts with a real Prometheus, on loopback, against a server where games are played."""

import asyncio
import json
import math
import re
import shutil
import signal
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
import yaml

from lilygames.server.settings.local_engines import free_port
from tests.deadline import DEADLINE
from tests.wire.operating.test_operating import Server

ROOT = Path(__file__).parents[3]
HOST = ROOT / "help/host"
PANELS = json.loads((HOST / "dashboard.json").read_text("utf-8"))["panels"]
ALERTS = [
    rule for group in yaml.safe_load((HOST / "alerts.yml").read_text("utf-8"))["groups"] for rule in group["rules"]
]
EMPTY = {"Bus"}
"""Panels without data on a single node, which say so."""
WINDOW = "20s"
"""In place of the dashboard's rate interval."""
INSTANCE = 'instance="one"'

RISING, ONE = "0+30x60", "1x60"
FIRING = {
    "LilygamesDown": {'up{job="lilygames"}': "0x60"},
    "LilygamesStoreLost": {"lilygames_store_lost": ONE},
    "LilygamesWriteFailures": {"lilygames_write_failures_total": RISING},
    "LilygamesDiskFull": {"lilygames_disk_free_bytes": "5e9x60", "lilygames_disk_growth_bytes_per_day": "1e9x60"},
    "LilygamesLoopLate": {"lilygames_loop_late_seconds": ONE},
    "LilygamesFewerNodes": {"lilygames_nodes": "3x5 2x55"},
    "LilygamesSlowMoves": {
        'lilygames_move_seconds_bucket{le="0.5"}': "0x60",
        'lilygames_move_seconds_bucket{le="1.0"}': RISING,
        'lilygames_move_seconds_bucket{le="+Inf"}': RISING,
    },
    "LilygamesSlowWrites": {"lilygames_write_seconds_sum": "0+3x60", "lilygames_write_seconds_count": RISING},
    "LilygamesConflicts": {"lilygames_write_conflicts_total": "0+6x60", "lilygames_write_seconds_count": RISING},
    "LilygamesBusSlow": {"lilygames_bus_hints_lost_total": RISING},
    "LilygamesTableStopped": {"lilygames_tables_stopped": ONE},
    "LilygamesRulesMissing": {"lilygames_tables_waiting": ONE},
    "LilygamesUnreadableRows": {"lilygames_unreadable_rows": ONE},
    "LilygamesErrors": {'lilygames_log_lines_total{level="error"}': RISING},
    "LilygamesMemory": {"lilygames_memory_bytes": "1.7e9x60"},
    "LilygamesOpenFiles": {'process_open_fds{job="lilygames"}': "90x60", 'process_max_fds{job="lilygames"}': "100x60"},
    "LilygamesPasswordGuessing": {"lilygames_wrong_passwords_total": RISING},
    "LilygamesFlood": {"lilygames_connections_refused_total": "0+300x60"},
    "LilygamesCertificate": {"lilygames_certificate_expires_seconds": "1200000x60"},
    "LilygamesCertificateExpires": {"lilygames_certificate_expires_seconds": "80000x60"},
    "LilygamesMailFails": {"lilygames_mail_failures_total": RISING},
}
"""Values, one each minute, from which each alert fires within an hour."""

needs_prometheus = pytest.mark.skipif(
    shutil.which("prometheus") is None or shutil.which("promtool") is None, reason="prometheus is not installed here"
)


class Prometheus:
    """A Prometheus on a free port."""

    def __init__(self, port):
        self._port = port

    def ask(self, path, **words):
        """Return the data of an answer of its HTTP interface."""
        url = f"http://127.0.0.1:{self._port}/api/v1/{path}?{urllib.parse.urlencode(words)}"
        with urllib.request.urlopen(url, timeout=DEADLINE) as answer:
            return json.loads(answer.read())["data"]

    def values(self, query):
        """Return the values of a query's result now, without those that aren't a number."""
        found = [float(one["value"][1]) for one in self.ask("query", query=query)["result"]]
        return [value for value in found if not math.isnan(value)]


async def until(condition):
    """Wait until a function returns something true, and return it."""
    async with asyncio.timeout(DEADLINE):
        while True:
            try:
                if found := await asyncio.to_thread(condition):
                    return found
            except OSError:
                pass
            await asyncio.sleep(0.2)


async def play(server):
    """Let two programs play a game each, with bots."""
    for game in ("liarsdice", "ohell"):
        command = [sys.executable, ROOT / "scripts/randombot", str(server.port), game]
        program = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
        assert 0 == await asyncio.wait_for(program.wait(), DEADLINE)


@pytest.fixture
async def loaded(tmp_path):
    """A Prometheus that has watched a server where games were played, with our configuration."""
    server, metrics, port = Server(tmp_path), free_port(), free_port()
    assert await server.start(f"metrics_port = {metrics}")
    settings = yaml.safe_load((HOST / "prometheus.yml").read_text("utf-8"))
    settings["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    settings["scrape_configs"][0]["static_configs"][0]["targets"] = [f"127.0.0.1:{metrics}"]
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(settings))
    shutil.copy(HOST / "alerts.yml", tmp_path)
    command = ["prometheus", f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/tsdb"]
    with (tmp_path / "prometheus.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *command, f"--web.listen-address=127.0.0.1:{port}", stdout=log, stderr=log
        )
    try:
        prometheus = Prometheus(port)
        await until(lambda: prometheus.values('up{job="lilygames"} == 1'))
        await play(server)
        await until(lambda: prometheus.values(f"sum(rate(lilygames_move_seconds_count[{WINDOW}])) > 0"))
        await until(lambda: all(rule["health"] == "ok" for rule in rules(prometheus)))
        yield prometheus
    finally:
        process.kill()
        await process.wait()
        await server.end(signal.SIGKILL)


def rules(prometheus):
    return [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]


@needs_prometheus
async def test_every_panel_of_the_dashboard_has_data_and_no_alert_fires(loaded):
    """Each query of the dashboard is asked. On a healthy server, all rules work and none fires."""
    queries = {(panel["title"], target["expr"]) for panel in PANELS for target in panel["targets"]}
    empty = {title for title, query in queries if not loaded.values(query.replace("$__rate_interval", WINDOW))}

    assert EMPTY == empty
    assert {rule["alert"] for rule in ALERTS} == {rule["name"] for rule in rules(loaded)}
    assert [] == [rule["name"] for rule in rules(loaded) if rule["state"] == "firing"]


def test_panels_without_data_on_a_single_node_say_so():
    assert EMPTY == {panel["title"] for panel in PANELS if "Empty on a single node" in panel["description"]}


def test_dashboard_and_alerts_use_existing_metrics():
    """Those that the operations page names; a test compares that page with the code."""
    told = {*re.findall(r"lilygames_[a-z_]+", (HOST / "operations.md").read_text("utf-8"))}
    queries = [target["expr"] for panel in PANELS for target in panel["targets"]] + [rule["expr"] for rule in ALERTS]
    used = {name for query in queries for name in re.findall(r"lilygames_[a-z_]+", query)}

    assert [] == [name for name in used if name not in told and re.sub("_(bucket|sum|count)$", "", name) not in told]


def test_every_alert_has_a_case_in_which_it_fires():
    assert {rule["alert"] for rule in ALERTS} == FIRING.keys()


@needs_prometheus
def test_files_are_valid_for_promtool():
    for words in (("rules", HOST / "alerts.yml"), ("config", HOST / "prometheus.yml")):
        done = subprocess.run(["promtool", "check", *words], capture_output=True, text=True, check=False)

        assert (0, "") == (done.returncode, done.stderr)


@needs_prometheus
@pytest.mark.parametrize("alert", FIRING)
def test_alert_fires(alert, tmp_path):
    """`promtool test rules`, with values for an hour."""
    series = [{"series": _at_an_instance(name), "values": values} for name, values in FIRING[alert].items()]
    case = {
        "rule_files": [str(HOST / "alerts.yml")],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": series,
                "promql_expr_test": [
                    {
                        "expr": f'count(ALERTS{{alertname="{alert}", alertstate="firing"}})',
                        "eval_time": "55m",
                        "exp_samples": [{"labels": "{}", "value": 1}],
                    }
                ],
            }
        ],
    }
    (tmp_path / "case.yml").write_text(yaml.safe_dump(case))
    done = subprocess.run(
        ["promtool", "test", "rules", tmp_path / "case.yml"], capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stdout + done.stderr


def _at_an_instance(series):
    name, _, labels = series.rstrip("}").partition("{")
    return f"{name}{{{','.join(filter(None, [labels, INSTANCE]))}}}"
