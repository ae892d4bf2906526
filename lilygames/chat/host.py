"""The host: who and what is here, and what becomes of a line that somebody typed."""

from __future__ import annotations

import inspect
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import attrs
import structlog

from lilygames.chat import talk
from lilygames.chat.accounts import Accounts
from lilygames.chat.names import fold
from lilygames.chat.people import Person, Room
from lilygames.chat.sorry import NoSuch, Sorry
from lilygames.commands import Command, Misread, Several, Unknown, find
from lilygames.help import Pages
from lilygames.store import Unavailable
from lilygames.text import Line, listing

log = structlog.get_logger()
LOBBY = "lobby"
Named = TypeVar("Named", Person, Room)


@attrs.frozen
class Call:
    """A command on its way: who typed it, and the host it was typed to."""

    person: Person
    host: Host


class Host:
    """Everything that people share. One a process; the parts that know more (tables) hang themselves on it."""

    def __init__(self, accounts: Accounts, pages: Pages, *, name: str = "lilygames") -> None:
        self.name = name
        self.accounts = accounts
        self.pages = pages
        self.people: dict[str, Person] = {}
        self.newcomers: set[str] = set()
        """Folded names whose first password is just being kept."""
        self.rooms: dict[str, Room] = {}
        self.commands: list[Command] = []
        self.login_seconds = 60.0
        """How long somebody may take to give a name."""
        self.house_names: frozenset[str] = frozenset()
        """Folded names that belong to games and house players."""
        self.playing: Callable[[], int] = lambda: 0
        """How many tables are playing."""
        self.keeps_seat: Callable[[str], bool] = lambda _: False
        """Whether somebody of that name sits at a table that is not over."""
        self.on_arrival: list[Callable[[Person], object]] = []
        """Told of each person who has logged in or come back, after they are in their room."""
        self.on_departure: list[Callable[[Person], object]] = []
        """Told of each person whose line has dropped or who has hung up."""
        self.lobby = self.open_room(LOBBY, "where everybody begins")

    # who and what is here

    def open_room(self, name: str, title: str = "", *, lasting: bool = True) -> Room:
        """Return the room of that name, made if it is not there."""
        return self.rooms.setdefault(fold(name), Room(name, title, lasting=lasting))

    def announce(self, sentence: str, *, but: Person | None = None) -> None:
        """Tell everybody who is here, once."""
        line = Line(sentence, "notice")
        for person in self.people.values():
            if person is not but:
                person.show(line)

    def close_room(self, room: Room) -> None:
        """Let go of a passing room that has emptied."""
        if not (room.lasting or room.people or (room.bot and not room.bot.over)):
            self.rooms.pop(fold(room.name), None)

    def room(self, name: str) -> Room:
        """Return the room that a name or a unique beginning of one names; raises `Sorry`."""
        return self._named(name.removeprefix("-"), self.rooms, "discussion", "/rooms lists them")

    def person(self, name: str) -> Person:
        """Return the person that a name or a unique beginning of one names; raises `Sorry`."""
        here = {key: person for key, person in self.people.items() if person.here}
        return self._named(name.removeprefix("~"), here, "person", "/who lists who is here")

    def recipient(self, name: str) -> Person | Room:
        """Return whom a send to `name` reaches: a person, else a discussion (`-name` at once); raises `Sorry`."""
        if name.startswith("-"):
            return self.room(name)
        try:
            return self.person(name)
        except NoSuch:
            if name.startswith("~"):
                raise
        try:
            return self.room(name)
        except NoSuch:
            raise NoSuch(f"nobody and nothing here is called “{name[:20]}”; /who and /rooms list them.") from None

    @staticmethod
    def _named(name: str, things: Mapping[str, Named], kind: str, advice: str) -> Named:
        folded = fold(name)
        if folded in things:
            return things[folded]
        matches = [thing for key, thing in things.items() if folded and key.startswith(folded)]
        if len(matches) > 1:
            raise Sorry(f"“{name}” could be {listing([match.name for match in matches[:8]], 'or')}; type more of it.")
        if not matches:
            raise NoSuch(f"there is no {kind} “{name[:20]}”; {advice}.")
        return matches[0]

    # a line that somebody typed

    async def hear(self, person: Person, text: str) -> None:
        """Do what a typed line asks, and show the person the outcome; whatever goes wrong is one sentence."""
        person.last = time.monotonic()
        try:
            await self._hear(person, text)
        except (Sorry, Misread, Several, Unknown) as problem:
            person.show(Line(self.sentence(problem)))
        except Unavailable as problem:
            log.warning("a line could not be done", why=str(problem))
            sorry = "nothing can be kept just now, so nothing was done; try again in a moment."
            person.show(Line(f"Refused: {sorry}"))
        except Exception:
            case = secrets.token_hex(3)
            log.exception("a line could not be done", case=case, name=person.name)
            person.show(Line(f"(something broke here; nothing else did. The sysop knows it as case {case})"))

    async def _hear(self, person: Person, text: str) -> None:
        match text[:1], text[1:]:
            case "", _:
                self._enter_alone(person)
            case "'", said:
                talk.say(person, said)
            case "/", line:
                await self.command(person, line)
            case (("." | " " | "\\"), line) if self._is_command(person, text[0], line):
                await self.command(person, line.lstrip(" /"))
            case _:
                await self._bare(person, text.strip())

    def _enter_alone(self, person: Person) -> None:
        bot = person.bot
        reminder = bot.remind(person) if bot else ()
        person.show(*(reminder or [Line(f"(you are in {person.room.name}; /help says what can be typed)")]))

    def _is_command(self, person: Person, lead: str, line: str) -> bool:
        """Some clients keep `/` for themselves: a dot may lead any beginning of a command, a space a whole one."""
        word = line.lstrip("/").partition(" ")[0]
        try:
            found = find(word, *self.floors(person))
        except Several:
            return lead != " "
        except Unknown:
            return lead == "\\"
        return lead != " " or fold(word) in found.names

    async def _bare(self, person: Person, text: str) -> None:
        bot = person.bot
        if bot and await bot.hear(person, text):
            return
        to, mark, said = text.partition(";")
        if mark and to and " " not in to:
            talk.send(person, [self.recipient(name) for name in to.split(",") if name], said)
        else:
            talk.say(person, text)

    def floors(self, person: Person) -> tuple[Sequence[Command], ...]:
        """Return the commands in the order in which a beginning is looked up: legal moves, the game's, the host's."""
        bot = person.bot
        return (*(bot.floors(person) if bot else ()), self.commands)

    async def command(self, person: Person, line: str) -> None:
        """Do the command that `line`, without its slash, begins with; raises what `find` and `Command.read` raise."""
        word, _, rest = line.strip().partition(" ")
        found = find(word, *self.floors(person))
        bot = person.bot
        if bot and found in bot.floors(person)[1]:
            await bot.move(person, found, rest)
            return
        answer = found.run(Call(person, self), *found.read(rest))
        answer = await answer if inspect.isawaitable(answer) else answer
        person.show(*(row if isinstance(row, Line) else Line(row) for row in _rows(answer)))

    def sentence(self, problem: Exception) -> str:
        """Return the one sentence that a person reads about what they typed."""
        match problem:
            case Misread():
                return f"Usage: {problem}"
            case Several():
                names = [f"/{name}" for name in problem.names[:8]]
                return f"Refused: “{problem.word}” could be {listing(names, 'or')}; type more of it."
            case Unknown(near=()):
                return f"Refused: there is no command /{problem.word[:20]}; /help lists them all."
            case Unknown():
                names = [f"/{name}" for name in problem.near]
                return f"Refused: there is no command /{problem.word[:20]}. Did you mean {listing(names, 'or')}?"
            case _:
                return f"Refused: {problem}"


def _rows(answer: str | Line | Iterable[str | Line] | None) -> Iterable[str | Line]:
    if answer is None:
        return ()
    return (answer,) if isinstance(answer, str | Line) else answer
