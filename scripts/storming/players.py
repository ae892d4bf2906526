"""Scripted people who play through failures, and the comparison of what they saw with the logs."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

import attrs

from lilygames import codec
from lilygames.game import Reader
from lilygames.games import games
from lilygames.store import Entry, Store
from lilygames.tables.archive.archive import Archive
from lilygames.tables.log.acts import Body, Moved
from lilygames.tables.state.table import Diverged, Table
from lilygames.text import Voice, listing

_TELNET = re.compile(rb"\xff(?:[\xfb-\xfe].|\xfa.*?\xff\xf0|[\xf0-\xf9\xef])", re.DOTALL)
_ROW = re.compile(r"^\s*(\d+)\. (.*\S)")
_GAME_LINE = re.compile(r"\[[a-z]+(?:-\d+)?\] ")
_WHOSE_TURN = re.compile(r"\] (Your turn: |It is |The game |Waiting )")
_NUMBER = re.compile(r"Table #(\d+), ")
PASSWORD = "correct horse"  # noqa: S105 - of people who live for a minute
TOGETHER = 0.4
"""Share of games that are started with a partner."""


class Somewhere(Protocol):
    """The address that people connect to."""

    port: int


@attrs.frozen
class Made:
    """A move at a table, as it is typed."""

    table: int
    words: str


class Client:
    """Someone who plays by numbers, reconnects whenever the connection drops, and keeps a journal."""

    def __init__(self, name: str, partner: str, server: Somewhere, luck: random.Random, titles: list[str]) -> None:
        self.name, self.partner, self.server, self.luck, self.titles = name, partner, server, luck, titles
        self.acknowledged: Counter[Made] = Counter()
        """Acknowledged moves."""
        self.began: Counter[Made] = Counter()
        """The same when this journal was started."""
        self.told: set[str] = set()
        self.known = False
        self.connected = False
        self.visits = 0
        self._standing = False
        """Whether the next rows show a table, not new events."""

    async def live(self) -> None:
        """Play until cancelled."""
        while True:
            try:
                await self._visit()
            except (OSError, EOFError, TimeoutError):
                await asyncio.sleep(0.05)

    async def _visit(self) -> None:
        reader, self._writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        self._reader, self._rest, self._standing, self.connected = reader, b"", False, True
        try:
            async with asyncio.timeout(60):
                await self._log_in()
            self.visits += 1
            while True:
                async with asyncio.timeout(20):
                    await self._turn()
        finally:
            self.connected = False
            self._writer.close()

    async def _log_in(self) -> None:
        if self.known:
            self._type(f"{self.name} {PASSWORD}")
        else:
            self._type(self.name)
            self._type(PASSWORD)
            self._type(PASSWORD)
        rows = await self._until_marked(noting=False)  # the view of a table isn't in its log
        if any("wrong password" in row for row in rows) or not any("You're in " in row for row in rows):
            self.known = not self.known  # the account was saved before the answer came, or not
            raise EOFError
        self.known = True
        self._type("/set machine on")  # a program reads each move in a row of its own

    async def _turn(self) -> None:
        """Do one thing: answer an invitation, make a move, or start a game."""
        self._type("/moves")
        rows = await self._until_marked()
        invited = next((row.rpartition("/sit ")[2].split()[0] for row in rows if "invites you to" in row), "")
        choices = [(match[1], match[2]) for row in rows if (match := _ROW.match(row))]
        number = next((int(match[1]) for row in reversed(rows) if (match := _NUMBER.search(row))), 0)
        if invited:
            self._type(f"/sit {invited}")
        elif choices and number:
            choice, words = self.luck.choice(choices)
            await self._move(Made(number, words), choice)
            return
        elif any("there is no table here" in row or "the game is over" in row for row in rows):
            await asyncio.sleep(self.luck.random() * 0.2)
            self._begin()
        else:
            await asyncio.sleep(0.05)
        await self._until_marked()

    def _begin(self) -> None:
        title = self.luck.choice(self.titles)
        self._type("/join lobby")
        if self.luck.random() < TOGETHER:
            self._type(f"/new {title} {self.partner}")
        else:
            self._type(f"/quick {title}")

    async def _move(self, made: Made, choice: str) -> None:
        self._type(f"/pick {choice}")
        rows = await self._until_marked()
        if not any("Refused:" in row or "Usage:" in row or "nothing was done" in row for row in rows):
            self.acknowledged[made] += 1

    def _type(self, line: str) -> None:
        self._writer.write(line.encode() + b"\r\n")

    async def _until_marked(self, *, noting: bool = True) -> list[str]:
        """Type a line with an unmistakable answer, and return all rows before that."""
        mark = f"mark{self.luck.randrange(10**9)}"
        self._type("/status")
        self._type(f"/help {mark}")
        while True:
            text = _joined(_TELNET.sub(b"", self._rest).decode("utf-8", "replace"))
            if mark in text:
                head, _, tail = text.partition(mark)
                self._rest = tail.partition("\n")[2].encode()
                break
            chunk = await self._reader.read(65536)
            if not chunk:
                self._note(_worded(text) if noting else "")
                raise EOFError
            self._rest += chunk
        head = _worded(head.rpartition("\n")[0] + "\n")
        self._note(head if noting else "")
        return head.splitlines()

    def _note(self, text: str) -> None:
        """Record the lines of games, except views of a table; the last one may be cut off."""
        for row in text.rpartition("\n")[0].splitlines():
            self._standing = (self._standing or "] You sit here with " in row) and not _WHOSE_TURN.search(row)
            if _GAME_LINE.match(row) and not self._standing:
                self.told.add(row)


def _worded(text: str) -> str:
    """Return rows of JSON as the lines that they hold. The position in a question has no room before it."""
    rows = []
    for row in text.split("\n"):
        try:
            told = json.loads(row) if row.startswith("{") else {"line": row}
        except ValueError:  # it was cut off
            told = {"line": ""}
        line = told.get("line", "")
        asks = told.get("kind") == "turn" and "] Your turn: " not in line
        rows.append(_joined(line.partition("] ")[2] if asks else line))
    return "\n".join(rows)


def _joined(text: str) -> str:
    """Return text with wrapped rows joined again."""
    plain = text.replace("\r", "").replace("“", '"').replace("”", '"')
    return plain.replace("\n  ", " ")


_NOT_EVENTS = re.compile(
    r"\] (Your turn: |your turn; |Refused: |Usage: |Game over: |The seal |You sit here |Table #|It is |Seal|Waiting|"
    r"The game |Your |You neither win nor lose |You are out of the game|You hold |You have no cards|Note |"
    r" +\d+ |  |Next: |Trick \d|Round \d+ of \d+: \d+ cards?, (?:no )?trump|\d+/\d+ |Hand: |"
    r".* would like to take over |"
    r".* sits? down|.* left the table|Everyone has answered|You are at|Clock|Still to answer|.* begins: |"
    r".* declined the invitation|Achievement: |The next \d+ hands have |Cards are unproven )"
)


@attrs.frozen
class Verdict:
    """The errors found in the logs, a line each, and the moves that each person made at each table."""

    broken: tuple[str, ...]
    made: Mapping[str, Counter[Made]]
    """By name."""
    tables: int

    def __str__(self) -> str:
        return f"{self.tables} tables, {sum(moves.total() for moves in self.made.values())} moves of people kept"


def appended_twice(entries: Sequence[Entry]) -> bool:
    """Whether an attempt is in a log twice. One attempt may append several acts, all at the same time."""
    times = {(entry.cmd, entry.at) for entry in entries}
    acts = {(entry.cmd, codec.to_text(codec.from_text(entry.body, Body).act)) for entry in entries}
    return len(times) > len({entry.cmd for entry in entries}) or len(acts) < len(entries)


async def judged(store: Store, clients: Sequence[Client]) -> Verdict:
    """Compare the logs with what these people were told. The store is closed."""
    known, broken = games(), list[str]()
    made: dict[str, Counter[Made]] = {client.name: Counter() for client in clients}
    could_be_told: dict[str, set[str]] = {client.name: set() for client in clients}
    tables = (await store.read("tables", 0, 100_000)).entries
    for opened in tables:
        header, entries = await Archive(store).read(opened.seq)
        table = Table(header, known[header.game], bytes.fromhex(await store.find("secret", str(opened.seq)) or ""))
        if appended_twice(entries):
            broken.append(f"table {opened.seq}: an attempt is in the log twice")
        for entry in entries:
            try:
                table, events = table.read(entry)
            except Diverged as problem:
                broken.append(f"table {opened.seq}: {problem}")
                break
            if entry.by in made and (words := _words(table, entry)):
                made[entry.by][Made(opened.seq, words)] += 1
            for client in clients:
                could_be_told[client.name] |= _lines(table, events, client.name)
    await store.close()
    for client in clients:
        broken += lost(client.name, client.acknowledged, made[client.name])
        broken += _unfounded(client, could_be_told[client.name])
    return Verdict(tuple(broken), made, len(tables))


def _words(table: Table, entry: Entry) -> str:
    """Return the move in an entry as it is typed; empty if there is none."""
    act = codec.from_text(entry.body, Body).act
    if not isinstance(act, Moved):
        return ""
    return _joined(table.game.spell(codec.load(act.move, table.game.rules.Move)))


def lost(name: str, acknowledged: Counter[Made], saved: Counter[Made]) -> list[str]:
    """Return a sentence about each move that was acknowledged to someone more often than it is saved."""
    return [
        f"{name} at {one.table}: {acknowledged[one]} acknowledged, {saved[one]} saved: {one.words}"
        for one in acknowledged - saved
    ]


def _unfounded(client: Client, could_be_told: set[str]) -> list[str]:
    """Return a sentence about each line that someone was told although it doesn't follow from its room's logs."""
    told = {_joined(row) for row in client.told if not _NOT_EVENTS.search(row)} - could_be_told
    return [f"{client.name} was told something that is {missing(row, could_be_told)}: {row}" for row in sorted(told)]


def missing(row: str, could_be_told: set[str]) -> str:
    """Say where a line is missing: in all logs, or only in those of its room."""
    text = row.partition("] ")[2]
    rooms = sorted(room[1:] for room, _, words in (other.partition("] ") for other in could_be_told) if words == text)
    return f"only in the log of {listing(rooms, 'or')}" if rooms else "in no log"


def _lines(table: Table, events: tuple[object, ...], name: str) -> set[str]:
    """Return every line that someone may have been told about these events, from their seat or as a spectator."""
    names = tuple(map(str, table.seats))
    seats = [seat for seat, who in enumerate(table.seats) if who.name == name]
    lines = set()
    for seat in [*seats, None]:
        reader = Reader(seat, names, Voice())
        seen = [event.seen_by(seat) for event in events]
        told = (table.game.tell(event, reader) for event in seen if event is not None)
        lines |= {_joined(f"[{table.header.room}] {row}") for text in told for row in text.split("\n")}
    return lines
