"""People and the discussions they are in; what a room hears, and the one task in which a room's work is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol, TypeVar

import attrs
import structlog

from lilygames.chat import notifications
from lilygames.chat.audience import Audience, Gather, Members
from lilygames.chat.choices import Choices
from lilygames.chat.events import ChatEvent, Kind, clock, named
from lilygames.chat.names import fold
from lilygames.chat.profile import Profile
from lilygames.chat.terminal import Terminal
from lilygames.commands import Command
from lilygames.errors import UserError
from lilygames.text import WIDTH, Line, Packet, Voice

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


Tell = Callable[[ChatEvent, Iterable["Person"]], None]
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

    def retitle(self, title: str) -> None:
        """Have another title."""
        self.title = title

    def govern(self, charter: Charter) -> None:
        """Be somebody's, and let people do here, as another charter says."""
        self.charter = charter

    def permit(self, name: str) -> None:
        """Let somebody join here, even if it is private."""
        self.govern(attrs.evolve(self.charter, permitted=self.charter.permitted | {fold(name)}))

    def watch(self, person: Person) -> None:
        """Let somebody hear the game here from now on."""
        self.not_watching.discard(fold(person.name))

    def stop_watching(self, names: Iterable[str]) -> None:
        """Let members of these folded names hear the game here no more, until they come to watch or sit down."""
        self.not_watching |= self.people.keys() & names

    def show(self, *lines: Line, but: Person | None = None) -> None:
        """Show lines of the game here to everybody who watches it, as each wishes to hear of games."""
        for person in self.watching:
            if person is not but:
                person.overhear(self, *lines)

    def show_near(self, *lines: Line) -> None:
        """Show the same lines to all here whom this node serves, for the others are shown them by their own."""
        for person in self.watching:
            if person.local:
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


class Focus:
    """Which table somebody's numbers are meant for, if several wait for them.

    The focus is the question whose numbers are on the screen. It stays with the table they typed at last until that
    question is answered, or until they say /next or /at. While it is open, a question of another table arrives without
    numbers. When it is answered, the question that has waited longest is printed again and has the focus, or else the
    next one to arrive. A slow table never takes the focus back by itself while they play a live game.
    """

    def __init__(self, person: Person) -> None:
        self._person = person
        self._bot: Bot | None = None
        self._question = 0
        self.numbers: frozenset[int] = frozenset()
        """The numbers that the question has on the screen."""
        self._choices: Choices | None = None
        """The menu that is on the screen instead, whose numbers the next line may be."""

    def table(self) -> Bot | None:
        """Return the table whose question has the numbers; None if that question isn't open any more."""
        bot = self._bot
        asked = bot.question(self._person) if bot else None
        return bot if asked and asked.seq == self._question else None

    def waiting(self) -> Sequence[Bot]:
        """Return the tables that wait for them, live ones before slow ones, then the one that has waited longest."""
        asked = [
            (question.slow, question.at, place, bot)
            for place, bot in enumerate(self._person.seats)
            if (question := bot.question(self._person))
        ]
        return [bot for *_, bot in sorted(asked, key=lambda one: one[:3])]

    def tables(self) -> Sequence[Bot]:
        """Return the tables that a line may be meant for, likeliest first: the focus, that of the room, other seats."""
        first = [bot for bot in (self.table(), self._person.room.bot) if bot]
        return [*dict.fromkeys([*first, *self.waiting(), *self._person.seats])]

    def at_hand(self) -> Bot | None:
        """Return the table where they are: that of their room, else the only one they sit at."""
        if self._person.room.bot is not None:
            return self._person.room.bot
        return self._person.seats[0] if len(self._person.seats) == 1 else None

    def on_return(self) -> Bot | None:
        """Return the table at which they go on when they come back: one that waits, that of their room, or the last."""
        seats = self._person.seats
        here = [bot for bot in seats if bot is self._person.room.bot]
        return next(iter([*self.waiting(), *here, *reversed(seats)]), None)

    def show_question(self, bot: Bot) -> None:
        """Show a new question of a table: with its numbers, or only that it waits, if another has the focus."""
        if self.table() in (None, bot):
            self._person.asked(bot.room, *bot.turn(self._person))
        else:
            note = "your turn; type /next"
            self._person.asked(bot.room, Line(f"{bot.room.name}: {note}", "turn"))

    def move_to(self, bot: Bot, question: int, numbers: frozenset[int]) -> None:
        """Give the numbers to a question: the one that a table has asked since that entry of its log."""
        self._bot, self._question, self.numbers = bot, question, numbers
        self._choices = None

    def offer(self, lines: Iterable[str]) -> None:
        """Let the next line be a number, which stands for one of these lines; any other line ends that."""
        self._choices = Choices(tuple(lines))

    @property
    def offers_choices(self) -> bool:
        """Whether the next line may be the number of a menu."""
        return self._choices is not None

    def picked(self, text: str) -> str:
        """Return the line that a typed number picks from the menu on the screen; any other line ends the menu.

        Raises `UserError` for a number that the menu does not have.
        """
        choices, digits = self._choices, text.strip()
        picked = choices.line(int(digits[:9])) if choices and digits.isascii() and digits.isdigit() else text
        self._choices = None
        return picked

    def add_numbers(self, numbers: Iterable[int]) -> None:
        """Count further numbers as answers: they have been shown, too."""
        self.numbers |= {*numbers}

    def typed_at(self, bot: Bot) -> None:
        """Take the focus from any other table, since they type at this one; no number counts until it asks."""
        if self._bot is not bot:
            self.move_to(bot, 0, frozenset())  # no log has an entry 0

    def answered(self) -> None:
        """Give the focus to the question that has waited longest, now that one is answered or gone."""
        if self.table():
            return
        live = any(bot.live for bot in self._person.seats)
        following = next((bot for bot in self.waiting() if bot.live or not live), None)
        if following:
            with suppress(UserError):  # a bug of its game stops that table, not the one that was answered
                self._person.asked(following.room, *following.turn(self._person))

    def clear(self) -> None:
        """Take the focus from whichever table has it."""
        self._bot, self._question, self.numbers, self._choices = None, 0, frozenset(), None


