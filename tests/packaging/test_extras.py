"""Test that the core works without any extra, and that a missing one is named with how to install it."""

import asyncio
import os
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement

from lilygames.server.settings.extras import EXTRAS
from lilygames.server.shell import cli
from lilygames.store.sqlite.sqlite import SqliteStore
from tests.deadline import DEADLINE

HIDING = """
import sys
for name in {hidden!r}:
    sys.modules[name] = None  # importing it raises ModuleNotFoundError
"""
MODULES = sorted({module for modules in EXTRAS.values() for module in modules})


@pytest.fixture
def hiding(tmp_path, root):
    """Return the environment of a process that can't import some modules."""

    def environment(*hidden):
        (tmp_path / "sitecustomize.py").write_text(HIDING.format(hidden=hidden))
        return os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, root, root / "rules")))}

    return environment


@pytest.fixture
def old_store(tmp_path):
    """A folder with a store, `old.db`."""

    async def make():
        await SqliteStore.open(tmp_path / "old.db").close()

    asyncio.run(make())
    return tmp_path


def run(environment, *words, cwd=None):
    """Run a command and return its exit code and what it said on stderr."""
    command = [sys.executable, "-m", "lilygames", *map(str, words)]
    done = subprocess.run(
        command, env=environment, cwd=cwd, capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    return done.returncode, done.stderr


def told(extra):
    return f"needs the extra “{extra}”, which isn't installed here: run pip install 'lilygames[{extra}]'\n"


@pytest.mark.parametrize(
    ("extra", "module", "setting"),
    [
        ("postgres", "asyncpg", 'store = "postgresql://lily@127.0.0.1:1/lily"'),
        ("nats", "nats", 'bus = "nats://127.0.0.1:1"\nstore = "postgresql://lily@127.0.0.1:1/lily"'),
        ("mail", "aiosmtplib", 'mail_host = "127.0.0.1"\nmail_from = "a@b.example"\npublic_address = "a.example 1"'),
        ("mail", "httpx", 'push_servers = "https://ntfy.example"\npublic_address = "a.example 1"'),
        ("push", "py_vapid", 'web_push = 1\nweb_port = 9778\nweb_address = "https://play.example"'),
        ("web", "prometheus_client", "metrics_port = 9777"),
        ("web", "aiohttp", "metrics_port = 9777"),
        ("web", "aiohttp", "web_port = 9778"),
    ],
)
def test_setting_whose_extra_is_missing_is_refused(hiding, tmp_path, extra, module, setting):
    """By `check-config` and by `serve`, with the line."""
    file, name = tmp_path / "place.toml", setting.partition(" ")[0]
    file.write_text(setting)
    expected = 78, f"lilygames: {file}:1: {name} {told(extra)}"

    assert expected == run(hiding(module), "check-config", file) == run(hiding(module), "serve", "--config", file)


@pytest.mark.parametrize(
    ("extra", "module", "words"),
    [
        ("tls", "cryptography", ("certificate", "games.example")),
        ("postgres", "asyncpg", ("move", "--from", "postgresql://lily@127.0.0.1:1/lily", "--to", "sqlite:new.db")),
        ("postgres", "asyncpg", ("move", "--from", "sqlite:old.db", "--to", "postgresql://lily@127.0.0.1:1/lily")),
    ],
)
def test_command_whose_extra_is_missing_is_refused(hiding, old_store, extra, module, words):
    assert (78, f"lilygames: this command {told(extra)}") == run(hiding(module), *words, cwd=old_store)


def test_every_command_explains_itself_without_extras(hiding):
    told = [run(hiding(*MODULES), name, "--help") for name in cli.COMMANDS]

    assert [(0, "")] * len(cli.COMMANDS) == told
    assert (0, "") == run(hiding(*MODULES), "--help")


async def test_core_serves_without_extras(hiding, tmp_path):
    """A guest plays a move there."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "lilygames", "serve", "--port", "0", "--data", str(tmp_path / "data")),
        env=hiding(*MODULES),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(DEADLINE):
            port = int((await server.stdout.readline()).decode().rpartition(":")[2])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"guest\r\n/quick ohell\r\n")
            said = (await reader.readuntil(b"Your turn")).decode("utf-8", "replace")
            writer.close()
            await writer.wait_closed()
    finally:
        server.terminate()
        await server.wait()

    assert "you sit at ohell" in said


def test_extras_are_those_that_the_package_declares(root):
    """Each extra's modules come from its packages."""
    declared = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    names = {"nats-py": "nats"}
    modules = {
        extra: tuple(names.get(one, one.replace("-", "_")) for one in (Requirement(row).name for row in rows))
        for extra, rows in declared.items()
        if rows and extra != "all"
    }

    assert dict(EXTRAS) == modules
    (everything,) = declared["all"]
    assert set(declared) - {"all"} == Requirement(everything).extras
