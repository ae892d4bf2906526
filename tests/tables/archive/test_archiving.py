"""The archive: finished games leave the store, and can be read as before."""

import asyncio
import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from lilygames.gametest.stage import Stage
from lilygames.store import Draft, StoreUnavailable
from lilygames.store.memory import MemoryStore
from lilygames.store.postgres import pack_table
from lilygames.store.postgres.pack_table import PackTable
from lilygames.store.postgres.postgres import PostgresStore
from lilygames.store.sqlite import archive_file
from lilygames.store.sqlite.archive_file import ArchiveFile, beside
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.store.wrapper import Through
from lilygames.tables.archive import archiving as archiving_module
from lilygames.tables.archive.archive import INDEX, Archive
from lilygames.tables.archive.archived_logs import ARCHIVED, NotInArchive, PackRecords, WithArchive
from lilygames.tables.archive.archiving import QUIET, Archiving, start_again
from lilygames.tables.archive.finished_tables import FinishedTables
from lilygames.tables.open.forgetting import forget_names
from tests.toys import TALLY

LATER = 4e9
"""A moment after everything in a test."""


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def store(request, tmp_path):
    match request.param:
        case "memory":
            yield MemoryStore()
        case "sqlite":
            yield (sqlite := SqliteStore.open(tmp_path / "lily.db"))
            await sqlite.close()
        case "postgres":
            yield (postgres := await PostgresStore.open(request.getfixturevalue("database")))
            await postgres.close()


@pytest.fixture
async def packs(store, tmp_path):
    match store:
        case SqliteStore():
            yield (file := ArchiveFile(beside(tmp_path / "lily.db"), store))
            await file.close()
        case PostgresStore():
            yield PackTable(store)
        case _:
            yield PackRecords(store)


@pytest.fixture
async def stage(store, packs):
    stage = await Stage.open(TALLY, store=store, packs=packs)
    stage.enter("ann")
    stage.enter("bob")
    return stage


async def play_game(stage, number):
    """Let ann and bob play a game, in which everyone makes the first move of their list."""
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await play_on(stage, number)


async def play_on(stage, number):
    while bot := stage.open_tables.get(number):
        seat = next(seat for seat in range(2) if bot.table.moves(seat))
        line = bot.table.game.spell(bot.questions.offered(seat)[0])
        await stage.type(bot.table.seats[seat].name, f"/at {number} {line}")


async def archived(archiving, before=LATER):
    """Archive, and return the number of games."""
    return sum([one.games async for one in archiving.run(before)])


@pytest.mark.parametrize(
    "line",
    ["/replay 1 1", "/replay 1 30", "/replay 1 3 as bob", "/log 1", "/verify 1", "/export 1", "/played", "/rankings"],
)
async def test_archived_game_is_shown_as_before(stage, store, packs, line):
    await play_game(stage, 1)
    before = await stage.type("ann", line)

    assert 1 == await archived(Archiving(store, packs))

    assert before == await stage.type("ann", line)


async def test_archived_log_is_one_entry_in_the_store_and_whole_when_it_is_read(stage, store, packs):
    await play_game(stage, 1)
    whole = await store.read("table/1")

    await archived(Archiving(store, packs))

    assert [(whole.head, ARCHIVED)] == [(one.seq, one.body) for one in (await store.read("table/1")).entries]
    kept = WithArchive(store, packs)
    assert whole == await kept.read("table/1")
    assert whole.entries[7:12] == (await kept.read("table/1", 7, 5)).entries
    assert whole.entries[-1:] == (await kept.read("table/1", whole.head - 1, 1)).entries
    assert () == (await kept.read("table/1", whole.head)).entries


async def test_open_and_young_games_stay_until_they_are_old(stage, store, packs):
    await play_game(stage, 1)
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    archiving = Archiving(store, packs)

    assert 0 == await archived(archiving, before=1e9)
    assert 1 == await archived(archiving)
    assert 0 == await archived(archiving)

    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    await play_on(stage, 2)
    assert 1 == await archived(archiving)


