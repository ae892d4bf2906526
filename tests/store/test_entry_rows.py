"""A data file of release 0.1: its entries are read from the start, and converted while people play."""

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lilygames.store import Conflict, Draft, StoreUnavailable
from lilygames.store.compact import compact, expand
from lilygames.store.copying import copy, filling, reading
from lilygames.store.datafile import SCHEMA
from lilygames.store.entry_rows import all_rows
from tests.tables.sealed_games import stored_ohell

from .release_0_1 import rewrite_as_0_1, write_as_0_1

LOGS = [*(f"table/{number}" for number in range(1, 41)), "tables", "said/lobby"]
attempts = st.from_regex(r"[0-9a-f]{32}(\.[0-9]{1,20})?", fullmatch=True)


@given(st.text() | attempts | attempts.map(lambda text: text + "\n"))
def test_every_text_comes_back_from_its_compact_form(text):
    assert text == expand(compact(text))


@given(attempts, attempts)
def test_different_attempts_have_different_compact_forms(one, other):
    assert (one == other) == (compact(one) == compact(other))


def test_attempts_take_16_bytes_and_those_of_a_process_a_few_more():
    assert 16 == len(compact("0d" * 16))
    assert 18 == len(compact(f"{'0d' * 16}.4711"))
    assert "daily 2026-11-25" == compact("daily 2026-11-25")


@pytest.fixture
def ohell_rows():
    """The 142 entries of a game."""
    return [(one.seq, one.at, one.by, one.body, one.cmd) for one in stored_ohell()[1]]


async def fill(store):
    """Write logs of many lengths, with attempts of every kind, some of several entries."""
    await asyncio.gather(*(fill_log(store, log) for log in LOGS))


async def fill_log(store, log):
    chance = Random(log)
    for number in range(chance.randrange(1, 40)):
        digits = chance.randbytes(16).hex()
        cmd = chance.choice([f"{digits}.{number}", digits, f"open {number}"])
        drafts = [Draft(chance.choice(["ann", "0d" * 16]), f'"{number} ä\0"')] * chance.randrange(1, 4)
        await store.append(log, None, drafts, cmd=cmd)


@pytest.fixture
async def old(place, opened):
    """The path of a data file as release 0.1 left it, and all that is in it."""
    async with opened(place) as store:
        await fill(store)
        await store.keep("person", "ann", "{}")
        whole = {log: (await store.read(log)).entries for log in LOGS}
    rewrite_as_0_1(place)
    return place, whole


async def logs_of(store, names=LOGS):
    return {log: (await store.read(log)).entries for log in names}


async def convert_all(store, most=50):
    moved = 0
    while some := await store.convert(most):
        moved += some
    return moved


def tables_of(place):
    with closing(sqlite3.connect(place)) as db:
        return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def version_of(place):
    with closing(sqlite3.connect(place)) as db:
        return db.execute("PRAGMA user_version").fetchone()[0]


async def test_old_entries_are_the_same_before_between_and_after_all_steps(old, opened):
    place, whole = old
    async with opened(place) as store:
        assert whole == await logs_of(store)
        while await store.convert(100):
            assert whole == await logs_of(store)
            assert tuple(sorted(LOGS)) == await store.logs("")
    assert SCHEMA == version_of(place)
    async with opened(place) as store:
        assert whole == await logs_of(store)
        assert 0 == await store.convert(100)
    assert {"entry", "log", "record", "shared"} == tables_of(place)


async def test_old_table_stays_until_its_last_entry_is_converted(old, opened):
    place, whole = old
    async with opened(place) as store:
        await store.convert(10)
    async with opened(place) as store:
        assert sum(map(len, whole.values())) - 10 == await convert_all(store)
    assert "old_entry" in tables_of(place)


async def assert_attempts_are_known(store, whole):
    """Try each entry again that a store has, and a new one in each log."""
    for log, entries in whole.items():
        for cmd in {entry.cmd for entry in entries}:
            known = tuple(entry for entry in entries if entry.cmd == cmd)
            assert known == await store.append(log, 0, [Draft("bob", "2")], cmd=cmd)
        with pytest.raises(Conflict) as conflict:
            await store.append(log, len(entries) - 1, [Draft("bob", "2")], cmd="new")
        assert len(entries) == conflict.value.head


async def test_old_attempt_gets_its_first_answer_and_a_new_one_its_place(old, opened):
    """Whether the log was converted, partly converted or not."""
    place, whole = old
    async with opened(place) as store:
        for most in (0, 30, 1000):
            await store.convert(most)
            await assert_attempts_are_known(store, whole)


async def test_moves_during_the_conversion_follow_the_old_ones(old, opened):
    place, whole = old
    async with opened(place) as store:
        converting = asyncio.create_task(convert_all(store, 3))
        landed = {log: [] for log in LOGS}
        while not converting.done():
            for log in LOGS:
                head = len(whole[log]) + len(landed[log])
                landed[log] += await store.append(log, head, [Draft("bob", "2")], cmd=f"{head}")
        assert {log: (*whole[log], *landed[log]) for log in LOGS} == await logs_of(store)


