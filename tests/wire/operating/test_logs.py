"""Test the log: one format for all output, events by name, and no secret in any line."""

import asyncio
import inspect
import json
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog import DropEvent
from structlog.dev import ConsoleRenderer

from lilygames import log_events
from lilygames.server.process.logs import LINE, RecentLines, ServerLog, fit_to_print, plain_text
from tests.deadline import DEADLINE

QUICKLY = ["--house-pause-min", "0", "--house-pause-max", "0", "--hash-memory", "8192", "--hash-time", "1"]
NOISE = """
import logging, os, sys, threading, warnings
import structlog
from lilygames.server.process.logs import logging_to_stderr

with logging_to_stderr("info", "json"):
    os.system("echo noise of a child >&2")
    print("written to stderr", file=sys.stderr)
    warnings.warn("a warning of a library")
    logging.getLogger("asyncio").error("a task failed", exc_info=ValueError("hm"))
    logging.getLogger("httpx").info("not logged: it has what was sent")
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    structlog.get_logger().info("a sentence", why="two\\nrows")
"""


class Place:
    """A server with a log in JSON."""

    def __init__(self, folder):
        self._folder = folder
        self.data = folder / "data"
        self.process = None

    async def start(self, *options):
        command = [sys.executable, "-m", "lilygames", "serve", "--data", self.data, "--port", "0"]
        with (self._folder / "log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *command, *QUICKLY, "--log-format", "json", *options, stdout=log, stderr=log
            )

    @property
    def lines(self):
        """All output so far, parsed. This fails if a line isn't JSON."""
        whole, _, _ = (self._folder / "log").read_text().rpartition("\n")
        return [json.loads(line) for line in whole.splitlines()]

    async def logged(self, event, times=1):
        """Return the lines of an event, once there are this many."""
        async with asyncio.timeout(DEADLINE):
            while len(found := [line for line in self.lines if line["event"] == event]) < times:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        return found

    async def port(self):
        (line, *_) = await self.logged("listening")
        return int(line["address"].rpartition(":")[2])

    async def stop(self):
        if self.process.returncode is None:
            self.process.terminate()
        return await asyncio.wait_for(self.process.wait(), DEADLINE)


@pytest.fixture
async def place(tmp_path):
    """A server with a log in JSON, which isn't started yet."""
    one = Place(tmp_path)
    yield one
    if one.process:
        await one.stop()


async def came(dial, place, name, password=""):
    """Register someone, or let them in as a guest."""
    client = await dial(await place.port(), manner="silent")
    await client.expect("login: ")
    for line in (name, password, *([password] if password else [])):
        client.type(line)
    await client.expect("in the lobby")
    return client


@pytest.mark.parametrize("name", sorted(log_events.EVENTS))
def test_event_is_the_name_of_its_function(name):
    source = inspect.getsource(getattr(log_events, name.replace(" ", "_")))

    assert [name] == re.findall(r'log\.\w+\([^"]*"([a-z ]+)"', source)


def test_all_output_of_a_process_is_in_the_format_of_the_log():
    """A child's output, a warning, a library's error, a thread's error, and a value with two rows."""
    ran = subprocess.run([sys.executable, "-c", NOISE], capture_output=True, text=True, check=True)
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    sentences = [line.get("text") or line["event"] for line in lines]

    assert "" == ran.stdout
    assert {"noise of a child", "written to stderr", "a task failed", "uncaught", "a sentence"} <= {*sentences}
    assert 1 == sum("a warning of a library" in sentence for sentence in sentences)
    assert all({"event", "level", "timestamp"} <= line.keys() for line in lines)
    assert all(re.fullmatch("[0-9a-f]{6}", line["case"]) for line in lines if "exception" in line)
    assert 2 == sum("exception" in line for line in lines)
    assert "not logged" not in ran.stderr


async def test_start_reload_and_stop_are_logged_in_json(place):
    """The whole output of two processes with one number."""
    await place.start()
    await place.logged("started")
    place.process.send_signal(1)
    await place.logged("started", 2)

    assert 0 == await place.stop()
    expected = ["listening", "started", "reloading", "listening", "started", "stopping", "stopped"]
    assert expected == [line["event"] for line in place.lines]
    assert ["start", "reload"] == [line["how"] for line in place.lines if line["event"] == "started"]


async def test_error_at_the_start_is_logged_in_json(place, tmp_path):
    (tmp_path / "data").write_text("a file, not a folder")
    await place.start()

    assert 2 == await asyncio.wait_for(place.process.wait(), DEADLINE)
    assert [("failed", "error", 2)] == [(line["event"], line["level"], line["code"]) for line in place.lines]


async def test_people_and_tables_are_logged(place, dial):
    await place.start()
    ann = await came(dial, place, "ann", "correct horse")
    bob = await came(dial, place, "bob")
    ann.type("/quick liarsdice")
    await place.logged("table begun")
    ann.type("/resign")
    bob.type("/bye")
    await place.logged("logout")

    known = {"login", "registered", "table opened", "table begun", "logout"}
    lines = [
        (line["event"], line.get("name", ""), line.get("how", "")) for line in place.lines if line["event"] in known
    ]
    assert ("registered", "ann", "") in lines
    assert ("login", "ann", "account") in lines
    assert ("login", "bob", "guest") in lines
    assert ("table opened", "ann", "") in lines
    assert ("logout", "bob", "quit") in lines