async def test_archived_game_counts_for_totals_that_are_made_later(stage, store, packs):
    await play_game(stage, 1)
    finished = FinishedTables(Archive(WithArchive(store, packs)), TALLY)
    before = await finished.replayed(1)

    await archived(Archiving(store, packs))

    assert before is not None
    assert before == await finished.replayed(1)


async def test_forgotten_person_is_a_former_player_of_an_archived_game(stage, store, packs):
    await play_game(stage, 1)
    await archived(Archiving(store, packs))

    await forget_names(stage.tables, ["bob"])

    rows = await stage.type("ann", "/log 1")
    assert not any("bob" in row for row in rows)
    assert any("former player" in row for row in rows)
    assert any("Match" in row for row in await stage.type("ann", "/verify 1"))


async def test_stages_after_a_restart_read_the_archive(stage, store, packs):
    await play_game(stage, 1)
    before = await stage.type("ann", "/log 1")
    await archived(Archiving(store, packs))

    again = await Stage.open(TALLY, store=store, packs=packs)
    again.enter("ann")

    assert before == await again.type("ann", "/log 1")


async def test_reader_sees_a_whole_log_while_games_are_archived(stage, store, packs):
    """Also page by page, when the log moves between two pages."""
    for number in (1, 2, 3):
        await play_game(stage, number)
    kept = WithArchive(store, packs)
    whole = [(await store.read(f"table/{number}")).entries for number in (1, 2, 3)]

    async def read(number):
        entries = []
        while page := (await kept.read(f"table/{number}", entries[-1].seq if entries else 0, 4)).entries:
            entries += page
        return tuple(entries)

    moving = asyncio.create_task(archived(Archiving(store, packs)))
    seen = []
    while not moving.done() or len(seen) < 2:
        seen.append([await read(number) for number in (1, 2, 3)])

    assert 3 == await moving
    assert seen == [whole] * len(seen)


async def test_moves_that_are_acknowledged_meanwhile_are_kept(stage, store, packs):
    for number in (1, 2, 3):
        await play_game(stage, number)
    moving = asyncio.create_task(archived(Archiving(store, packs)))
    landed = [await store.append("table/9", seq, [Draft("ann", f'"{seq}"')], cmd=str(seq)) for seq in range(30)]

    assert 3 == await moving
    assert tuple(entry for entries in landed for entry in entries) == (await store.read("table/9")).entries


async def test_secret_that_the_log_publishes_goes_and_any_other_stays(stage, store, packs):
    await play_game(stage, 1)
    await play_game(stage, 2)
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await store.keep("secret", "2", "ab" * 32)
    assert {"1", "2", "3"} == (await store.every("secret")).keys()

    await archived(Archiving(store, packs))

    assert {"2", "3"} == (await store.every("secret")).keys()
    assert any("Match" in row for row in await stage.type("ann", "/verify 1"))


async def test_table_that_nobody_closed_is_archived_once_it_is_not_open_and_a_day_old(store, packs):
    """So the list of tables that aren't in the archive stays short."""
    now = await store.now()
    await store.append(INDEX, 0, [Draft("ann", "{}"), Draft("bob", "{}")], cmd="1")
    await store.append("table/1", 0, [Draft("ann", "{}")], cmd="1")
    whole = await store.read("table/1")
    archiving = Archiving(store, packs)

    assert 0 == await archived(archiving)
    assert (1, 2) == (await archiving._cursor()).left

    archiving = Archiving(_Later(store, now + 2 * QUIET), packs)
    assert 1 == await archived(archiving)
    assert () == (await archiving._cursor()).left
    assert whole == await WithArchive(store, packs).read("table/1")


class _Later(Through):
    """A store whose clock says something else."""

    def __init__(self, store, at):
        super().__init__(store)
        self._at = at

    async def now(self):
        return self._at


