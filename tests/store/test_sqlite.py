"""Test a file's own troubles: kills, a full disk, damage, a second server."""

import asyncio
import itertools
import json
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from lilygames.store import Damaged, Replaced, StoreUnavailable
from lilygames.store.shell.copying import reading
from lilygames.store.sqlite import datafile
from lilygames.store.sqlite.datafile import SCHEMA
from lilygames.store.sqlite.sqlite import ANSWERED, SqliteStore, _Awaited, must_open

ROOT = Path(__file__).parents[2]
ENTRIES = 4
"""The root page of the entries, after those of the schema, of the map for vacuum, and of the logs."""
KEEP = "INSERT INTO record VALUES ('person', 'whammy', '{}')"


async def test_acknowledged_entries_survive_kill_9(place, opened, killed_while_appending):
    """Three times on the same file. The lock ends with the process; the entries stay, in order and without gaps."""
    acknowledged = []
    for _ in range(3):
        acknowledged += killed_while_appending(place, 200)
        async with opened(place) as store:
            logs = {log: [e.seq for e in (await store.read(log, limit=10**6)).entries] for log, _ in acknowledged}

        assert all(int(seq) in logs[log] for log, seq in acknowledged)
        assert all(list(range(1, len(seqs) + 1)) == seqs for seqs in logs.values())


async def test_entries_and_records_outlive_the_server(place, opened, drafts):
    async with opened(place) as store:
        landed = await store.append("log", 0, drafts("a"), cmd="1")
        await store.keep("person", "whammy", "{}")

    async with opened(place) as store:
        assert (await store.read("log")).entries == landed
        assert await store.append("log", 0, drafts("a"), cmd="1") == landed
        assert await store.find("person", "whammy") == "{}"


async def queued(store, *calls):
    """Return the calls as tasks that are queued while the writer is blocked, and a function that unblocks it."""
    begun, gate = threading.Event(), threading.Event()
    held = asyncio.create_task(store._write(lambda db: (begun.set(), gate.wait())))
    await asyncio.to_thread(begun.wait)
    tasks = [held, *map(asyncio.create_task, calls)]
    await asyncio.sleep(0)
    return tasks, gate


async def test_queued_calls_are_written_in_one_commit(sqlite, drafts):
    """A commit waits for the disk just as long for one entry as for a hundred."""
    tasks, gate = await queued(sqlite, *(sqlite.append(f"table/{n}", 0, drafts("a"), cmd="1") for n in range(100)))

    gate.set()
    await asyncio.gather(*tasks)

    assert sqlite.commits == 2


async def test_group_is_answered_a_few_calls_per_turn(sqlite, drafts):
    """Each answer wakes a task that goes on at once; a group of many must not make one turn of the loop long."""
    calls = [asyncio.ensure_future(sqlite.append(f"log/{n}", 0, drafts("a"), cmd=f"c{n}")) for n in range(5 * ANSWERED)]
    woken = asyncio.Event()
    calls[0].add_done_callback(lambda _: woken.set())
    await woken.wait()
    answered = [sum(call.done() for call in calls)]
    while answered[-1] < len(calls):
        await asyncio.sleep(0)
        answered.append(sum(call.done() for call in calls))

    assert 1 == sqlite.commits
    assert ANSWERED >= max(after - before for before, after in itertools.pairwise(answered))