class Activity:
    """Since when somebody is here, when they typed last, and whether they are away."""

    def __init__(self, since: float) -> None:
        self.since = since
        """Since when they are here, in seconds since 1970."""
        self.last = time.monotonic()
        """When they typed last, by the monotonic clock."""
        self.away = False
        """Whether they have said that they are away, or are idle."""
        self.idle = False
        """Whether they are away because they have typed nothing for long."""
        self.missed_since = 0.0
        """Since when they have missed what was said, in seconds since 1970; 0 if they have missed nothing."""

    def typed(self) -> None:
        """Take note that they have just typed something."""
        self.last = time.monotonic()

    def come(self, missed_since: float) -> None:
        """Let them be here again, having missed what was said since a time."""
        self.missed_since = missed_since
        self.back()

    def back(self) -> None:
        """Let them be away no more."""
        self.away = self.idle = False

    def leave(self, now: float) -> None:
        """Let them be away, as they have said."""
        self.away = True
        self.missed_since = now

    def go_idle(self, now: float) -> None:
        """Let them count as away, since they typed last."""
        self.away = self.idle = True
        self.missed_since = now - self.idle_seconds

    @property
    def idle_seconds(self) -> float:
        """For how many seconds they have typed nothing."""
        return time.monotonic() - self.last

    def restore(self, *, since: float, idle_seconds: float, away: bool, idle: bool, missed_since: float = 0.0) -> None:
        """Go on from what another process or node has known of them."""
        self.since, self.last = since, time.monotonic() - idle_seconds
        self.away, self.idle, self.missed_since = away, idle, missed_since


class Recipients:
    """Whom somebody's short forms of a send reach again."""

    def __init__(self) -> None:
        self.last_to: tuple[str, ...] = ()
        """Whom they last sent to: what `;text` reaches."""
        self.last_from = ""
        """Who last sent to them alone: whom `:text` answers."""
        self.last_group: tuple[str, ...] = ()
        """Everybody of the last private send that reached several: what `=text` reaches."""
        self.last_said: ChatEvent | None = None
        """The last thing they said: what `/also` and `/oops` are about."""

    def sent_to(self, marks: tuple[str, ...]) -> None:
        """Remember whom they have sent to."""
        self.last_to = marks

    def heard_from(self, sender: str, group: tuple[str, ...] = ()) -> None:
        """Remember who has sent to them, and the group if it went to several."""
        self.last_from = sender
        self.last_group = group or self.last_group

    def has_said(self, said: ChatEvent) -> None:
        """Remember the last thing they said."""
        self.last_said = said

    def restore(self, last_to: tuple[str, ...], last_from: str, last_group: tuple[str, ...]) -> None:
        """Go on from what another process has known of them."""
        self.last_to, self.last_from, self.last_group = last_to, last_from, last_group