async def test_game_that_another_node_has_archived_meanwhile_keeps_its_pack(stage, store, packs):
    await play_game(stage, 1)
    whole = await store.read("table/1")

    class Slower(Through):
        """The other node archives everything after this node has looked at a log's end, before it reads the log."""

        async def read(self, log, after=0, limit=1000):
            if log == "table/1" and not after:
                await archived(Archiving(store, packs))
            return await super().read(log, after, limit)

    assert 0 == await archived(Archiving(Slower(store), packs))
    assert whole == await WithArchive(store, packs).read("table/1")


async def test_run_says_how_far_it_is(stage, store, packs, monkeypatch):
    monkeypatch.setattr(archiving_module, "AT_ONCE", 1)
    monkeypatch.setattr(archiving_module, "LOGGED", 2)
    for number in (1, 2, 3):
        await play_game(stage, number)

    with capture_logs() as logs:
        steps = [(one.looked, one.tables) async for one in Archiving(store, packs).run(LATER)]

    assert [(1, 3), (2, 3), (3, 3)] == steps
    assert [2] == [one["looked_at"] for one in logs if one["event"] == "games are being archived"]


@pytest.fixture
async def played(tmp_path):
    """A data file with three finished games, and their logs."""
    place = tmp_path / "lily.db"
    store = SqliteStore.open(place)
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    stage.enter("bob")
    for number in (1, 2, 3):
        await play_game(stage, number)
    logs = [await store.read(f"table/{number}") for number in (1, 2, 3)]
    await store.close()
    return place, logs


@pytest.mark.parametrize("point", range(10, 56, 2))
async def test_every_game_can_be_read_after_a_kill_at_any_point_and_the_next_run_finishes(played, point):
    place, logs = played
    command = [sys.executable, str(Path(__file__).with_name("archiver.py")), f"sqlite:{place}", str(point)]
    ended = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True, timeout=60)
    assert -signal.SIGKILL == ended.returncode, ended

    store = SqliteStore.open(place)
    packs = ArchiveFile(beside(place), store)
    kept = WithArchive(store, packs)
    assert logs == [await kept.read(f"table/{number}") for number in (1, 2, 3)]
    await archived(Archiving(store, packs))
    assert [1, 1, 1] == [len((await store.read(f"table/{number}")).entries) for number in (1, 2, 3)]
    assert logs == [await kept.read(f"table/{number}") for number in (1, 2, 3)]
    await packs.close()
    await store.close()


@pytest.fixture
async def file(played):
    """A store with three finished games, and its archive."""
    place, _ = played
    store = SqliteStore.open(place)
    yield store, (packs := ArchiveFile(beside(place), store))
    await packs.close()
    await store.close()


async def test_full_disk_is_told_in_a_sentence_and_loses_nothing(file, played, monkeypatch):
    (store, packs), (_, logs) = file, played

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as planted:
        planted.setattr(archive_file, "_keep", full)
        with pytest.raises(StoreUnavailable, match=r"No space left on device.*there is room"):
            await archived(Archiving(store, packs))

    assert logs == [await store.read(f"table/{number}") for number in (1, 2, 3)]
    assert 3 == await archived(Archiving(store, packs))
    assert logs == [await WithArchive(store, packs).read(f"table/{number}") for number in (1, 2, 3)]


async def test_full_archive_is_told_in_a_sentence_and_loses_nothing(file):
    """SQLite's own error for a full disk."""
    store, packs = file
    await packs.keep({99: b""})
    packs._db.execute("PRAGMA max_page_count=3").fetchall()

    with pytest.raises(StoreUnavailable, match=r"disk of .* is full"):
        await packs.keep({number: os.urandom(100_000) for number in range(5)})
    assert await packs.find(0) is None

    packs._db.execute("PRAGMA max_page_count=1000").fetchall()
    assert 3 == await archived(Archiving(store, packs))