async def carried(source, target):
    async with reading(f"sqlite:{source}", alone=False) as before, filling(f"sqlite:{target}") as after:
        await copy(before, after, lambda _: None)


async def test_backup_from_before_the_upgrade_restores_equal(old, opened, tmp_path):
    """So does one that is taken while entries are converted, and one from afterwards."""
    place, whole = old
    await carried(place, tmp_path / "before.db")
    async with opened(place) as store:
        await store.convert(77)
        await carried(place, tmp_path / "between.db")
        await convert_all(store)
        await carried(place, tmp_path / "after.db")
    for name in ("before.db", "between.db", "after.db"):
        async with opened(tmp_path / name) as store:
            assert whole == await logs_of(store)
            assert "{}" == await store.find("person", "ann")


async def test_backup_changes_nothing_in_an_old_file(old, tmp_path):
    place, _ = old
    before = place.read_bytes()

    await carried(place, tmp_path / "before.db")

    assert before == place.read_bytes()


async def test_nothing_is_converted_while_the_disk_is_nearly_full(old, opened, monkeypatch):
    place, whole = old
    usage = shutil.disk_usage(place.parent)._replace(free=31_000_000)
    async with opened(place) as store:
        with monkeypatch.context() as planted:
            planted.setattr(shutil, "disk_usage", lambda _: usage)
            with pytest.raises(StoreUnavailable, match="needs 32 MB of free space to convert old entries, and has 31:"):
                await store.convert(10)
        assert whole == await logs_of(store)
        assert 10 == await store.convert(10)


async def test_old_body_that_is_not_text_is_converted_as_it_is(old, opened):
    place, whole = old
    with closing(sqlite3.connect(place)) as db:
        db.execute("UPDATE entry SET body = CAST(x'22ff22' AS TEXT) WHERE log = 'tables' AND seq = 1")
        db.commit()
    async with opened(place) as store:
        before = await store.read("tables")
        await convert_all(store)
        assert before == await store.read("tables")
        assert before.entries[0].body.startswith("\ufffd")
        assert whole["tables"][1:] == before.entries[1:]


def run_until(place, lines, enough):
    """Convert in a process, kill it after some lines, and return the acknowledged entries and whether it was done."""
    command = [sys.executable, str(Path(__file__).with_name("converter.py")), str(place)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        said = [process.stdout.readline() for _ in range(enough)]
        process.kill()
        said += process.stdout.read().splitlines(keepends=True)
    lines += [line.split() for line in said if line.endswith("\n")]
    return any(line == ["done"] for line in lines)


async def test_killed_conversion_loses_nothing_and_goes_on(old, opened):
    """Killed again and again, while three logs grow, one of them without old entries."""
    place, whole = old
    lines, kills, chance = [], 0, Random(2)
    while not await asyncio.to_thread(run_until, place, lines, chance.randrange(1, 300)):
        kills += 1
        with closing(sqlite3.connect(place)) as db:
            rows = [*all_rows(db)]
        assert len(rows) == len({row[:2] for row in rows})
    assert kills > 2

    async with opened(place) as store:
        found = await logs_of(store, [*LOGS, "new"])
    assert all(entries == found[log][: len(entries)] for log, entries in whole.items())
    for log, seq, cmd in (line for line in lines if line != ["done"]):
        assert (int(seq), cmd) == (found[log][int(seq) - 1].seq, found[log][int(seq) - 1].cmd)
    for entries in found.values():
        assert [*range(1, len(entries) + 1)] == [entry.seq for entry in entries]


@pytest.mark.slow
async def test_a_gigabyte_is_converted_while_people_play_and_after_kills(place, opened, ohell_rows):
    """27,000 games: every log is the same afterwards, and the file gives a quarter of its bytes back."""
    games, entries = 27_000, ohell_rows
    write_as_0_1(place, ((f"table/{game}", *row) for game in range(1, games + 1) for row in entries))
    before, lines = place.stat().st_size, []
    for enough in (500, 2000, 5000):
        assert not await asyncio.to_thread(run_until, place, lines, enough)
    async with opened(place) as store:
        await convert_all(store, 300)
    async with opened(place) as store:
        for game in range(1, games + 1):
            found = (await store.read(f"table/{game}", 0, len(entries))).entries
            assert entries == [(one.seq, one.at, one.by, one.body, one.cmd) for one in found], game
        for log, seq, cmd in lines:
            assert [cmd] == [one.cmd for one in (await store.read(log, int(seq) - 1, 1)).entries]
        while await store.vacuum(1 << 24):
            pass
    assert place.stat().st_size < 0.78 * before
