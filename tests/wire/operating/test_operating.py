"""Test a sysop's work on a live server, and what they and the players are told: one sentence, and nothing lost."""

import asyncio
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from lilygames.edge.connections.certificate import make_certificate
from lilygames.server.settings.local_engines import free_port
from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[3]
QUICKLY = ["--house-pause-min", "0", "--house-pause-max", "0", "--hash-memory", "8192", "--hash-time", "1"]
QUICKLY += ["--lines-per-second", "1000", "--talk-lines-per-second", "1000"]


class Server:
    """A server on a data folder, with a settings file."""

    def __init__(self, folder, code=ROOT):
        self.data = folder / "data"
        self.config = folder / "place.toml"
        self.log = folder / "stderr.log"
        self._code = code
        self.process = None

    def command(self, *words):
        return [sys.executable, "-m", "lilygames", *map(str, words)]

    async def start(self, text="", *, shell=""):
        """Write the settings and start. Returns when it listens, or None if it has stopped instead."""
        port = "" if text.startswith("port") else "port = 0"
        self.config.write_text(f'{text}\n{port}\ndata = "{self.data}"\n')
        command = self.command("serve", "--config", self.config, *QUICKLY)
        if shell:
            command = ["sh", "-c", f'{shell}; exec "$@"', "sh", *command]
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *command, stdout=subprocess.PIPE, stderr=log, cwd=self._code
            )
        said = (await asyncio.wait_for(self.process.stdout.readline(), DEADLINE)).decode()
        if said:
            self.port = int(said.rsplit(":", 1)[1])
            return self
        await self.process.wait()
        return None

    async def run(self, *words):
        """Run another command, and return its exit code and output without the row about the data folder."""
        process = await asyncio.create_subprocess_exec(
            *self.command(*words), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=self._code
        )
        said, _ = await asyncio.wait_for(process.communicate(), DEADLINE)
        return process.returncode, said.decode().removeprefix(f"Data folder: {self.data}\n")

    async def end(self, sign=signal.SIGTERM):
        if self.process and self.process.returncode is None:
            self.process.send_signal(sign)
            await asyncio.wait_for(self.process.wait(), DEADLINE)

    def file(self, end=""):
        """One of the store's files."""
        return self.data / f"lilygames.db{end}"

    @property
    def said(self):
        """The log on stderr."""
        return self.log.read_text()


@pytest.fixture
async def server(tmp_path):
    one = Server(tmp_path)
    yield one
    await one.end(signal.SIGKILL)