async def test_too_little_free_space_is_told_before_anything_moves(file, played, monkeypatch):
    (store, packs), (_, logs) = file, played
    usage = shutil.disk_usage(packs.place.parent)

    with monkeypatch.context() as planted:
        planted.setattr(shutil, "disk_usage", lambda _: usage._replace(free=archive_file.SLACK))
        with pytest.raises(StoreUnavailable, match=r"needs 32 MB of free space to archive games, and has 32: free"):
            await archived(Archiving(store, packs))

    assert not packs.place.exists()
    assert logs == [await store.read(f"table/{number}") for number in (1, 2, 3)]


async def test_restored_games_move_from_records_to_the_file_while_they_are_read(file, played):
    """A backup has archived games as records."""
    (store, packs), (_, logs) = file, played
    await archived(Archiving(store, PackRecords(store)))
    assert 3 == len(await store.every("packed"))
    await start_again(store)
    kept = WithArchive(store, packs)

    await start_again(store)
    moving = asyncio.create_task(archived(Archiving(store, packs)))
    while not moving.done():
        kept._last = None
        assert logs == [await kept.read(f"table/{number}") for number in (1, 2, 3)]

    assert 0 == await moving
    assert {} == await store.every("packed")
    assert logs == [await WithArchive(store, packs).read(f"table/{number}") for number in (1, 2, 3)]


async def test_damaged_record_of_a_restored_game_stays_and_others_move(file, played):
    (store, packs), (_, logs) = file, played
    await archived(Archiving(store, PackRecords(store)))
    await store.keep("packed", "2", "?")
    await start_again(store)

    await archived(Archiving(store, packs))

    assert {"2": "?"} == await store.every("packed")
    kept = WithArchive(store, packs)
    assert [logs[0], logs[2]] == [await kept.read(f"table/{number}") for number in (1, 3)]


async def test_archive_of_another_store_is_refused(file, tmp_path):
    store, packs = file
    await archived(Archiving(store, packs))
    other = SqliteStore.open(tmp_path / "other.db")

    with pytest.raises(StoreUnavailable, match="archive of another data file"):
        await ArchiveFile(packs.place, other).keep({1: b"pack"})
    await other.keep("archive", "id", "another")
    with pytest.raises(StoreUnavailable, match="archive of another data file"):
        await ArchiveFile(packs.place, other).keep({1: b"pack"})
    await other.close()


async def test_missing_archive_is_not_replaced_by_a_new_one(file):
    store, packs = file
    await archived(Archiving(store, packs))
    await packs.close()
    packs.place.rename(packs.place.with_name("elsewhere.db"))

    with pytest.raises(StoreUnavailable, match="missing"):
        await packs.keep({9: b"pack"})
    with pytest.raises(NotInArchive, match="restore the archive's file"):
        await WithArchive(store, packs).read("table/1")

    packs.place.with_name("elsewhere.db").rename(packs.place)
    assert (await WithArchive(store, packs).read("table/1")).entries[0].seq == 1


async def test_archive_whose_creation_was_interrupted_is_used(file):
    store, packs = file
    packs._create()

    await archived(Archiving(store, packs))

    assert await packs.find(3)


async def test_damaged_pack_is_told_in_a_sentence_at_the_table(file):
    store, packs = file
    await archived(Archiving(store, packs))
    stage = await Stage.open(TALLY, store=store, packs=packs)
    stage.enter("ann")
    await packs.keep({2: b"LP but no more"})

    told = ["Refused: the log of table #2 can't be read. Type /feedback TEXT to tell the", "  sysop."]
    assert told == await stage.type("ann", "/log 2")
    assert any("Match" in row for row in await stage.type("ann", "/verify 1"))


