"""Run a private PostgreSQL and nats-server on loopback, in a temporary folder, to try things out.

They end with the process that started them. Each is stopped by its process number, never by name.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import attrs

from lilygames.server.settings.config import CONFIG, FIELDS

PATIENCE = 60.0
"""Seconds that a server has to answer after its start."""
PORTS = range(20_000, 32_000)
"""Below the ports that a system gives to those who ask for any, so that nobody gets one before we listen there."""
_USER = "lily"
_PASSWORD = "password"  # noqa: S105 - a file's name
"""The file with a server's password, beside its data, for those who may read these."""
E = TypeVar("E", bound="Engine")


class Missing(Exception):
    """A program isn't installed. The text says which one, and what to install."""


def program(name: str, package: str, *folders: Path) -> str:
    """Return a program's path, from the folders given or from PATH. Raises `Missing`."""
    path = os.pathsep.join([*map(str, folders), os.environ.get("PATH", os.defpath), "/usr/sbin"])
    found = shutil.which(name, path=path)
    if found is None:
        raise Missing(f"{name} isn't installed: apt-get install {package}")
    return found


def _postgres(name: str) -> str:
    return program(name, "postgresql", *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))


def free_port() -> int:
    """Return a port on loopback that nothing listens on now."""
    while True:
        port = secrets.choice(PORTS)
        with socket.socket() as door, suppress(OSError):
            door.bind(("127.0.0.1", port))
            return port