# secrets


async def test_an_evening_leaves_no_secret_in_the_log_even_at_debug_level(place, dial):
    """Passwords, also wrong and misplaced ones, return words, claim words, tokens, and everything private."""
    await place.start("--log-level", "debug", "--sysops", "boss")
    ann = await came(dial, place, "ann", "plums and pears")
    bob = await came(dial, place, "bob")
    bob.type("/quick liarsdice")
    return_word = (await bob.expect("come back with: bob ") and await bob.expect(")")).rstrip(")")
    for line in (
        "bob;a tell of aardvarks",
        "/emote bob; hums about basilisks",
        "/info chimaeras",
        "/memo pocket dragons",
        "/here",
        "talk of elephants",
        "/feedback it lacks falcons",
        "/password",
        "plums and pears",
        "gryphons in gardens",
        "gryphons in gardens",
    ):
        ann.type(line)
    await ann.expect("has been changed")
    ann.type("/set machine on")
    await ann.expect("machine is on")

    other = await dial(await place.port(), manner="silent")
    await other.expect("login: ")
    for line in ("ann", "hydras in hats", "", "gryphons in gardens"):
        other.type(line)
    await other.expect('"resume":{"token":"')
    token = (await other.expect('"'))[:-1]
    tokens = [token]
    for _ in range(2):
        back = await dial(await place.port(), manner="silent")
        await back.expect("login: ")
        back.type(f"resume {tokens[-1]}")
        await back.expect('"resume":{"token":"')
        tokens.append((await back.expect('"'))[:-1])
    thief = await dial(await place.port(), manner="silent")
    await thief.expect("login: ")
    thief.type(f"resume {token}")
    await thief.expect("was ended")
    bob.leave()
    bob = await dial(await place.port(), manner="silent")
    await bob.expect("login: ")
    bob.type(f"bob {return_word}")
    await bob.expect("You're in")
    command = [sys.executable, "-m", "lilygames", "claim", "boss", "--data", place.data]
    shell = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    claim = (await shell.communicate())[0].decode().split()[-1]
    boss = await dial(await place.port(), manner="silent")
    await boss.expect("login: ")
    for line in (f"boss {claim}", "ibis and ibex", "ibis and ibex"):
        boss.type(line)
    await place.logged("registered", 2)
    place.process.send_signal(1)
    await place.logged("started", 2)
    await place.stop()

    words = "plums aardvark basilisk chimaera dragons elephant falcon gryphon hydra ibis".split()
    secrets = [*words, return_word, claim, *tokens]
    assert all(len(secret) > 3 for secret in secrets)
    assert [] == [(secret, line) for secret in secrets for line in place.lines if secret in json.dumps(line)]
    assert {"login", "logout", "registered", "wrong password", "password changed"} <= {
        line["event"] for line in place.lines
    }


def test_credentials_of_an_address_are_not_logged():
    line = fit_to_print(None, "", {"event": "x", "why": "can't reach postgresql://lily:hunter2@db/lily now"})

    assert "can't reach postgresql://...@db/lily now" == line["why"]


def test_control_characters_are_escaped_in_the_log():
    line = fit_to_print(None, "", {"event": "x", "why": "a\n2026 [error] forged\x1b[2J", "exception": "one\ntwo\x1b["})

    assert (r"a\n2026 [error] forged\x1b[2J", "one\ntwo\\x1b[") == (line["why"], line["exception"])


def test_long_values_are_shortened_in_the_log():
    """The search for credentials once took time that grew with the square of a value's length."""
    line = fit_to_print(None, "", {"event": "x", "why": "a" * 100 * LINE})

    assert LINE + 7 == len(line["why"])


# the last lines


FACTS = st.dictionaries(
    st.text("abcdefgh_", min_size=1).filter(lambda key: key not in ("level", "event")),
    st.text() | st.integers() | st.none() | st.booleans() | st.lists(st.text()),
)


@given(st.text(), st.sampled_from(("debug", "info", "warning", "error", "critical")), FACTS)
def test_plain_line_of_the_log_is_what_the_library_renders(event, level, facts):
    line = {**facts, "event": event, "level": level, "timestamp": "2026-11-26T12:00:00.000000Z"}
    rendered = ConsoleRenderer(colors=False, sort_keys=False)(None, level, {**line})

    assert rendered == plain_text(line)


def test_recent_lines_are_numbered_and_the_oldest_are_dropped():
    recent = RecentLines(3)
    for number in range(1, 6):
        recent.add(f"line {number}")

    assert [(3, "line 3"), (4, "line 4"), (5, "line 5")] == [*recent.after(0, 10)]
    assert [(4, "line 4")] == [*recent.after(3, 1)]
    assert [] == [*recent.after(5, 10)]


def test_lines_are_counted_by_event_and_level_even_if_they_are_not_written():
    kept = ServerLog("error", as_json=True)
    with pytest.raises(DropEvent):
        kept(None, "", {"event": "login", "how": "guest", "level": "info"})
    kept(None, "", {"event": "anything", "level": "error"})

    assert ({("login", "guest"): 1}, {"info": 1, "error": 1}) == (kept.events, kept.levels)
    assert 2 == kept.recent.last
