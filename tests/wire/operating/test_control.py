"""Test the control socket: what a server answers the command line, and what the command line says without a server."""

import asyncio
import os
import socket
import stat
from types import SimpleNamespace

import pytest

from lilygames import __version__
from lilygames.gametest.stage import Stage
from lilygames.server.process.logs import RecentLines
from lilygames.server.process.pidfile import NotRunning
from lilygames.server.serving import control_client
from lilygames.server.serving.control import Control, Reloads
from lilygames.server.serving.control_requests import NAME, Ping, Reload
from lilygames.server.shell import cli
from lilygames.store.sqlite.archive_file import ArchiveFile, beside
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.toys import TALLY


class Served:
    """A control socket without a place behind it."""

    def __init__(self, data):
        self.data = data
        self.reloads = Reloads()
        self.control = Control(SimpleNamespace(), self.reloads, RecentLines())

    async def ask(self, request):
        """The parts of an answer."""
        return await asyncio.to_thread(lambda: [*control_client.ask(self.data, request)])

    async def type(self, line):
        """The first line that answers a line of bytes."""
        reader, writer = await asyncio.open_unix_connection(str(self.data / NAME))
        writer.write(line)
        answer = await reader.readline()
        writer.close()
        return answer


@pytest.fixture
async def served(tmp_path):
    one = Served(tmp_path)
    await one.control.listen(tmp_path)
    yield one
    one.control.close()


async def test_ping_answers_the_version_and_the_process(served):
    (answer,) = await served.ask(Ping())

    assert (__version__, os.getpid()) == (answer["version"], answer["pid"])


async def test_socket_is_only_for_the_user_who_runs_the_server(served):
    assert 0o600 == stat.S_IMODE((served.data / NAME).stat().st_mode)


@pytest.mark.parametrize(
    "line", [b"hello\n", b"\n", b"[]\n", b'{"is":"Launch"}\n', b"\xff\xfe\n", b"x" * 70_000 + b"\n"]
)
async def test_anything_else_is_refused_in_a_sentence(served, line):
    assert (await served.type(line)).startswith(b'{"done": "the server doesn\'t understand this request')


async def test_reload_that_is_refused_answers_why(served):
    asked = asyncio.create_task(served.ask(Reload()))
    await served.reloads.wanted()
    served.reloads.refuse("there is no such module")

    with pytest.raises(control_client.Refused, match="there is no such module"):
        await asked


async def test_reload_that_is_granted_closes_the_connection(served):
    asked = asyncio.create_task(served.ask(Reload()))
    await served.reloads.wanted()
    served.control.close()

    with pytest.raises(control_client.HungUp):
        await asked


async def test_socket_works_in_a_folder_with_a_long_name(tmp_path):
    """The path of a Unix socket may have only 107 bytes."""
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    one = Served(deep)
    await one.control.listen(deep)

    assert 1 == len(await one.ask(Ping()))
    one.control.close()
    assert [] == [*deep.iterdir()]


async def test_server_replaces_the_socket_of_one_that_was_killed(tmp_path):
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / NAME))
    one = Served(tmp_path)
    with pytest.raises(NotRunning, match="no server is running"):
        await one.ask(Ping())
    await one.control.listen(tmp_path)

    assert 1 == len(await one.ask(Ping()))
    one.control.close()


async def test_client_says_that_no_server_is_running(tmp_path):
    with pytest.raises(NotRunning, match="no server is running"):
        await Served(tmp_path).ask(Ping())


async def test_client_says_so_for_a_folder_that_is_missing(tmp_path):
    with pytest.raises(NotRunning, match="no server is running"):
        await Served(tmp_path / "none").ask(Ping())


@pytest.fixture
async def place(tmp_path):
    """A running place with a finished game, and its socket."""
    store = SqliteStore.open(tmp_path / "lilygames.db")
    packs = ArchiveFile(beside(tmp_path / "lilygames.db"), store)
    stage = await Stage.open(TALLY, store=store, packs=packs)
    stage.enter("ann")
    stage.enter("bob")
    await stage.type("ann", "/new tally max=3 first-dealer=host")
    await stage.type("bob", "/sit tally")
    await stage.type("ann", "/start")
    while bot := stage.open_tables.get(1):
        seat = next(seat for seat in range(2) if bot.table.moves(seat))
        await stage.type(bot.table.seats[seat].name, bot.table.game.spell(bot.questions.offered(seat)[0]))
    control = Control(stage.place, Reloads(), RecentLines())
    await control.listen(tmp_path)
    yield stage
    control.close()
    await stage.kept()
    await packs.close()
    await store.close()


async def test_running_server_archives_games_and_gives_space_back(place, tmp_path, capsys):
    before = await place.type("ann", "/log 1")
    capsys.readouterr()

    assert 0 == await asyncio.to_thread(cli.run, ["archive", "--older", "0d", "--data", str(tmp_path)])

    said = capsys.readouterr().out
    assert "Archived 1 game: 0.0 MB of logs take 0.0 MB now." in said
    assert (tmp_path / "lilygames-archive.db").exists()
    assert before == await place.type("ann", "/log 1")
    assert 0 == await asyncio.to_thread(cli.run, ["vacuum", "--data", str(tmp_path)])
    assert "There is no space to give back to the disk." in capsys.readouterr().out
