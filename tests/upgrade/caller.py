"""A server over a data folder and people who connect to it, through only the command line and a socket.

Nothing here imports the program, so the same code drives an old release and the current one. Callers use machine mode
(`/help machine`): they read packets of JSON and never depend on the wording of a sentence.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from tests.deadline import DEADLINE

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = "--house-pause-min 0 --house-pause-max 0 --hash-memory 8192 --hash-time 1 --lines-per-second 1000".split()
SETTINGS += "--bytes-per-second 1000000 --connects-per-minute 1000 --seat-minutes 1000".split()
_WITH_A_CLOCK = """
import runpy, time
right, ahead, broken_down = time.time, {ahead!r}, (time.gmtime, time.localtime)
time.time = lambda: right() + ahead
time.time_ns = lambda: int(time.time() * 1e9)
time.gmtime, time.localtime = (lambda at=None, of=of: of(time.time() if at is None else at) for of in broken_down)
runpy.run_module("lilygames", run_name="__main__", alter_sys=True)
"""


def lilygames(*arguments: object, tree: Path = ROOT, ahead: float = 0.0) -> tuple[list[str], dict[str, Any]]:
    """Return the command line and the process options that run lilygames from a source tree.

    Its clock is that many seconds ahead. The working folder is not a link to a tree, because a link may lead elsewhere
    later.
    """
    program = ["-c", _WITH_A_CLOCK.format(ahead=ahead)] if ahead else ["-m", "lilygames"]
    command = [sys.executable, *program, *map(str, arguments)]
    return command, {"cwd": "/", "env": os.environ | {"PYTHONPATH": f"{tree}:{tree}/rules"}}


def ran(*arguments: object, tree: Path = ROOT, ahead: float = 0.0) -> subprocess.CompletedProcess[str]:
    """Run one command to its end and return its output."""
    command, how = lilygames(*arguments, tree=tree, ahead=ahead)
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, **how)


@asynccontextmanager
async def served(data: Path, tree: Path = ROOT, *options: object, ahead: float = 0.0):
    """Run a server over a data folder, yield its process and port, and stop it cleanly."""
    command, how = lilygames("serve", "--port", 0, "--data", data, *SETTINGS, *options, tree=tree, ahead=ahead)
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, **how)
    try:
        listening = await asyncio.wait_for(process.stdout.readline(), DEADLINE)
        yield process, int(listening.decode().rsplit(":", 1)[1])
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), DEADLINE)
        except TimeoutError:
            process.kill()


class Caller:
    """A person connected in machine mode, with everything their program was told."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.name = ""
        self.tables: dict[str, dict[str, Any]] = {}
        """The last packet of each kind, by the room of its table."""
        self.lines: list[str] = []
        self.before = ""
        """Output before machine mode was on."""
        self.heard = 0
        """Rows received so far."""
        self.on_packet: Callable[[str, Any], None] = lambda _name, _value: None
        self._writer = writer
        self._marks = 0
        self._news = asyncio.Condition()
        self._ended = False
        self._task = asyncio.get_running_loop().create_task(self._read(reader))

    @classmethod
    async def enter(cls, port: int, *lines: str, address: str = "127.0.0.1") -> Caller:
        """Connect, type these lines at the login prompt, and wait until machine mode is on."""
        caller = cls(*await asyncio.open_connection("127.0.0.1", port, limit=2**22, local_addr=(address, 0)))
        for line in (*lines, "/set machine on"):
            caller.type(line)
        await caller.until(lambda: bool(caller.name))
        await caller.ask("")
        return caller

    def type(self, line: str) -> None:
        """Type a line."""
        self._writer.write(f"{line}\r\n".encode())

    async def ask(self, line: str) -> list[str]:
        """Type a line and return its answer; an unknown command marks the end."""
        self._marks += 1
        mark, first = f"mark{self._marks}", len(self.lines)
        self.type(line)
        self.type(f"/{mark}")
        await self.until(lambda: any(mark in said for said in self.lines[first:]))
        last = next(n for n, said in enumerate(self.lines[first:], first) if mark in said)
        return self.lines[first:last]

    async def until(self, wanted: Callable[[], bool]) -> None:
        """Wait until `wanted` returns true; raises `ConnectionError` if the connection ends first, or it never does."""
        try:
            async with asyncio.timeout(DEADLINE), self._news:
                await self._news.wait_for(lambda: wanted() or self._ended)
        except TimeoutError:
            pass
        if not wanted():
            ended = "was disconnected" if self._ended else "waited in vain"
            raise ConnectionError(f"{self.name or 'a caller'} {ended}:\n{self.before}\n{self.lines[-8:]}")

    def leave(self) -> None:
        """Disconnect."""
        self._task.cancel()
        self._writer.transport.abort()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        try:
            with suppress(ConnectionError):  # the server may have ended first
                while row := await reader.readline():
                    await self._heard(row)
        finally:
            self._ended = True
            async with self._news:
                self._news.notify_all()

    async def _heard(self, row: bytes) -> None:
        self.heard += 1
        start = row.find(b"{")
        try:
            said = json.loads(row[start:]) if start >= 0 else None
        except ValueError:
            said = None
        if not isinstance(said, dict):
            self.before += row.decode(errors="replace")
            return
        for name, value in said.items():
            self._take(name, value)
        async with self._news:
            self._news.notify_all()

    def _take(self, name: str, value: Any) -> None:
        match name:
            case "name":
                self.name = value["name"]
            case "line":
                self.lines.append(value)
            case "table":  # a free room belongs to its next table
                if number(self, value["table"]) != value["number"]:
                    self.tables[value["table"]] = {}
                self.tables[value["table"]]["table"] = value
            case "view" | "hand" | "moves":
                self.tables[value["table"]][name] = value
        self.on_packet(name, value)