@pytest.fixture
def taken():
    """A port of this machine that something else listens on."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


async def fetched(port, path):
    """Return the response of the metrics port, whatever its status."""

    def ask():
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as problem:
            return problem.code, problem.read().decode()

    return await asyncio.to_thread(ask)


async def came(dial, server, name):
    """Log in someone with an account, and return their client."""
    client = await dial(server.port, manner="silent")
    await client.expect("login: ")
    for line in (name, "correct horse", "correct horse"):
        client.type(line)
    await client.expect("in the lobby")
    return client


# starting


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("port = TAKEN", "port TAKEN on 127.0.0.1 is in use: stop what listens there, or choose another with --port."),
        ("metrics_port = TAKEN", "metrics_port TAKEN on 127.0.0.1 is in use: stop what listens there, or choose"),
        ('tls_cert = "CERT"\ntls_key = "KEY"\ntls_port = TAKEN', "tls_port TAKEN on 127.0.0.1 is in use: stop what"),
    ],
)
async def test_port_in_use_is_reported(server, taken, tmp_path, text, named):
    cert, key = make_certificate(tmp_path, ("localhost",))
    text = text.replace("TAKEN", str(taken)).replace("CERT", str(cert)).replace("KEY", str(key))

    assert await server.start(text) is None
    assert 2 == server.process.returncode
    assert f"lilygames: {named.replace('TAKEN', str(taken))}" in server.said
    assert "Traceback" not in server.said


async def test_too_few_open_files_are_refused(server):
    """`ulimit -n 64` used to start with connections=-36."""
    assert await server.start(shell="ulimit -n 64") is None
    assert 78 == server.process.returncode
    assert "connections is 2000, which needs 2100 open files, but this process can open only 64" in server.said
    assert "ulimit -n 2100" in server.said


async def test_invalid_settings_exit_with_78(server):
    assert await server.start("prot = 1") is None
    assert 78 == server.process.returncode


# reloading


async def test_reload_is_refused_after_a_typo_and_games_continue(server, dial):
    await server.start()
    ann = await came(dial, server, "ann")
    ann.type("/quick ohell")
    await ann.expect("Your turn: ")
    server.config.write_text(f'prot = 1\ndata = "{server.data}"\n')
    code, said = await server.run("reload", "--data", server.data)
    ann.type("/table")

    assert 2 == code
    assert said.startswith("lilygames: reload refused, the server keeps running unchanged: ")
    assert f"{server.config}:1: there is no setting 'prot'; did you mean 'port'?" in said
    assert f"{server.config}:1: there is no setting 'prot'" in server.said
    assert "Table #1, Ohell" in await ann.expect("Seal ")


async def test_refused_reload_can_be_repeated(server, dial):
    await server.start()
    ann = await came(dial, server, "ann")
    whole = server.config.read_text()
    server.config.write_text("port = = 1\n")
    refused = [await server.run("reload", "--data", server.data) for _ in range(2)]
    server.config.write_text(whole)
    answered = await server.run("reload", "--data", server.data)
    ann.type("/who")

    assert [2, 2] == [code for code, _ in refused]
    assert (0, "The server has restarted.\n") == answered
    assert "ann" in await ann.expect("ann")


async def test_reload_is_refused_while_the_store_does_not_answer(server, dial):
    """Another program holds the data file, which the trial of the new program, as it only reads, doesn't notice."""
    await server.start()
    ann = await came(dial, server, "ann")
    with closing(sqlite3.connect(server.file(), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        code, said = await server.run("reload", "--data", server.data)
    ann.type("/who")
    shown = await ann.expect("ann")
    answered = await server.run("reload", "--data", server.data)
    case = re.search(r"the store doesn't answer: check that it works, then reload again \(case (\w+)\)", said)

    assert 2 == code
    assert 1 == len([row for row in server.said.splitlines() if "reload refused" in row and case[1] in row])
    assert "ann" in shown
    assert (0, "The server has restarted.\n") == answered


@pytest.fixture
async def copied(tmp_path):
    """A server of a copy of the code, which tests can break."""
    code = tmp_path / "code"
    for part in ("lilygames", "rules", "help"):
        shutil.copytree(ROOT / part, code / part, ignore=shutil.ignore_patterns("__pycache__"))
    one = Server(tmp_path, code)
    yield one
    await one.end(signal.SIGKILL)


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("lilygames/server/serving/serving.py", "def (", "SyntaxError"),
        ("lilygames/games/ohell/words.py", "import no_such_module", "No module named 'no_such_module'"),
        ("lilygames/games/ohell/house.py", "raise ValueError('not ready')", "ValueError: not ready"),
    ],
)
async def test_reload_is_refused_if_code_cannot_be_imported(copied, dial, file, text, why):
    await copied.start()
    ann = await came(dial, copied, "ann")
    (copied._code / file).write_text(text)
    code, said = await copied.run("reload", "--data", copied.data)
    ann.type("/who")

    assert 2 == code
    assert why in said
    assert file in said
    assert 1 == said.count("\n")
    assert "ann" in await ann.expect("ann")


async def test_reload_by_signal_is_refused_in_the_log_if_code_cannot_be_imported(copied, dial):
    """If nobody waits for an answer, as when SIGHUP comes from `kill`."""
    await copied.start()
    ann = await came(dial, copied, "ann")
    (copied._code / "lilygames/server/serving/serving.py").write_text("def (")
    copied.process.send_signal(signal.SIGHUP)
    async with asyncio.timeout(DEADLINE):
        while "reload refused" not in copied.said:  # noqa: ASYNC110 - in a file
            await asyncio.sleep(0.05)
    ann.type("/who")

    assert "SyntaxError: invalid syntax" in copied.said
    assert "ann" in await ann.expect("ann")


async def test_reload_is_refused_if_the_certificate_is_missing(server, dial, tmp_path):
    cert, key = make_certificate(tmp_path, ("localhost",))
    await server.start(f'tls_port = 0\ntls_cert = "{cert}"\ntls_key = "{key}"')
    ann = await came(dial, server, "ann")
    cert.unlink()
    code, said = await server.run("reload", "--data", server.data)
    ann.type("/who")

    assert (2, True) == (code, f"{cert} can't be read" in said)
    assert "ann" in await ann.expect("ann")


