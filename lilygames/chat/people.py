"""People and the discussions they are in; what a room hears, and the one task in which a room's work is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import attrs
import structlog

from lilygames.chat import notifications
from lilygames.chat.audience import Audience, Gather, Members
from lilygames.chat.events import Happening, Kind, clock, named
from lilygames.chat.names import fold
from lilygames.chat.profile import Belongings
from lilygames.chat.terminal import Terminal
from lilygames.commands import Command
from lilygames.text import Line, Packet, Voice

T = TypeVar("T")
log = structlog.get_logger()


@attrs.frozen
class Charter:
    """Whose a discussion is, and who may do what there; names are folded. Without an owner it is the house's."""

    owner: str = ""
    moderators: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    permitted: frozenset[str] = frozenset()
    barred: frozenset[str] = frozenset()
    floor: str = ""
    """Who has asked to speak where it is moderated, and may."""
    cleared: float = 0.0
    """What was said before is reviewed no more: seconds since 1970."""
    private: bool = False
    moderated: bool = False
    emote: bool = False

    @property
    def admitted(self) -> frozenset[str]:
        """Who may join where it is private."""
        return self.permitted | self.moderators | self.speakers | {self.owner}

    @property
    def voices(self) -> frozenset[str]:
        """Who may speak where it is moderated, and give the floor to others."""
        return self.speakers | self.moderators | {self.owner}

    @property
    def keepers(self) -> frozenset[str]:
        """Who may permit and appoint."""
        return self.moderators | {self.owner}


OPEN = Charter()
"""That of a discussion of the house, where everybody may speak."""


@attrs.frozen
class Hears:
    """Whether somebody is shown what happens, with the time before it, and with a bell."""

    shown: bool = True
    stamp: bool = False
    bell: bool = False


PLAINLY = Hears()
UNHEARD = Hears(shown=False)


@attrs.frozen
class Question:
    """What a table asks somebody: at which entry of its log it began to, when, and whether it has days to wait."""

    seq: int
    at: float
    slow: bool = False


class Bot(Protocol):
    """What sits in a room and understands more than talk: a game's table."""

    room: Room

    @property
    def over(self) -> bool:
        """Whether it has nothing more to do than to be looked at."""

    @property
    def live(self) -> bool:
        """Whether it is being played at one sitting, now."""

    def keeps_seat(self, name: str) -> bool:
        """Whether a seat here is somebody's of that name, even if a bot keeps it for them."""

    def question(self, person: Person) -> Question | None:
        """Return the question that waits for the person here, if there is one."""

    def turn(self, person: Person) -> Sequence[Line]:
        """Return the line that asks the person to move, and give its numbers the focus; none out of turn."""

    def commands(self, person: Person) -> Sequence[Command]:
        """Return the commands of all moves of the game; without a seat there are none."""

    def legal(self, person: Person) -> Sequence[Command]:
        """Return the commands of the moves that are legal for the person now; spelling all of them takes long."""

    def words(self, person: Person) -> Sequence[str]:
        """Return the moves that are legal for the person now, as they are typed."""

    async def move(self, person: Person, command: Command, text: str) -> None:
        """Make the move that a command of the game and its arguments name."""

    async def hear(self, person: Person, text: str) -> bool:
        """Take a bare line as a move if it reads as one; return False where it is talk."""

    def remind(self, person: Person) -> Sequence[Line]:
        """Return what the person needs to go on: the hand and whose turn it is."""


@attrs.frozen
class Focus:
    """The question whose numbers are on somebody's screen: of which table, from which entry on, and which numbers."""

    bot: Bot
    question: int
    numbers: frozenset[int]


Tell = Callable[[Happening, Iterable["Person"]], None]
"""Lets people learn what happens."""