class Player:
    """A caller who answers every turn with a random legal move, for a number of moves or without end."""

    def __init__(self, caller: Caller, seed: str) -> None:
        self.caller = caller
        self.left: dict[str, float] = {}
        """The number of moves still to make, by table."""
        self.prefers: Callable[[list[str]], list[str]] = lambda moves: moves
        self.stops: Callable[[Mapping[str, Any]], bool] = never
        """Whether to make no move any more, by what they see."""
        self.commits = self.reveals = False
        """Whether their client helps to seal decks, and whether it keeps its word."""
        self._nonces: dict[str, str] = {}
        self._luck = random.Random(f"{caller.name} {seed}")
        caller.on_packet = self._packet

    def play(self, table: str, moves: float = float("inf")) -> None:
        """Make this many moves at a table from now on, starting with the turn it may be already."""
        self.left[table] = self.left.get(table, 0) + moves
        self._answer(self.caller.tables.get(table, {}).get("moves", {}))

    def _packet(self, name: str, value: Any) -> None:
        match name:
            case "moves":
                self._answer(value)
            case "seal" if self.commits:
                nonce = self._nonces[value["T"]] = secrets.token_hex(32)
                self.caller.type(f"/at {value['number']} commit {_commitment(value, nonce)}")
            case "sealing" if self.reveals and value["T"] in self._nonces:
                self.caller.type(f"/at {value['number']} reveal {self._nonces[value['T']]}")

    def _answer(self, moves: Mapping[str, Any]) -> None:
        if moves.get("turn") and self.left.get(moves["table"], 0) > 0:
            if self.stops(self.caller.tables[moves["table"]]["view"]["view"]):
                return
            self.left[moves["table"]] -= 1
            move = self._luck.choice(self.prefers(moves["moves"]))
            self.caller.type(f"/at {moves['table']} {move}")


def never(_view: object) -> bool:
    """Return False: nothing that is seen is enough."""
    return False


def _commitment(asked: Mapping[str, Any], nonce: str) -> str:
    """Return the commitment that a `seal` packet asks for (`/help seal programs`)."""
    parts = ["lilygames/2/commit", asked["T"], asked["round"], asked["id"], nonce]
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()


def state(caller: Caller, table: str) -> str:
    """Return the state of a table by its last packet: waiting, playing, adjourned or over."""
    return str(caller.tables.get(table, {}).get("table", {}).get("state", ""))


def number(caller: Caller, table: str) -> int:
    """Return the number of the table in a room, or 0 if the caller knows of none."""
    return int(caller.tables.get(table, {}).get("table", {}).get("number", 0))


def told(value: Any) -> Iterator[str]:
    """Yield the contents of a view, whatever the names of its parts: each text, and each row of values as JSON."""
    match value:
        case dict():
            for name, part in value.items():
                if name not in ("is", "options"):
                    yield from told(part)
        case list():
            yield json.dumps(value)
            for part in value:
                yield from told(part)
        case str():
            yield value


def cards(rows: Iterable[str]) -> list[str]:
    """Return the cards that the rows of a hand name, sorted."""
    words = " ".join(map(plain, rows)).split()
    return sorted(word for word in words if re.fullmatch(r"(?:10|[2-9TJQKA])[SHDC]|[WJ]", word))


def plain(text: str) -> str:
    """Return a text with its suits as letters, and blanks for signs."""
    suits = dict(zip("♠♤♥♡♦♢♣♧", "SSHHDDCC", strict=True))
    return re.sub(r"[^\w]", " ", "".join(suits.get(sign, sign) for sign in text))


def compact(text: str) -> str:
    """Return a text without blanks and signs, so that spacing between cards and dice makes no difference."""
    return plain(text).replace(" ", "")


def numbers(rows: Iterable[str]) -> list[int]:
    """Return the whole numbers in some rows, in order and without their signs."""
    return [int(digits) for digits in re.findall(r"\d+", " ".join(rows))]