@pytest.fixture
async def shared(database):
    """A database with three finished games and their archive, and the games' logs."""
    store = await PostgresStore.open(database)
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    stage.enter("bob")
    for number in (1, 2, 3):
        await play_game(stage, number)
    logs = [await store.read(f"table/{number}") for number in (1, 2, 3)]
    yield store, PackTable(store), logs
    await store.close()


async def test_pack_comes_back_from_its_parts(postgres_packs):
    store, packs = postgres_packs
    new = {1: bytes(range(256)) * 12, 2: b"x" * pack_table.PART, 3: b"y"}
    await packs.keep(new)

    assert [4, 1, 1] == [
        await store.ask(lambda db, n=n: db.fetchval("SELECT count(*) FROM pack WHERE number = $1", n)) for n in new
    ]
    assert new == {number: await packs.find(number) for number in new}
    await packs.keep({1: b"shorter"})
    assert b"shorter" == await packs.find(1)


@pytest.fixture
async def postgres_packs(database):
    store = await PostgresStore.open(database)
    yield store, PackTable(store)
    await store.close()


async def test_packs_that_were_records_move_to_the_table_while_they_are_read(shared):
    """As after a backup was restored."""
    store, packs, logs = shared
    await archived(Archiving(store, PackRecords(store)))
    kept = WithArchive(store, PackTable(store))
    assert logs == [await kept.read(f"table/{number}") for number in (1, 2, 3)]

    await start_again(store)
    moving = asyncio.create_task(archived(Archiving(store, packs)))
    while not moving.done():
        kept._last = None
        assert logs == [await kept.read(f"table/{number}") for number in (1, 2, 3)]

    assert 0 == await moving
    assert {} == await store.every("packed")
    kept._last = None
    assert logs == [await kept.read(f"table/{number}") for number in (1, 2, 3)]


async def test_rows_and_pack_are_exchanged_in_one_transaction(shared, monkeypatch):
    """If reading back fails, nothing has changed: no pack is there, and no row or secret is gone."""
    store, packs, logs = shared
    secrets = await store.every("secret")

    def differs(*_):
        raise StoreUnavailable("The archive gives back another log.")

    with monkeypatch.context() as planted:
        planted.setattr(pack_table, "must_agree", differs)
        with pytest.raises(StoreUnavailable, match="another log"):
            await archived(Archiving(store, packs))

    assert [None] * 3 == [await packs.find(number) for number in (1, 2, 3)]
    assert logs == [await store.read(f"table/{number}") for number in (1, 2, 3)]
    assert secrets == await store.every("secret")
    assert 3 == await archived(Archiving(store, packs))
    assert logs == [await WithArchive(store, packs).read(f"table/{number}") for number in (1, 2, 3)]
    assert {} == await store.every("secret")


@pytest.mark.parametrize("point", range(26, 41, 2))
async def test_after_a_kill_each_game_of_a_database_is_either_in_rows_or_in_a_pack(shared, point):
    store, packs, logs = shared
    command = [sys.executable, str(Path(__file__).with_name("archiver.py")), store._server.url, str(point)]
    ended = await asyncio.to_thread(subprocess.run, command, check=False, capture_output=True, timeout=60)
    assert -signal.SIGKILL == ended.returncode, ended

    for number, log in enumerate(logs, 1):
        whole = len((await store.read(f"table/{number}")).entries) == len(log.entries)
        assert whole == (await packs.find(number) is None)
        assert log == await WithArchive(store, packs).read(f"table/{number}")
    await archived(Archiving(store, packs))
    assert logs == [await WithArchive(store, packs).read(f"table/{number}") for number in (1, 2, 3)]


async def test_two_nodes_that_archive_at_once_lose_nothing(shared):
    store, _, logs = shared
    other = await PostgresStore.open(store._server.url)

    await asyncio.gather(*(archived(Archiving(one, PackTable(one))) for one in (store, other)))

    assert logs == [await WithArchive(other, PackTable(other)).read(f"table/{number}") for number in (1, 2, 3)]
    await other.close()
