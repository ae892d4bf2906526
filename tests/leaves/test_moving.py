"""The commands that carry a place elsewhere: what they say, and their exit codes."""

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
    """What is moved is a place of the toy game."""
    monkeypatch.setattr("lilygames.server.backup.games", lambda: TALLY)


@pytest.fixture
def run(capsys):
    """Run a command line and return its exit code and what it says."""

    def ran(*arguments):
        code = cli.run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        return code, said.out + said.err

    return ran


@pytest.fixture
def data(tmp_path):
    """A data folder in which one game is over and one goes on."""
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
    """Let a data file hold what a memory does."""
    store = SqliteStore.open(place)
    for log, entries in memory._logs.items():
        for entry in entries:
            await store.append(log, None, [Draft(entry.by, entry.body)], cmd=f"{entry.seq} {entry.cmd}")
    for kind, records in memory._records.items():
        for key, body in records.items():
            await store.keep(kind, key, body)
    await store.close()


def test_a_place_is_moved_to_a_database_and_back(run, data, database, tmp_path):
    code, said = run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", database)

    assert 0 == code
    assert re.search(r"Copied \d+ rows and checked them\. 2 games replayed without differences\.", said)
    assert 0 == run("move", "--from", database, "--to", f"sqlite:{tmp_path}/back.db")[0]


def test_a_backup_is_brought_back(run, data, tmp_path):
    code, said = run("backup", tmp_path / "evening.db", "--data", data)
    assert 0 == code
    assert re.search(r"Saved \d+ rows to .*evening\.db and checked them\.", said)

    code, said = run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")

    assert 0 == code
    assert "2 games replayed without differences." in said
    assert ["evening.db"] == [path.name for path in tmp_path.glob("evening*")]


def test_a_database_that_the_settings_name_is_backed_up(run, data, database, tmp_path):
    run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", database)
    config = tmp_path / "host.toml"
    config.write_text(f'store = "{database}"\n')

    code, _ = run("backup", tmp_path / "evening.db", "--config", config)

    assert 0 == code
    assert "2 games replayed" in run("restore", tmp_path / "evening.db", "--data", tmp_path / "new")[1]


def test_a_game_that_does_not_replay_is_named(run, data, tmp_path):
    """It is copied as it is, and the exit code says that there is something to see to."""
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


def test_a_server_in_the_way_is_one_sentence(run, data, tmp_path):
    store = SqliteStore.open(data / "lilygames.db")

    code, said = run("move", "--from", f"sqlite:{data}/lilygames.db", "--to", f"sqlite:{tmp_path}/new.db")

    assert 2 == code
    assert said.startswith("lilygames: Another server is using ")
    assert 0 == run("backup", tmp_path / "evening.db", "--data", data)[0]
    asyncio.run(store.close())