async def test_conflict_does_not_affect_the_rest_of_its_group(sqlite, drafts):
    """Calls of one group may be for the same log: only the second of two at one position fails."""
    tasks, gate = await queued(sqlite, *(sqlite.append("log", n // 2, drafts("a"), cmd=str(n)) for n in range(6)))

    gate.set()
    _, *answers = await asyncio.gather(*tasks, return_exceptions=True)

    assert [isinstance(answer, tuple) for answer in answers] == [True, False] * 3
    assert sqlite.commits == 2


async def test_queued_call_is_never_done_if_cancelled(sqlite, drafts):
    (held, call), gate = await queued(sqlite, sqlite.append("log", 0, drafts("a"), cmd="1"))

    call.cancel()
    await asyncio.sleep(0)
    gate.set()
    await held

    assert (await sqlite.append("log", 0, drafts("b"), cmd="2"))[0].body == "b"


async def test_call_is_done_if_cancelled_too_late(sqlite, drafts):
    """The other calls in its group are answered too."""
    begun, pause = threading.Event(), threading.Event()
    keep = sqlite._write(lambda db: (begun.set(), pause.wait(), db.execute(KEEP)))
    (held, slow, call), gate = await queued(sqlite, keep, sqlite.append("log", 0, drafts("a"), cmd="1"))
    gate.set()
    await asyncio.to_thread(begun.wait)

    slow.cancel()
    await asyncio.sleep(0)
    pause.set()
    await asyncio.gather(held, call)

    assert await sqlite.every("person") == {"whammy": "{}"}


async def test_two_event_loops_can_share_a_group(sqlite, drafts):
    asked = threading.Event()

    async def ask_elsewhere():
        call = asyncio.create_task(sqlite.append("log", None, drafts("b"), cmd="2"))
        for _ in ("it asks", "what was asked in this turn is handed over"):
            await asyncio.sleep(0)
        asked.set()
        await call

    tasks, gate = await queued(sqlite, sqlite.append("log", None, drafts("a"), cmd="1"))
    other = asyncio.create_task(asyncio.to_thread(asyncio.run, ask_elsewhere()))
    await asyncio.to_thread(asked.wait)
    gate.set()
    await asyncio.gather(other, *tasks)

    assert sqlite.commits == 2


def test_closed_event_loop_does_not_block_others(place, drafts):
    """A loop that closes while a call is queued doesn't affect the answers of another loop."""
    store = SqliteStore.open(place)
    gate = asyncio.run(abandoned(store, drafts))

    gate.set()
    asyncio.run(store.append("other", 0, drafts("a"), cmd="1"))

    assert asyncio.run(store.heads(["other"])) == {"other": 1}
    asyncio.run(store.close())


async def abandoned(store, drafts):
    _, gate = await queued(store, store.append("log", 0, drafts("a"), cmd="1"))
    return gate


async def test_close_finishes_queued_calls(place, opened, drafts):
    async with opened(place) as store:
        tasks, gate = await queued(store, *(store.append("log", None, drafts("a"), cmd=str(n)) for n in range(9)))
        closing_down = asyncio.create_task(store.close())
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(closing_down, *tasks)

    async with opened(place) as store:
        assert (await store.read("log")).head == 9


async def test_full_disk_changes_nothing_and_writes_resume_afterwards(sqlite, drafts):
    """A limit on the file's pages stands for the disk: the store reports it and continues when there is room."""
    await sqlite.append("log", 0, drafts("a"), cmd="1")
    pages = await sqlite._write(lambda db: db.execute("PRAGMA page_count").fetchone()[0])
    await sqlite._write(lambda db: db.execute(f"PRAGMA max_page_count={pages + 2}").fetchall())
    big, small = await asyncio.gather(
        sqlite.append("log", 1, drafts("b", "x" * 100_000), cmd="2"),
        sqlite.append("other", 0, drafts("y"), cmd="3"),
        return_exceptions=True,
    )

    assert isinstance(big, StoreUnavailable)
    assert "is full: free some space, and the server continues." in str(big)
    assert [entry.body for entry in small] == ["y"]
    assert await sqlite.heads(["log", "other"]) == {"log": 1, "other": 1}

    await sqlite._write(lambda db: db.execute("PRAGMA max_page_count=100000").fetchall())
    assert len(await sqlite.append("log", 1, drafts("b", "x" * 100_000), cmd="2")) == 2


async def test_read_only_file_is_reported_and_writes_resume_afterwards(sqlite, drafts):
    sqlite._writer.execute("PRAGMA query_only=ON")
    with pytest.raises(StoreUnavailable, match=r"Can't write to .*lily\.db: check the permissions"):
        await sqlite.append("log", 0, drafts("a"), cmd="1")
    sqlite._writer.execute("PRAGMA query_only=OFF")

    (entry,) = await sqlite.append("log", 0, drafts("a"), cmd="1")

    assert entry.seq == 1


async def test_busy_file_is_tried_once_for_the_whole_group(sqlite, place, drafts):
    """A backup or a shell may hold the file for seconds; the calls don't each wait that long."""
    tries = []
    sqlite._writer.execute("PRAGMA busy_timeout=1")
    sqlite._writer.set_trace_callback(tries.append)
    loop = asyncio.get_running_loop()
    waiting = [loop.create_future() for _ in range(5)]
    with closing(sqlite3.connect(place, isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        await asyncio.to_thread(sqlite._commit, [_Awaited(lambda db: None, loop, done) for done in waiting])
        shell.execute("ROLLBACK")

    answers = await asyncio.gather(*waiting, return_exceptions=True)

    assert len(tries) == 1
    assert all("lily.db now (SQLITE_BUSY)" in str(answer) for answer in answers)
    assert len(await sqlite.append("log", 0, drafts("a"), cmd="1")) == 1


@pytest.mark.usefixtures("sqlite")
def test_second_server_is_refused(place, tmp_path):
    """By any path to the file, including a symbolic link."""
    other = tmp_path / "link.db"
    other.symlink_to(place)

    for path in (place, other):
        with pytest.raises(
            StoreUnavailable, match=r"Another server is using .*lily\.db: stop it first, or name another file"
        ):
            SqliteStore.open(path)


async def test_refused_server_does_not_unlock_the_file(sqlite, place, drafts):
    with pytest.raises(StoreUnavailable):
        SqliteStore.open(place)

    await sqlite.append("log", 0, drafts("a"), cmd="1")

    with pytest.raises(StoreUnavailable):
        SqliteStore.open(place)


@pytest.mark.usefixtures("sqlite")
def test_only_the_owner_may_read_the_data(place):
    modes = {path.name: path.stat().st_mode & 0o777 for path in place.parent.iterdir()}

    assert modes == {f"lily.db{end}": 0o600 for end in ("", "-wal", "-shm", "-lock")}


async def filled(place, opened, drafts):
    async with opened(place) as store:
        await store.append("log", 0, drafts(*["x" * 1000] * 200), cmd="1")


def whitened(whole):
    """Overwrite one page in the middle, and return the bytes of the file."""
    return whole[:40960] + b"\xff" * 4096 + whole[45056:]


@pytest.mark.parametrize(
    "damage", [whitened, lambda whole: whole[: len(whole) // 2], lambda whole: b"", lambda whole: b"\xff" * 4096]
)
async def test_damaged_file_is_refused_and_left_unchanged(place, opened, drafts, damage):
    """One page overwritten, half a file, an empty file, not a database."""
    await filled(place, opened, drafts)
    place.write_bytes(damage(place.read_bytes()))
    before = place.read_bytes()

    with pytest.raises(Damaged, match="restore"):
        SqliteStore.open(place)

    assert place.read_bytes() == before


async def damaged(sqlite, place, drafts, byte, page):
    """Fill a log, then overwrite a page of the file while the store is open."""
    await sqlite.append("log", 0, drafts(*["x" * 1000] * 200), cmd="1")
    with closing(sqlite3.connect(place)) as shell:
        shell.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = place.read_bytes()
    place.write_bytes(whole[: page * 4096] + byte * 4096 + whole[(page + 1) * 4096 :])
    sqlite._reader.execute("PRAGMA shrink_memory")


async def test_damage_is_reported_if_found_while_serving(sqlite, place, drafts):
    await damaged(sqlite, place, drafts, b"\0", ENTRIES)

    with pytest.raises(Damaged):
        await sqlite.read("log")


async def test_check_for_a_reload_finds_damaged_records_in_a_large_file(sqlite, place, monkeypatch):
    """The next process reads them as soon as the server has gone, and couldn't start."""
    monkeypatch.setattr(datafile, "AT_ONCE", 0)
    for name in range(100):
        await sqlite.keep("account", f"{name}", "x" * 200)
    with closing(sqlite3.connect(place)) as shell:
        shell.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    must_open(place)
    whole = place.read_bytes()
    page = whole.index(b"x" * 200) // 4096
    place.write_bytes(whole[: page * 4096] + b"\0" * 4096 + whole[(page + 1) * 4096 :])

    with pytest.raises(Damaged, match="restore"):
        must_open(place)


async def test_entries_that_are_not_text_are_read_as_invalid_json(sqlite, place, drafts):
    """A replay notices them; nobody takes them for valid entries."""
    await damaged(sqlite, place, drafts, b"\xff", 10)
    bodies = [entry.body for entry in (await sqlite.read("log")).entries]

    assert 200 == len(bodies)
    assert 0 < sum(body.startswith("\ufffd") for body in bodies) < 10


async def test_row_that_is_not_text_does_not_hide_the_others(sqlite, place):
    """It is read as text that isn't JSON, so the reader can report and skip it."""
    await sqlite.keep("account", "ann", '{"name": "ann"}')
    await sqlite.keep("account", "bob", '{"name": "bob"}')
    with closing(sqlite3.connect(place)) as shell:
        shell.execute("UPDATE record SET body = CAST(x'7b226e616d65223a2022ff227d' AS TEXT) WHERE key = 'bob'")
        shell.commit()
    found = await sqlite.every("account")

    assert '{"name": "ann"}' == found["ann"]
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(found["bob"])
    assert '{"name": "ann"}' == await sqlite.find("account", "ann")


@pytest.mark.parametrize("left", [None, b""])
def test_write_ahead_log_is_kept_if_its_file_is_missing(place, left):
    """It may hold acknowledged entries, and SQLite would delete it."""
    place.parent.mkdir()
    wal = place.with_name("lily.db-wal")
    wal.write_bytes(b"acknowledged")
    if left is not None:
        place.write_bytes(left)

    with pytest.raises(Damaged, match="restore"):
        SqliteStore.open(place)

    assert wal.read_bytes() == b"acknowledged"


async def test_file_is_refused_if_a_newer_server_wrote_it(place, opened, drafts):
    await filled(place, opened, drafts)
    with closing(sqlite3.connect(place)) as db:
        db.execute(f"PRAGMA user_version={SCHEMA + 1}")

    with pytest.raises(StoreUnavailable, match="written by a newer lilygames: update this server"):
        SqliteStore.open(place)


async def test_file_from_before_release_0_2_is_refused_and_stays_as_it_is(place, opened, drafts):
    await filled(place, opened, drafts)
    with closing(sqlite3.connect(place)) as db:
        db.execute(f"PRAGMA user_version={SCHEMA - 1}")
    before = place.read_bytes()

    for opening in (SqliteStore.open, must_open):
        with pytest.raises(StoreUnavailable, match=r"is older than release 0\.2, the first that this server reads"):
            opening(place)
    assert before == place.read_bytes()


def test_file_is_refused_if_another_program_wrote_it(place):
    place.parent.mkdir()
    with closing(sqlite3.connect(place)) as db:
        db.execute("CREATE TABLE stamps (country TEXT)")

    with pytest.raises(StoreUnavailable, match="belongs to another program: name another file"):
        SqliteStore.open(place)


def test_unwritable_folder_is_reported(tmp_path):
    """A file in place of the folder stands for it, because root can write to any folder."""
    (tmp_path / "data").write_text("")

    with pytest.raises(StoreUnavailable, match="check that you can write to its folder"):
        SqliteStore.open(tmp_path / "data" / "lily.db")


ENDS = ["", "-wal", "-shm", "-lock"]


def beside(place, end):
    return place.with_name(place.name + end)


@pytest.mark.parametrize("end", ENDS)
async def test_nothing_is_acknowledged_after_a_file_was_removed(sqlite, place, drafts, end):
    """Writes to a deleted file are lost when the process ends."""
    await sqlite.append("log", 0, drafts("a"), cmd="1")
    beside(place, end).unlink()

    for call in (sqlite.append("log", 1, drafts("b"), cmd="2"), sqlite.keep("person", "ann", "{}"), sqlite.now()):
        with pytest.raises(Replaced, match=r"was removed or replaced while the server runs, so nothing is saved"):
            await call


@pytest.mark.parametrize("end", ENDS)
async def test_nothing_is_acknowledged_after_a_file_was_replaced(sqlite, place, drafts, end):
    """For example because a backup was copied over it."""
    await sqlite.append("log", 0, drafts("a"), cmd="1")
    other = beside(place, "-other")
    other.write_bytes(beside(place, end).read_bytes())
    other.replace(beside(place, end))

    with pytest.raises(Replaced):
        await sqlite.append("log", 1, drafts("b"), cmd="2")


@pytest.mark.parametrize("end", ENDS)
async def test_acknowledged_entries_are_saved_if_a_file_is_removed(sqlite, place, opened, drafts, end):
    """In a copy, or in the data file itself; killing the process afterwards loses nothing."""
    await sqlite.append("log", 0, drafts("a", "b"), cmd="1")
    beside(place, end).unlink()
    with pytest.raises(Replaced) as told:
        await sqlite.append("log", 2, drafts("c"), cmd="2")
    where = beside(place, "" if end else "-rescued-1")
    left = beside(place, "-left")
    left.write_bytes(where.read_bytes())  # the only file that another process could open

    assert str(where) in str(told.value)
    assert 0o600 == where.stat().st_mode & 0o777
    async with opened(left) as store:
        assert ["a", "b"] == [entry.body for entry in (await store.read("log")).entries][:2]


async def test_acknowledged_entries_are_saved_if_the_folder_is_removed(sqlite, place, opened, drafts, tmp_path):
    await sqlite.append("log", 0, drafts("a"), cmd="1")
    place.parent.rename(tmp_path / "elsewhere")
    with pytest.raises(Replaced):
        await sqlite.append("log", 1, drafts("b"), cmd="2")

    async with opened(beside(place, "-rescued-1")) as store:
        assert "a" == (await store.read("log")).entries[0].body


async def test_store_continues_when_its_file_is_back(sqlite, place, drafts):
    """The same attempt gets the answer it would have had, whether it was written or not."""
    away = beside(place, "-away")
    await sqlite.append("log", 0, drafts("a"), cmd="1")
    place.rename(away)
    for cmd in ("2", "2", "3"):
        with pytest.raises(Replaced):
            await sqlite.append("log", None, drafts(cmd), cmd=cmd)
    away.rename(place)
    for cmd in ("2", "3"):
        await sqlite.append("log", None, drafts(cmd), cmd=cmd)

    assert ["a", "2", "3"] == [entry.body for entry in (await sqlite.read("log")).entries]


async def test_check_refuses_a_file_that_could_not_be_opened(sqlite, place, drafts):
    await sqlite.append("log", 0, drafts("a"), cmd="1")
    must_open(place)
    place.unlink()

    with pytest.raises(StoreUnavailable, match="is missing: restore it first"):
        must_open(place)


def test_check_accepts_a_file_that_never_existed(tmp_path):
    """Starting creates it."""
    must_open(tmp_path / "new.db")

    assert [] == [*tmp_path.iterdir()]


async def test_interrupted_creation_is_repeated(place, opened, drafts):
    """A power cut while the file is created leaves at most a part under another name."""
    place.parent.mkdir()
    place.with_name("lily.db-new").write_bytes(b"half")

    async with opened(place) as store:
        assert len(await store.append("log", 0, drafts("a"), cmd="1")) == 1


async def test_every_commit_is_on_the_disk(sqlite):
    """2 is FULL: a commit returns when the disk has the data."""
    settings = [sqlite._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "journal_mode")]

    assert settings == [2, "wal"]


async def test_vacuum_gives_the_space_of_trimmed_logs_back_to_the_disk(sqlite, place, drafts):
    for number in range(20):
        bodies = [f"{number} {nth} {'x' * 1000}" for nth in range(100)]
        await sqlite.append(f"log/{number}", 0, drafts(*bodies), cmd="1")
    for number in range(20):
        await sqlite.trim(f"log/{number}", 100, "gone")
    full = await _on_disk(sqlite, place)

    given = 0
    while some := await sqlite.vacuum(100_000):
        assert some <= 100_000
        given += some

    assert given > 1_500_000
    assert full - given == await _on_disk(sqlite, place)
    assert 100 == (await sqlite.heads(["log/19"]))["log/19"]


async def test_vacuum_gives_back_as_much_as_it_is_asked_for_in_one_step(sqlite, place, drafts):
    await sqlite.append("log", 0, drafts(*(f"{nth} {'x' * 1000}" for nth in range(1000))), cmd="1")
    await sqlite.trim("log", 1000, "gone")

    assert 400_000 < await sqlite.vacuum(500_000) <= 500_000


async def _on_disk(sqlite, place):
    sqlite._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return place.stat().st_size


async def test_large_file_is_checked_in_the_background_after_its_server_was_killed(sqlite, place, drafts, monkeypatch):
    await damaged(sqlite, place, drafts, b"\0", ENTRIES)
    monkeypatch.setattr(datafile, "AT_ONCE", 1000)
    await sqlite.keep("kind", "key", "a commit that no checkpoint has written yet")

    datafile.inspect(place)
    assert datafile.is_unchecked(place)
    with pytest.raises(Damaged, match="restore"):
        await datafile.inspect_in_background(place)


async def test_large_file_that_its_server_closed_needs_no_check(place, opened, drafts, monkeypatch):
    await filled(place, opened, drafts)
    monkeypatch.setattr(datafile, "AT_ONCE", 1000)

    assert not datafile.is_unchecked(place)


async def test_backup_of_a_large_damaged_file_is_refused(place, opened, drafts, monkeypatch):
    await filled(place, opened, drafts)
    monkeypatch.setattr(datafile, "AT_ONCE", 1000)
    place.write_bytes(whitened(place.read_bytes()))

    with pytest.raises(Damaged, match="restore"):
        async with reading(f"sqlite:{place}", alone=False):
            pass
