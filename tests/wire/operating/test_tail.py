"""Test `lilygames tail`: people read the log of a running server."""

import asyncio
import json
import re
import subprocess

import click
import pytest

from lilygames.server.commands.tail import Wanted, worded
from lilygames.server.process.logs import CHARACTERS, RecentLines
from lilygames.server.process.tail import lines_after
from lilygames.store.sqlite.datafile import create
from tests.deadline import DEADLINE
from tests.wire.operating.test_operating import Server, came

LINE = {
    "event": "login",
    "level": "info",
    "timestamp": "2026-01-02T03:04:05.678901Z",
    "name": "Whammy",
    "how": "guest",
    "address": "10.0.0.9",
}


@pytest.fixture
async def server(tmp_path):
    one = Server(tmp_path)
    yield one
    await one.end()


def test_line_says_when_what_and_who():
    """In columns; the fields without a name of their own come first."""
    (row,) = worded(LINE)

    assert re.fullmatch(r"\d\d:\d\d:05 login          Whammy guest address 10.0.0.9", click.unstyle(row))
    assert "\x1b[32mlogin " in row


def test_traceback_is_shown_below_its_line():
    rows = [*worded(LINE | {"level": "error", "exception": "Traceback\n  one\nBug"})]

    assert ["         Traceback", "           one", "         Bug"] == rows[1:]


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [
        (Wanted(), True),
        (Wanted(events=("table", "log")), True),
        (Wanted(events=("logout",)), False),
        (Wanted(person="whammy"), True),
        (Wanted(person="wham"), False),
        (Wanted(level="warning"), False),
        (Wanted(table=3), False),
        (Wanted(since=1_767_323_045), True),
        (Wanted(since=1_767_323_046), False),
    ],
)
def test_lines_are_chosen_by_event_person_level_table_and_time(wanted, shown):
    assert shown == wanted.has(LINE)


async def test_slow_reader_holds_up_nobody_and_misses_lines():
    """The reader takes one line; then many come. The numbers show how many were dropped."""
    recent = RecentLines(10)
    recent.add("1")
    lines = lines_after(recent, 0, follow=True)
    first = await anext(lines)
    for number in range(2, 101):
        recent.add(str(number))
    second = await anext(lines)

    assert ((1, "1"), (91, "91")) == ((first["number"], first["line"]), (second["number"], second["line"]))


async def test_reader_who_has_left_is_noticed_in_a_quiet_hour(monkeypatch):
    """An empty line is sent now and then. If that fails, the connection is closed."""
    monkeypatch.setattr("lilygames.server.process.tail.GLANCE", 0)

    assert {"number": 7, "line": ""} == await anext(lines_after(RecentLines(), 7, follow=True))


async def test_tail_shows_earlier_lines_of_a_running_server(server, dial):
    await server.start()
    ann = await came(dial, server, "ann")
    ann.type("/quick ohell")
    await ann.expect("begins")
    code, said = await server.run("tail", "--data", server.data, "--no-follow", "--person", "ann", "--since", "1h")
    _, tables = await server.run("tail", "--data", server.data, "--no-follow", "-e", "table", "--json")

    assert 0 == code
    assert ["registered", "login", "table"] == [row.split()[1] for row in said.splitlines()]
    assert ["table opened", "table begun"] == [json.loads(row)["event"] for row in tables.splitlines()]


async def test_tail_goes_on_after_a_restart(server):
    """It ends when the server stops."""
    await server.start()
    command = server.command("tail", "--data", server.data, "-n", "1")
    reader = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    shown = [await reader.stdout.readline()]
    assert 0 == (await server.run("reload", "--data", server.data))[0]
    while b"reload" not in shown[-1] or b"started" not in shown[-1]:
        shown.append(await asyncio.wait_for(reader.stdout.readline(), DEADLINE))
    reader.terminate()
    await reader.wait()

    assert b"reload" in shown[-1]


async def test_tail_knows_the_time_before_a_reload(server, dial):
    """Once each: also who follows the log meanwhile isn't shown the old lines again."""
    await server.start()
    await came(dial, server, "ann")
    command = server.command("tail", "--data", server.data, "--since", "1h", "--event", "login", "-e", "started")
    follower = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    shown = [await asyncio.wait_for(follower.stdout.readline(), DEADLINE) for _ in range(2)]
    for _ in range(2):
        assert 0 == (await server.run("reload", "--data", server.data))[0]
        shown.append(await asyncio.wait_for(follower.stdout.readline(), DEADLINE))
    code, said = await server.run(
        "tail", "--data", server.data, "--no-follow", "--since", "1h", "-e", "started", "--json"
    )
    follower.terminate()
    await follower.wait()

    assert ["start", "reload", "reload"] == [json.loads(row)["how"] for row in said.splitlines()]
    assert 0 == code
    assert [b"started", b"login", b"started", b"started"] == [row.split()[1] for row in shown]


def test_lines_in_memory_and_for_the_next_process_are_the_newest_that_fit():
    before, after = RecentLines(most=4), RecentLines(most=4)
    for size in (1, CHARACTERS, 10, 11):
        before.add("x" * size)
    after.add("own")
    assert [3, 4] == [number for number, _ in before.after(0, 10)]

    last, lines = before.carry()
    after.take_up(last, lines)

    assert (4, [10, 11]) == (last, [*map(len, lines)])
    assert [(3, 10), (4, 11), (5, 3)] == [(number, len(line)) for number, line in after.after(0, 10)]
    assert [(5, "own")] == after.after(4, 10)


async def test_tail_without_a_server_says_so(server):
    server.data.mkdir()
    create(server.data / "lilygames.db")
    code, said = await server.run("tail", "--data", server.data)

    assert (2, True) == (code, said.startswith(f"lilygames: no server is running on {server.data}:"))


async def test_time_span_of_tail_is_checked(server):
    code, said = await server.run("tail", "--since", "yesterday")

    assert 2 == code
    assert "yesterday isn't a time span: use one like 90s, 30m, 2h or 1d" in said
