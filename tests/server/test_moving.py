"""Test the commands that copy all data: their output and exit codes."""

import asyncio
import re
import sqlite3
from contextlib import closing

import pytest

from lilygames.gametest.stage import Stage
from lilygames.server.shell import cli
from lilygames.store import Draft
from lilygames.store.memory import MemoryStore
from lilygames.store.shell.copying import copy, filling, reading
from lilygames.store.sqlite.archive_file import ArchiveFile, beside
from lilygames.store.sqlite.sqlite import SqliteStore
from lilygames.tables.archive.archived_logs import WithArchive
from lilygames.tables.archive.archiving import Archiving
from tests.toys import TALLY


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    """Games of the copied data."""
    monkeypatch.setattr("lilygames.server.shell.backup.games", lambda: TALLY)


@pytest.fixture
def run(capsys):
    """Run a command and return its exit code and output."""

    def ran(*arguments):
        capsys.readouterr()  # what earlier steps have logged
        code = cli.run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out + said.err

    return ran


@pytest.fixture
def data(tmp_path):
    """A data folder with one finished game and one in progress."""
    asyncio.run(furnish(tmp_path / "data" / "lilygames.db"))
    return tmp_path / "data"


async def furnish(place):
    memory = MemoryStore()
    stage = await Stage.open(TALLY, store=memory)
    for name in ("ann", "bob"):
        stage.enter(name)
    for number in (1, 2):
        await stage.type("ann", "/new tally max=3 first-dealer=host")
        await stage.type("bob", f"/sit {stage.table(number).room.name}")
        await stage.type("ann", f"/at {number} /start")
        await play(stage, number, enough=1000 if number == 1 else 2)
    await stage.kept()
    await write(memory, place)


async def play(stage, number, enough):
    while number in stage.open_tables and enough:
        bot = stage.table(number)
        seat = next(seat for seat in range(len(bot.table.seats)) if bot.table.moves(seat))
        line = bot.table.game.spell(bot.questions.offered(seat)[0])
        await stage.type(bot.table.seats[seat].name, f"/at {number} {line}")
        enough -= 1


async def write(memory, place):
    """Copy a memory store to a data file."""
    store = SqliteStore.open(place)
    for log, entries in memory.entries.items():
        for entry in entries:
            await store.append(log, None, [Draft(entry.by, entry.body)], cmd=f"{entry.seq} {entry.cmd}")
    for kind, records in memory.records.items():
        for key, body in records.items():
            await store.keep(kind, key, body)
    await store.close()


def test_data_can_be_moved_to_a_database_and_back(run, data, database, tmp_path):
    code, said = run("copy", "--from", f"sqlite:{data}/lilygames.db", "--to", database)

    assert 0 == code
    assert re.search(r"Copied \d+ rows and checked them\. 2 games replayed without differences\.", said)
    assert 0 == run("copy", "--from", database, "--to", f"sqlite:{tmp_path}/back.db")[0]


def test_copying_has_kept_its_former_name(run, data, tmp_path):
    assert 0 == run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", f"sqlite:{tmp_path}/new.db")[0]


def test_backup_can_be_restored(run, data, tmp_path):
    code, said = run("backup", tmp_path / "evening.db", "--data", data)
    assert 0 == code
    assert re.search(r"Saved \d+ rows to .*evening\.db and checked them\.", said)

    code, said = run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")

    assert 0 == code
    assert "2 games replayed without differences." in said
    assert ["evening.db"] == [path.name for path in tmp_path.glob("evening*")]


def test_backup_copies_the_database_in_the_settings(run, data, database, tmp_path):
    run("copy", "--from", f"sqlite:{data}/lilygames.db", "--to", database)
    config = tmp_path / "host.toml"
    config.write_text(f'store = "{database}"\n')

    code, _ = run("backup", tmp_path / "evening.db", "--config", config)

    assert 0 == code
    assert "2 games replayed" in run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")[1]


def test_game_is_named_if_it_does_not_replay(run, data, tmp_path):
    """It is copied unchanged, and the exit code reports the problem."""
    asyncio.run(tamper(data / "lilygames.db"))

    code, said = run("copy", "--from", f"sqlite:{data}/lilygames.db", "--to", f"sqlite:{tmp_path}/new.db")

    assert 1 == code
    assert "1 game replayed without differences" in said
    assert "these games differ from their replay, and did before: #2." in said


async def tamper(place):
    store = SqliteStore.open(place)
    body = (await store.read("table/2")).entries[-1].body
    await store.append("table/2", None, [Draft("ann", body)], cmd="again")
    await store.close()


def test_running_server_is_reported_in_one_sentence(run, data, tmp_path):
    store = SqliteStore.open(data / "lilygames.db")

    code, said = run("copy", "--from", f"sqlite:{data}/lilygames.db", "--to", f"sqlite:{tmp_path}/new.db")

    assert 2 == code
    assert said.splitlines()[-1].startswith("lilygames: Another server is using ")
    assert 0 == run("backup", tmp_path / "evening.db", "--data", data)[0]
    asyncio.run(store.close())


def test_finished_games_are_archived_and_a_backup_has_them(run, data, database, tmp_path):
    code, said = run("archive", "--older", "0d", "--data", data)
    assert 0 == code
    assert re.search(r"Archived 1 game: 0\.0 MB of logs take 0\.0 MB now\.", said)
    assert (data / "lilygames-archive.db").exists()
    assert "There are no games to archive.\n" in run("archive", "--older", "0d", "--data", data)[1]

    assert 0 == run("backup", tmp_path / "evening.db", "--data", data)[0]
    for new in (("--data", tmp_path / "new"), ("--config", written(tmp_path, database))):
        code, said = run("restore", tmp_path / "evening.db", *new)
        assert (0, True) == (code, "2 games replayed without differences." in said), said