class Room:
    """A discussion. All that changes its table runs in its one task, in the order asked."""

    def __init__(
        self, name: str, title: str, tell: Tell, now: Callable[[], float], gather: Gather, *, lasting: bool = True
    ) -> None:
        self.name = name
        self.title = title
        self.lasting = lasting
        self.charter = OPEN
        """Whose it is, and who may do what here."""
        self.bot: Bot | None = None
        self.people: Members[Person] = Members(gather)
        self.not_watching: set[str] = set()
        """Folded names of members who don't hear the game here: they finished or left it and haven't come to watch."""
        self.asking: dict[str, None] = {}
        """Who waits for the floor, by folded name, in the order of asking."""
        self.now = now
        """What time it is, in seconds since 1970."""
        self._tell = tell
        self._jobs: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    @property
    def audience(self) -> Audience[Person]:
        """Those who hear what is said here."""
        return self.people.audience

    @property
    def watching(self) -> list[Person]:
        """Those who hear the game here: its players, and everybody who is here without having played it."""
        return [person for name, person in self.people.items() if name not in self.not_watching]

    def open_table(self, bot: Bot, charter: Charter) -> None:
        """Let a table be in this room, and say who may know of it."""
        self.bot = bot
        self.charter = charter

    def close_table(self) -> None:
        """Let there be no table in this room any more."""
        self.bot = None

    def permit(self, name: str) -> None:
        """Let somebody join here, even if it is private."""
        self.charter = attrs.evolve(self.charter, permitted=self.charter.permitted | {fold(name)})

    def watch(self, person: Person) -> None:
        """Let somebody hear the game here from now on."""
        self.not_watching.discard(fold(person.name))

    def stop_watching(self, names: Iterable[str]) -> None:
        """Let members of these folded names hear the game here no more, until they come to watch or sit down."""
        self.not_watching |= self.people.keys() & names

    def show(self, *lines: Line, but: Person | None = None) -> None:
        """Show lines of the game here to everybody who watches it, as each wishes to hear of games."""
        if self.not_watching:
            for person in self.watching:
                if person is not but:
                    person.overhear(self, *lines)
            return
        audience = self.audience
        audience.crowd.show(*lines, but=but.terminal if but else None)
        for person in (*audience.particular, *audience.far):
            if person is not but:
                person.overhear(self, *lines)

    def show_near(self, *lines: Line) -> None:
        """Show the same lines to all here whom this node serves, for the others are shown them by their own."""
        if self.not_watching:
            for person in self.watching:
                if person.near:
                    person.overhear(self, *lines)
            return
        audience = self.audience
        audience.crowd.show(*lines)
        for person in [*audience.particular]:
            person.overhear(self, *lines)

    def enter(self, person: Person) -> None:
        """Let a person in, and tell those who are here."""
        if fold(person.name) not in self.people:
            self._tell(person.did("join", rooms=(self.name,)), [*self.people.values()])
            self.people[fold(person.name)] = person
            self.watch(person)

    def leave(self, person: Person) -> None:
        """Let a person out, and tell those who stay."""
        self.watch(person)
        if self.people.pop(fold(person.name), None):
            self._tell(person.did("quit", rooms=(self.name,)), [*self.people.values()])

    def may_see(self, person: Person) -> bool:
        """Whether somebody may know that it is there: everybody, unless it is private."""
        name = fold(person.name)
        return not self.charter.private or name in self.people or name in self.charter.admitted

    def admits(self, person: Person) -> bool:
        """Whether somebody who is a member is let in again when they come."""
        return self.may_see(person) and fold(person.name) not in self.charter.barred

    def may_speak(self, person: Person) -> bool:
        """Whether somebody may speak here."""
        return not self.charter.moderated or fold(person.name) in self.charter.voices | {self.charter.floor}

    async def do(self, job: Callable[[], Awaitable[T]]) -> T:
        """Run `job` in the room's task, after all that was asked before, and return what it returns or raises."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        async def work() -> None:
            try:
                result = await job()
            except Exception as problem:  # noqa: BLE001 - it belongs to whoever asked, and the room goes on
                if not done.cancelled():
                    done.set_exception(problem)
            else:
                if not done.cancelled():
                    done.set_result(result)

        self.post(work)
        return await done

    def post(self, job: Callable[[], Awaitable[None]]) -> None:
        """Queue `job` for the room's task without waiting for it; it must not raise."""
        self._jobs.put_nowait(job)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work(), name=f"room {self.name}")

    async def _work(self) -> None:
        while not self._jobs.empty():
            try:
                await self._jobs.get_nowait()()
            except Exception:
                log.exception("a room's job failed", room=self.name)

    @property
    def busy(self) -> bool:
        """Whether there is work to do."""
        return self._task is not None and not self._task.done()

    async def finish(self) -> None:
        """Return once everything asked of the room has been done."""
        while self._task and self.busy:
            await asyncio.wait({self._task})


