"""Test the commands that copy all data: their output and exit codes."""

import asyncio
import re

import pytest

from lilygames.gametest.stage import Stage
from lilygames.server import cli
from lilygames.store import Draft
from lilygames.store.memory import MemoryStore
from lilygames.store.sqlite import SqliteStore
from tests.toys import TALLY


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    """Games of the copied data."""
    monkeypatch.setattr("lilygames.server.backup.games", lambda: TALLY)


@pytest.fixture
def run(capsys):
    """Run a command and return its exit code and output."""

    def ran(*arguments):
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
    await stage.place.kept()
    await write(memory, place)


async def play(stage, number, enough):
    while number in stage.place.tables.open and enough:
        bot = stage.table(number)
        seat = next(seat for seat in range(len(bot.table.seats)) if bot.table.moves(seat))
        line = bot.table.game.spell(bot.questions.offered(seat)[0])
        await stage.type(bot.table.seats[seat].name, f"/at {number} {line}")
        enough -= 1


async def write(memory, place):
    """Copy a memory store to a data file."""
    store = SqliteStore.open(place)
    for log, entries in memory._logs.items():
        for entry in entries:
            await store.append(log, None, [Draft(entry.by, entry.body)], cmd=f"{entry.seq} {entry.cmd}")
    for kind, records in memory._records.items():
        for key, body in records.items():
            await store.keep(kind, key, body)
    await store.close()


def test_data_can_be_moved_to_a_database_and_back(run, data, database, tmp_path):
    code, said = run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", database)

    assert 0 == code
    assert re.search(r"Copied \d+ rows and checked them\. 2 games replayed without differences\.", said)
    assert 0 == run("move", "--from", database, "--to", f"sqlite:{tmp_path}/back.db")[0]


def test_backup_can_be_restored(run, data, tmp_path):
    code, said = run("backup", tmp_path / "evening.db", "--data", data)
    assert 0 == code
    assert re.search(r"Saved \d+ rows to .*evening\.db and checked them\.", said)

    code, said = run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")

    assert 0 == code
    assert "2 games replayed without differences." in said
    assert ["evening.db"] == [path.name for path in tmp_path.glob("evening*")]


def test_backup_copies_the_database_in_the_settings(run, data, database, tmp_path):
    run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", database)
    config = tmp_path / "host.toml"
    config.write_text(f'store = "{database}"\n')

    code, _ = run("backup", tmp_path / "evening.db", "--config", config)

    assert 0 == code
    assert "2 games replayed" in run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")[1]


def test_game_is_named_if_it_does_not_replay(run, data, tmp_path):
    """It is copied unchanged, and the exit code reports the problem."""
    asyncio.run(tamper(data / "lilygames.db"))

    code, said = run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", f"sqlite:{tmp_path}/new.db")

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

    code, said = run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", f"sqlite:{tmp_path}/new.db")

    assert 2 == code
    assert said.startswith("lilygames: Another server is using ")
    assert 0 == run("backup", tmp_path / "evening.db", "--data", data)[0]
    asyncio.run(store.close())