class Person:
    """Somebody who is here, or whose seat is kept. There is one of a name, whatever becomes of their line."""

    def __init__(
        self, name: str, *, guest: bool, room: Room, profile: Profile | None = None, since: float | None = None
    ) -> None:
        self._audiences: list[Audience[Person]] = []
        self.name = name
        self.guest = guest
        self.room = room
        """Where plain text goes."""
        self.terminal: Terminal | None = None
        """Where they sit, if they are here now."""
        self.home = ""
        """The node that serves them; empty where it is this one."""
        self.local = False
        """Whether they sit at a terminal of this node."""
        self.profile = profile or Profile()
        """What they own, as it is kept."""
        self.seats: list[Bot] = []
        """The tables at which they have a seat, even if a bot keeps it for them."""
        self.focus = Focus(self)
        self.activity = Activity(time.time() if since is None else since)
        self.recipients = Recipients()
        self.seen: Mapping[int, int] | None = None
        """Of a session that is taken up: the last entry that was seen of each table, by its number."""
        self.session = ""
        """The session that the program at their terminal resumes: an id, empty where it has none."""

    def connect(self, terminal: Terminal, node: str = "") -> Terminal | None:
        """Sit down at a terminal, which a node serves if it isn't this one; return the older terminal, if any."""
        older, self.terminal, self.home, self.local = self.terminal, terminal, node, not node
        self.changed()
        return older

    def disconnect(self, node: str | None = None) -> Terminal | None:
        """Get up from the terminal, and return it; the node that served it is kept unless another is given."""
        older, self.terminal, self.local = self.terminal, None, False
        self.home = self.home if node is None else node
        self.changed()
        return older

    def set_profile(self, profile: Profile) -> None:
        """Replace what they own."""
        self.profile = profile
        self.changed()

    def update_profile(self, **parts: Any) -> None:
        """Replace parts of what they own, by their names in `Profile`."""
        self.set_profile(attrs.evolve(self.profile, **parts))

    def rename(self, name: str) -> None:
        """Take another name; who finds people by name has to learn it, too."""
        self.name = name

    def set_guest(self, *, guest: bool) -> None:
        """Be a guest from now on, or one no more."""
        self.guest = guest

    def sit_at(self, tables: Iterable[Bot]) -> None:
        """Have a seat at these tables, and no others."""
        self.seats = [*tables]

    def resume(self, session: str) -> None:
        """Have another session, or none (empty), that the program at the terminal resumes."""
        self.session = session

    def take_seen(self, seen: Mapping[int, int] | None = None) -> Mapping[int, int] | None:
        """Return what was seen of each table in a session that was taken up, once, and remember `seen` instead."""
        before, self.seen = self.seen, seen
        return before

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
        return bool(self.profile.noise or self.profile.ignored)

    @property
    def voice(self) -> Voice:
        """How they want things worded."""
        return self.terminal.voice if self.terminal else Voice()

    @property
    def width(self) -> int:
        """The columns of their screen."""
        return self.terminal.width if self.terminal else WIDTH

    @property
    def called(self) -> str:
        """Their name with the blurb."""
        return named(self.name, self.profile.blurb)

    @property
    def here(self) -> bool:
        """Whether they have a terminal now."""
        return self.terminal is not None

    def did(self, kind: Kind, **facts: Any) -> ChatEvent:
        """Return something that they do, in words of a `ChatEvent`."""
        return ChatEvent(kind, self.name, blurb=self.profile.blurb, **facts)

    def wants(self, chat_event: ChatEvent) -> Hears:
        """Return how they are to learn of it: whether, with what stamp, with a bell."""
        own = self.profile
        if not self.particular:
            return PLAINLY if chat_event.kind not in notifications.QUIET else UNHEARD
        if notifications.ignores(own, chat_event):
            return UNHEARD
        things = (fold(chat_event.by), *map(fold, chat_event.rooms))
        shown = chat_event.kind in notifications.ALWAYS or notifications.wished(own, "notify", chat_event.kind, things)
        stamp, bell = (notifications.wished(own, sense, chat_event.kind, things) for sense in ("timestamp", "signal"))
        return Hears(shown, stamp, bell and shown)

    def overhear(self, room: Room, *lines: Line) -> None:
        """Put lines of a room's game on their screen as they wish to hear of games: lily's event `game`."""
        if self.profile.noise:
            self._put("game", room, lines)
        elif self.terminal:
            self.terminal.show(*lines)

    def asked(self, room: Room, *lines: Line) -> None:
        """Put the line that asks them to move on their screen, which is never silenced: the event `turn`."""
        if self.profile.noise:
            self._put("turn", room, lines)
        elif self.terminal:
            self.terminal.show(*lines)

    def _put(self, event: str, room: Room, lines: Sequence[Line]) -> None:
        shown, stamp, bell = (
            notifications.wished(self.profile, sense, event, (fold(room.name),)) for sense in notifications.SENSES
        )
        if shown or event == "turn":
            when = clock(room.now()) if stamp else ""
            self.show(*(attrs.evolve(line, text=when + line.text) for line in lines))
            if lines and bell and self.terminal:
                self.terminal.ring()

    def show(self, *lines: Line) -> None:
        """Put lines on their screen, if they have one now."""
        if self.terminal:
            self.terminal.show(*lines)

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
        self.speak_in(room)

    def speak_in(self, room: Room) -> None:
        """Say plain text in a room from now on, which they have entered or may enter."""
        self.room = room