async def test_port_in_use_after_a_reload_disconnects_nobody(server, dial, taken):
    await server.start()
    ann = await came(dial, server, "ann")
    server.config.write_text(f'port = 0\nmetrics_port = {taken}\ndata = "{server.data}"\n')
    answered = await server.run("reload", "--data", server.data)
    ann.type("/who")

    assert 0 == answered[0]
    assert "ann" in await ann.expect("ann")
    assert f"metrics_port {taken} on 127.0.0.1 is in use" in server.said


# the data


@pytest.mark.parametrize("end", ["", "-wal"])
async def test_removed_data_file_is_noticed_and_announced(server, dial, end):
    """Players read one sentence; the sysop sees the log, a metric and /health; nothing more is acknowledged."""
    metrics = free_port()
    await server.start(f"metrics_port = {metrics}")
    ann = await came(dial, server, "ann")
    ann.type("/new ohell max=3 first-dealer=host")
    ann.type("/house")
    ann.type("/start")
    await ann.expect("begins: ")
    server.file(end).unlink()
    told = await ann.expect("been told. ***")
    ann.type("/new ohell")
    refused = await ann.expect("so nothing was")

    assert "*** The server can't save anything right now" in told
    assert "Refused: the server can't save anything right now" in refused
    assert "lilygames_store_lost 1" in (await fetched(metrics, "/metrics"))[1]
    status, why = await fetched(metrics, "/health")
    assert (503, True) == (status, "was removed or replaced while the server runs" in why)
    assert 1 == len([row for row in server.said.splitlines() if "[error" in row])
    assert "Traceback" not in server.said


async def test_removed_data_file_loses_nothing_and_disconnects_nobody(server, dial):
    """The rescued file is moved back and opened by a reload, while people stay connected."""
    await server.start()
    ann = await came(dial, server, "ann")
    ann.type("/quick ohell")
    await ann.expect("Your turn: ")
    file = server.file()
    file.unlink()
    await ann.expect("been told. ***")
    missing = await server.run("reload", "--data", server.data)
    server.file("-rescued-1").rename(file)
    answered = await server.run("reload", "--data", server.data)
    ann.type("/table")
    shown = await ann.expect("Seal ")

    assert (2, True) == (missing[0], "is missing: restore it first" in missing[1])
    assert 0 == answered[0]
    assert "Table #1, Ohell" in shown


async def test_moved_data_file_is_used_again_when_it_is_back(server, dial):
    await server.start()
    ann = await came(dial, server, "ann")
    file = server.file()
    file.rename(server.data / "elsewhere.db")
    await ann.expect("been told. ***")
    (server.data / "elsewhere.db").rename(file)
    await ann.expect("*** The server can save again. You can continue to play. ***")
    ann.type("/quick ohell")

    assert "begins" in await ann.expect("begins")


async def test_damaged_log_and_account_are_shown_by_metrics(server, dial):
    """The rows are damaged with `sqlite3` while the server is down."""
    metrics = free_port()
    await server.start(f"metrics_port = {metrics}")
    for name in ("ann", "bob"):
        client = await came(dial, server, name)
        client.type("/quick ohell")
        await client.expect("begins: ")
    await server.end()
    with closing(sqlite3.connect(server.data / "lilygames.db")) as db:
        db.execute("UPDATE entry SET body = 'x' WHERE log = (SELECT id FROM log WHERE name = 'table/1') AND seq = 3")
        db.execute("UPDATE record SET body = CAST(x'ff' AS TEXT) WHERE kind = 'account' AND key = 'bob'")
        db.commit()
    await server.start(f"metrics_port = {metrics}")
    ann = await dial(server.port, manner="silent")
    ann.type("ann correct horse")
    back = await ann.expect("sysop knows")  # so their table has been restored, or stopped
    figures = (await fetched(metrics, "/metrics"))[1]
    status, health = await fetched(metrics, "/health")
    bob = await dial(server.port, manner="silent")
    bob.type("bob correct horse")

    assert "lilygames_tables_stopped 1.0\n" in figures
    assert 'lilygames_tables{game="ohell"} 1.0\n' in figures
    assert "lilygames_unreadable_rows 1.0\n" in figures
    case = re.search(r"stopped table #1 ohell \(case ([0-9a-f]{6})\)", health)[1]
    assert (200, "well") == (status, health.splitlines()[0])
    assert f"stopped (case {case})" in back
    assert case in server.said
    assert "bob's account can't be read (case " in await bob.expect("Ask the sysop")