@attrs.define
class Engine:
    """A program of ours that listens on a loopback port. It can be killed and started again."""

    command: tuple[str, ...]
    port: int
    folder: Path
    user: str | None = None
    """The user it runs as; None is ours."""
    stop_signal: signal.Signals = signal.SIGTERM
    _process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process number, 0 if it isn't running."""
        return self._process.pid if self._process else 0

    def start(self) -> None:
        """Start it, and return once it listens. Raises `RuntimeError` with its last output if it doesn't."""
        with (self.folder / "log").open("ab") as words:
            self._process = subprocess.Popen(  # noqa: S603 - the command is ours
                self.command, env=_environment(), cwd=self.folder, **_as(self.user),
                stdin=subprocess.DEVNULL, stdout=words, stderr=words,
            )  # fmt: skip
        until = time.monotonic() + PATIENCE
        while not self.answers():
            if self._process.poll() is not None or time.monotonic() > until:
                self.stop()
                raise RuntimeError(f"{self.command[0]} doesn't start: {self._last_words()}")
            time.sleep(0.02)

    def _last_words(self) -> str:
        return (self.folder / "log").read_text("utf-8", errors="replace")[-500:]

    def answers(self) -> bool:
        """Whether something listens on its port."""
        with socket.socket() as call:
            call.settimeout(1)
            return call.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        """Ask it to end, and return once it has ended."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """Kill it and its child processes, as a power cut would."""
        begun = _children(self.pid) if self._process else []
        self._signal_all(signal.SIGKILL)
        self._end(signal.SIGKILL)
        while not all(_has_ended(pid) for pid in begun):  # they keep its memory and its port for a moment
            time.sleep(0.01)

    def freeze(self) -> None:
        """Stop its processes with SIGSTOP, and return when they have stopped: a signal takes a moment to arrive."""
        self._signal_all(signal.SIGSTOP)
        while self._process and not all(_stands_still(pid) for pid in (self.pid, *_children(self.pid))):
            time.sleep(0.01)

    def thaw(self) -> None:
        """Let it continue."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, sign: signal.Signals) -> None:
        if self._process and self._process.poll() is None:
            for pid in (self.pid, *_children(self.pid)):
                with suppress(ProcessLookupError):
                    os.kill(pid, sign)

    def _end(self, sign: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(sign)
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


def _environment() -> dict[str, str]:
    """Return our environment without the data folder and the settings file of another server."""
    return {name: text for name, text in os.environ.items() if name not in (CONFIG, FIELDS["data"].variable)}


def _children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int(_stat(int(entry.name))[1]) == pid:
                found.append(int(entry.name))
    return found


def _stands_still(pid: int) -> bool:
    """Return whether a process is stopped or gone."""
    try:
        return _stat(pid)[0] in "TtZX"
    except OSError:
        return True


def _has_ended(pid: int) -> bool:
    """Return whether a process is gone or a zombie."""
    try:
        return _stat(pid)[0] in "ZX"
    except OSError:
        return True


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/PID/stat after the name: state, parent and so on. Raises `OSError`."""
    return (Path("/proc") / str(pid) / "stat").read_text("latin-1").rpartition(")")[2].split()


@attrs.define
class Postgres(Engine):
    """A private PostgreSQL with its own password."""

    stop_signal: signal.Signals = signal.SIGINT  # disconnects its clients
    password: str = ""

    def url(self, database: str = "postgres") -> str:
        """Return the URL of one of its databases."""
        return f"postgresql://{_USER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def create(self, database: str) -> str:
        """Create an empty database and return its URL."""
        self.order(f'CREATE DATABASE "{database}"')
        return self.url(database)

    @property
    def databases(self) -> list[str]:
        """The names of its databases."""
        return self._psql("--tuples-only", "--no-align", "--command=SELECT datname FROM pg_database").splitlines()

    def order(self, command: str, database: str = "postgres") -> None:
        """Run an SQL command."""
        self._psql(f"--command={command}", database=database)

    def _psql(self, *arguments: str, database: str = "postgres") -> str:
        return self._ask("psql", "--no-psqlrc", "--quiet", f"--dbname={database}", *arguments)

    def answers(self) -> bool:
        """Whether it accepts connections."""
        try:
            self._ask("pg_isready", "--quiet")
        except subprocess.CalledProcessError:
            return False
        return True

    def _ask(self, name: str, *arguments: str) -> str:
        """Run a client of PostgreSQL, and return its output. Raises `CalledProcessError`."""
        where = ("--host=127.0.0.1", f"--port={self.port}", f"--username={_USER}")
        return subprocess.run(  # noqa: S603 - the command is ours
            (_postgres(name), *where, *arguments),
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PGPASSWORD": self.password},
        ).stdout


@attrs.define
class Nats(Engine):
    """A private nats-server."""

    @property
    def url(self) -> str:
        """Its URL."""
        return f"nats://127.0.0.1:{self.port}"


@contextmanager
def postgres(folder: Path | None = None, **options: str) -> Iterator[Postgres]:
    """Run a PostgreSQL of our own while the block lasts. `options` are PostgreSQL settings.

    Its data is in `folder`, or in a temporary folder. The folder is created, or has what an earlier block left there.
    PostgreSQL refuses to run as root; then it runs as the user `postgres` or `nobody`. Raises `Missing` and
    `RuntimeError`.
    """
    server = _postgres("postgres")
    with _at(folder) as place:
        data, user = place / "data", _other_user()
        if user:
            _give(place, user)
        if not data.exists():
            _initialise(place, data, user)
        password = (place / _PASSWORD).read_text()
        port = free_port()
        settings = {"listen_addresses": "127.0.0.1", "port": str(port), "unix_socket_directories": "", **options}
        command = (server, "-D", str(data), *(f"--{name}={value}" for name, value in settings.items()))
        engine = Postgres(command, port, place, user, password=password)
        yield from _running(engine)


def _give(place: Path, user: str) -> None:
    """Give a folder to a user. Raises `RuntimeError` if that user can't reach it."""
    shutil.chown(place, user)
    if subprocess.run(("/usr/bin/test", "-x", str(place)), check=False, cwd="/", **_as(user)).returncode:  # noqa: S603 - ours
        raise RuntimeError(
            f"PostgreSQL doesn't run as root, and the user {user} can't reach {place}:"
            " name a folder that everyone can enter, such as one in /tmp"
        )


def _initialise(place: Path, data: Path, user: str | None) -> None:
    words = place / _PASSWORD
    words.touch(0o600)
    words.write_text(secrets.token_urlsafe(12))
    if user:
        shutil.chown(words, user)
    command = (_postgres("initdb"), "-D", str(data), "-U", _USER, "--auth=scram-sha-256", f"--pwfile={words}")
    more = ("--encoding=UTF8", "--no-locale", "--no-instructions", "--no-sync")
    subprocess.run(  # noqa: S603 - the command is ours
        (*command, *more), check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=place, **_as(user)
    )


@contextmanager
def nats(folder: Path | None = None, *, among: Collection[int] = (), at: int = 0) -> Iterator[Nats]:
    """Run a nats-server of our own while the block lasts. Raises `Missing`.

    With a port `at` it is part of a cluster; `among` are the cluster ports of the others.
    """
    server = program("nats-server", "nats-server")
    routes = ",".join(f"nats://127.0.0.1:{other}" for other in among)
    joined = ("--cluster_name", "lily", "--cluster", f"nats://127.0.0.1:{at}", "--routes", routes) if at else ()
    with _at(folder) as place:
        port = free_port()
        yield from _running(Nats((server, "--addr", "127.0.0.1", "--port", str(port), *joined), port, place))


def _running(engine: E) -> Iterator[E]:
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()


@contextmanager
def _at(folder: Path | None) -> Iterator[Path]:
    """Yield the folder, created if it is missing, or a temporary one."""
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="lilygames-") as scratch:
            yield Path(scratch)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder


def _other_user() -> str | None:
    """Return a user to run PostgreSQL as, if we are root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((user for user in ("postgres", "nobody") if user in known), None)


def _as(user: str | None) -> Mapping[str, Any]:
    """Return the arguments that start a process as another user; empty for ours."""
    if user is None:
        return {}
    entry = pwd.getpwnam(user)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": ()}
