"""State that the server has sent to the client: your name, people, rooms, and the legal input."""

from __future__ import annotations

import itertools
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from lilygames import bymail
from lilygames.commands import complete
from lilygames.text import clean

MOST = 2000
"""Maximum names of one kind."""

TABLES = 64
"""Maximum tables whose moves are kept."""

_RETURN = re.compile(r"\(?[Ii]f your line drops, come back with: (\S+) ([\w-]+)\)?$")
_TOKEN = re.compile(r"[\w-]{1,500}", re.ASCII)
_ROWS = 3
"""Maximum rows over which a narrow screen may break that sentence."""


class Known:
    """Everything the client remembers from the server; other messages are ignored."""

    def __init__(self) -> None:
        self.name = ""
        self.guest = False
        self.word = ""
        """The guest's return word."""
        self.token = ""
        """The token that resumes the session without a password."""
        self.seen: dict[int, int] = {}
        """The last log entry of each table, by table number."""
        self.told_of: dict[int, int] = {}
        """The last log entry of each table that was told in words."""
        self.over = False
        """Whether the server has said goodbye."""
        self._moves_at: dict[str, Sequence[str]] = {}
        self._commands: Sequence[str] = ()
        self._people: Sequence[str] = ()
        self._rooms: Sequence[str] = ()
        self._last = deque[str](maxlen=_ROWS)

    def told(self, package: str, value: Any) -> None:
        """Handle a GMCP message; ignore one that doesn't match the schema."""
        match package, value:
            case "Char.Name", {"name": str(name), "guest": bool(guest)}:
                if name != self.name:
                    self.word = self.token = ""
                self.name, self.guest = name, guest
            case "Lily.Resume", {"token": str(token)} if _TOKEN.fullmatch(token):
                self.token = token
            case "Core.Goodbye", _:
                self.over = True
            case _:
                self._told_of_the_place(package, value)

    def _told_of_the_place(self, package: str, value: Any) -> None:
        match package, value:
            case "Lily.Table", {"number": int(number), "seq": int(seq)}:
                told = value.get("told")
                self.seen = _latest(self.seen, number, seq)
                self.told_of = _latest(self.told_of, number, told if isinstance(told, int) else seq)
            case "Lily.Moves", {"table": str(table), "moves": list(moves)}:
                self._moves_at.pop(table, None)
                if moves and len(self._moves_at) < TABLES:
                    self._moves_at[table] = _words(moves)
            case "Lily.Commands", list(commands):
                self._commands = _words(commands)
            case "Comm.Channel.Players", list(players):
                self._people = _names(players)
            case "Comm.Channel.List", list(rooms):
                self._rooms = _names(rooms)

    def read(self, row: str) -> None:
        """Read a guest's return word from a row. Other people's text never starts a row."""
        self._last.append(row)
        for first in range(len(self._last)):
            begin, *more = [*self._last][first:]
            found = _RETURN.match(" ".join([begin, *map(str.strip, more)]))
            if found and found[1] == self.name:
                self.word = found[2]

    def came_back_by(self, word: str) -> None:
        """Remember the return word that a guest has just used, because it may be needed again."""
        self.word = word

    def lines(self, text: str) -> list[str]:
        """Return the lines that complete `text`: moves, then commands or names, without duplicates."""
        if bymail.is_move(text):
            return []
        mark, line = (text[:1], text[1:]) if text[:1] in ("/", ".") else ("", text)
        moves = complete(line, self._moves)
        head, space, word = line.rpartition(" ")
        if space:
            others = [] if moves or not word else [f"{head} {name}" for name in complete(word, self._names)]
        elif mark:
            others = complete(line, sorted({*self._commands, *(move.partition(" ")[0] for move in self._moves)}))
        else:
            others = complete(line, [f"{name};" for name in self._names]) if line else []
        return [mark + one for one in dict.fromkeys((*moves, *others))]

    @property
    def _moves(self) -> list[str]:
        return [*itertools.chain.from_iterable(self._moves_at.values())]

    @property
    def _names(self) -> list[str]:
        return sorted({*self._people, *self._rooms} - {self.name}, key=str.casefold)


def _latest(entries: dict[int, int], number: int, seq: int) -> dict[int, int]:
    """Return the entries of some tables with one more, which is the last; the oldest are dropped."""
    others = [item for item in entries.items() if item[0] != number]
    return dict([*others[1 - TABLES :], (number, seq)])


def _words(words: list[Any]) -> list[str]:
    return [clean(word) for word in words[:MOST] if isinstance(word, str)]


def _names(things: list[Any]) -> list[str]:
    def names() -> Iterator[Any]:
        for thing in things:
            yield thing.get("name") if isinstance(thing, dict) else None

    return _words([*names()])


class Return:
    """The lines that log in again on reconnect. Each is sent once; the person answers everything else."""

    def __init__(self, known: Known) -> None:
        self._known = known
        seen = " ".join(f"{number}:{seq}" for number, seq in known.told_of.items())
        resume = [f"resume {known.token} {seen}".strip()] if known.token else []
        name = [f"{known.name} {known.word}".strip()] if known.name else []
        guest = [""] if known.guest else []
        self._answers = {"login:": [*resume, *name], "press Enter to play as a guest:": guest}

    def answer(self, question: str) -> str | None:
        """Return the answer to a prompt; None if the person has to answer."""
        for ending, answers in self._answers.items():
            if answers and question.rstrip().endswith(ending):
                return answers.pop(0)
        return None