class Person:
    """Somebody who is here, or whose seat is kept. There is one of a name, whatever becomes of their line."""

    def __init__(self, name: str, *, guest: bool, room: Room) -> None:
        self._audiences: list[Audience[Person]] = []
        self._terminal: Terminal | None = None
        self._home = ""
        self._belongings = Belongings()
        self.name = name
        self.guest = guest
        self.room = room
        """Where plain text goes."""
        self.seats: list[Bot] = []
        """The tables at which they have a seat, even if a bot keeps it for them."""
        self.focus: Focus | None = None
        """The question that their numbers answer (`lilygames.chat.focus`)."""
        self.away = False
        """Whether they have said that they are away, or have typed nothing for so long that they count as away."""
        self.idled = False
        """Whether they are away because they have typed nothing."""
        self.missed_since = 0.0
        """Since when they have missed what was said; 0 where they have missed nothing."""
        self.last_to: tuple[str, ...] = ()
        """Whom they last sent to: what `;text` reaches again."""
        self.last_from = ""
        """Who last sent to them alone: whom `:text` answers."""
        self.last_group: tuple[str, ...] = ()
        """Everybody of the last private send that reached several: what `=text` reaches."""
        self.seen: Mapping[int, int] | None = None
        """Of a session that is taken up: the last entry that was seen of each table, by its number."""
        self.session = ""
        """The session that the program at their terminal resumes: an id, empty where it has none."""
        self.last_said: Happening | None = None
        """The last thing they said: what `/also` and `/oops` are about."""
        self.since = time.time()
        self.last = time.monotonic()

    @property
    def terminal(self) -> Terminal | None:
        """Where they sit, if they are here now."""
        return self._terminal

    @terminal.setter
    def terminal(self, terminal: Terminal | None) -> None:
        self._terminal = terminal
        self.changed()

    @property
    def home(self) -> str:
        """The node that serves them; empty where it is this one."""
        return self._home

    @home.setter
    def home(self, node: str) -> None:
        self._home = node
        self.changed()

    @property
    def belongings(self) -> Belongings:
        """What they own; nothing of it is changed but by giving them another."""
        return self._belongings

    @belongings.setter
    def belongings(self, belongings: Belongings) -> None:
        self._belongings = belongings
        self.changed()

    def changed(self) -> None:
        """Take note that they may have to hear otherwise, or on another screen, what they hear with others."""
        for audience in self._audiences:
            audience.sort(self)

    def joins(self, audience: Audience[Person]) -> None:
        """Hear with others, until one quits."""
        self._audiences.append(audience)
        audience.add(self)

    def quits(self, audience: Audience[Person]) -> None:
        """Hear no more with these."""
        self._audiences.remove(audience)
        audience.drop(self)

    @property
    def origin(self) -> str:
        """Where they are, for turns at what costs much; empty where nobody knows."""
        return self.terminal.address if self.terminal else ""

    @property
    def particular(self) -> bool:
        """Whether they have said what they wish to hear: else they hear what everybody does."""
        return bool(self.belongings.noise or self.belongings.ignored)

    @property
    def voice(self) -> Voice:
        """How they want things worded."""
        return self.terminal.voice if self.terminal else Voice()

    @property
    def called(self) -> str:
        """Their name with the blurb."""
        return named(self.name, self.belongings.blurb)

    @property
    def here(self) -> bool:
        """Whether they have a terminal now."""
        return self.terminal is not None

    @property
    def near(self) -> bool:
        """Whether their terminal hangs on this node."""
        return self.terminal is not None and not self.home

    @property
    def bot(self) -> Bot | None:
        """The table that a move of theirs is meant for: that of their room, else the only one they sit at."""
        if self.room.bot is not None:
            return self.room.bot
        return self.seats[0] if len(self.seats) == 1 else None

    def did(self, kind: Kind, **facts: Any) -> Happening:
        """Return something that they do, in words of a `Happening`."""
        return Happening(kind, self.name, blurb=self.belongings.blurb, **facts)

    def wants(self, happening: Happening) -> Hears:
        """Return how they are to learn of it: whether, with what stamp, with a bell."""
        own = self.belongings
        if not self.particular:
            return PLAINLY if happening.kind not in notifications.QUIET else UNHEARD
        if notifications.ignores(own, happening):
            return UNHEARD
        things = (fold(happening.by), *map(fold, happening.rooms))
        shown = happening.kind in notifications.ALWAYS or notifications.wished(own, "notify", happening.kind, things)
        stamp, bell = (notifications.wished(own, sense, happening.kind, things) for sense in ("timestamp", "signal"))
        return Hears(shown, stamp, bell and shown)

    def overhear(self, room: Room, *lines: Line) -> None:
        """Put lines of a room's game on their screen as they wish to hear of games: lily's event `game`."""
        self._put("game", room, lines)

    def asked(self, room: Room, *lines: Line) -> None:
        """Put the line that asks them to move on their screen, which is never silenced: the event `turn`."""
        self._put("turn", room, lines)

    def _put(self, event: str, room: Room, lines: Sequence[Line]) -> None:
        if not self.belongings.noise:
            self.show(*lines)
            return
        shown, stamp, bell = (
            notifications.wished(self.belongings, sense, event, (fold(room.name),)) for sense in notifications.SENSES
        )
        if shown or event == "turn":
            when = clock(room.now()) if stamp else ""
            self.show(*(attrs.evolve(line, text=when + line.text) for line in lines))
            if lines and bell and self.terminal:
                self.terminal.ring()

    def show(self, *lines: Line) -> None:
        """Put lines on their screen, if they have one now."""
        if terminal := self._terminal:
            terminal.show(*lines)

    @property
    def wants_packets(self) -> bool:
        """Whether a program of theirs listens now."""
        return self.terminal is not None and self.terminal.wants_packets

    def packet(self, *packets: Packet) -> None:
        """Send packets to their terminal, if they have one now."""
        if self.terminal:
            self.terminal.packet(*packets)

    def go(self, room: Room) -> None:
        """Enter a room, and speak there from now on."""
        room.enter(self)
        self.room = room