def written(folder, store):
    config = folder / "host.toml"
    config.write_text(f'store = "{store}"\n')
    return config


def test_archived_games_are_moved_to_a_database_and_archived_there(run, data, database, tmp_path):
    config = written(tmp_path, database)
    run("copy", "--from", f"sqlite:{data}/lilygames.db", "--to", database)

    assert "Archived 1 game" in run("archive", "--older", "0h", "--config", config)[1]

    code, said = run("copy", "--from", database, "--to", f"sqlite:{tmp_path}/back/lilygames.db")
    assert (0, True) == (code, "2 games replayed without differences." in said)
    assert "by itself" in run("vacuum", "--config", config)[1]


def test_restored_place_archives_into_a_new_file(run, data, tmp_path):
    run("archive", "--older", "0d", "--data", data)
    run("backup", tmp_path / "evening.db", "--data", data)
    run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")

    asyncio.run(close_second_table(tmp_path / "new" / "lilygames.db"))
    assert "Archived 1 game" in run("archive", "--older", "0d", "--data", tmp_path / "new")[1]

    assert 0 == run("backup", tmp_path / "later.db", "--data", tmp_path / "new")[0]
    assert "2 games replayed" in run("restore", tmp_path / "later.db", "--data", tmp_path / "third")[1]


async def close_second_table(place):
    store = SqliteStore.open(place)
    stage = await Stage.open(TALLY, store=store)
    stage.enter("ann")
    stage.enter("bob")
    await play(stage, 2, enough=1000)
    await stage.kept()
    await store.close()


def test_restored_place_moves_its_archived_games_into_a_file_and_they_are_the_same(run, data, tmp_path):
    """A backup from before, and one from after, restore equal."""
    run("backup", tmp_path / "before.db", "--data", data)
    run("archive", "--older", "0d", "--data", data)
    run("backup", tmp_path / "after.db", "--data", data)
    for name in ("before", "after"):
        run("restore", tmp_path / f"{name}.db", "--data", tmp_path / name)
        run("archive", "--older", "0d", "--data", tmp_path / name)

    before, after = (asyncio.run(everything(tmp_path / name)) for name in ("before", "after"))
    assert before == after
    assert 2 == len(before)
    assert before == asyncio.run(everything(data))


async def everything(folder):
    """Return the logs of all tables of a place; none of the archived ones is a record."""
    store = SqliteStore.open(folder / "lilygames.db")
    packs = ArchiveFile(beside(folder / "lilygames.db"), store)
    kept = WithArchive(store, packs)
    logs = {name: await kept.read(name) for name in await store.logs("table/")}
    assert {} == await store.every("packed")
    await packs.close()
    await store.close()
    return logs


def test_backup_without_the_archive_is_refused(run, data, tmp_path):
    run("archive", "--older", "0d", "--data", data)
    (data / "lilygames-archive.db").rename(data / "elsewhere.db")

    code, said = run("backup", tmp_path / "evening.db", "--data", data)

    assert 2 == code
    assert re.search(r"lilygames-archive\.db is missing: put it back", said)
    assert not (tmp_path / "evening.db").exists()


def test_backup_while_games_are_archived_has_every_game(run, data, tmp_path):
    """The archive takes a game after the backup's snapshot began, or had it before."""
    place = data / "lilygames.db"

    async def both():
        store = SqliteStore.open(place)
        packs = ArchiveFile(beside(place), store)
        async with reading(f"sqlite:{place}", alone=False) as old:
            size = await old.size()
            async for _ in Archiving(store, packs).run(4e9):
                pass
            assert size == await old.size()
            async with filling(f"sqlite:{tmp_path}/evening.db") as new:
                await copy(old, new, lambda _: None)
        await packs.close()
        await store.close()

    asyncio.run(both())
    assert "2 games replayed" in run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")[1]


@pytest.mark.parametrize("age", ["90", "d", "-1d", "1.5d", "90 days", ""])
def test_age_that_cannot_be_read_is_refused_in_a_sentence(run, data, age):
    code, said = run("archive", "--older", age, "--data", data)

    assert 2 == code
    assert "like 90d" in said


def test_vacuum_makes_a_data_file_of_an_earlier_release_smaller(run, data):
    place = data / "lilygames.db"
    with closing(sqlite3.connect(place, isolation_level=None)) as db:
        db.execute("PRAGMA auto_vacuum=NONE")
        db.execute("VACUUM")
    asyncio.run(fill_and_trim(place))
    before = place.stat().st_size

    code, said = run("vacuum", "--data", data)

    assert 0 == code
    assert re.match(r"\d+\.\d MB went back to the disk\.\n", said)
    assert place.stat().st_size < before / 2
    asyncio.run(fill_and_trim(place))
    assert 0 < asyncio.run(freed_while_open(place))


async def fill_and_trim(place):
    store = SqliteStore.open(place)
    await store.append("log", None, [Draft("ann", "x" * 900)] * 2000, cmd=f"{place.stat().st_size}")
    await store.trim("log", 2**40, "")
    await store.close()


async def freed_while_open(place):
    store = SqliteStore.open(place)
    freed = await store.vacuum(10**6)
    await store.close()
    return freed
