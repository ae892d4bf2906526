"""People and rooms: who is where, which tables they play at, and which table their next line is for."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, TypeVarTuple
from weakref import ref

import attrs

from lilygames.chat.input.choices import Choices
from lilygames.chat.input.grammar import Expected
from lilygames.chat.input.paste import Paste
from lilygames.chat.names.names import fold
from lilygames.chat.people import notifications
from lilygames.chat.people.activity import Activity
from lilygames.chat.people.audience import Audience, Gather, Members
from lilygames.chat.people.charter import OPEN, Charter
from lilygames.chat.people.events import ChatEvent, Kind, clock, named
from lilygames.chat.people.hears import PLAINLY, UNHEARD, Hears
from lilygames.chat.people.profile import SLOW, Profile
from lilygames.chat.people.recipients import Recipients
from lilygames.chat.people.terminal import Terminal, Unfinished
from lilygames.chat.tasks.room_jobs import RoomJobs
from lilygames.commands import Command
from lilygames.errors import UserError
from lilygames.text import WIDTH, Line, Packet, Voice

T = TypeVar("T")
P = TypeVarTuple("P")


@attrs.frozen
class Question:
    """A table's question to a person: the log entry that asked it, the time, and the kind of table."""

    seq: int
    at: float
    slow: bool = False
    lesson: bool = False


class BotTalk(Protocol):
    """The talk of the bots at a table."""

    def answers(self, person: Person, text: str, *, acted: bool = False) -> bool:
        """Answer a person's talk in the room soon, or an emote if it is `acted`; return whether a bot will."""

    def has(self, name: str) -> bool:
        """Whether a bot of this name sits at the table."""

    @property
    def has_bots(self) -> bool:
        """Whether any bot sits at the table."""


class Bot(Protocol):
    """A game's table, as a room needs it."""

    room: Room

    @property
    def talk(self) -> BotTalk:
        """The talk of the bots at the table."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    def live(self) -> bool:
        """Whether a live (not slow) game is in progress."""

    def keeps_seat(self, name: str) -> bool:
        """Whether someone of this name has a seat, even if a bot is playing it."""

    @property
    def position(self) -> tuple[int, int]:
        """The table's number, and the last entry of its log."""

    def question(self, person: Person) -> Question | None:
        """Return the table's open question to the person, if any."""

    def turn(self, person: Person) -> Sequence[Line]:
        """Return the line that asks the person to move, and give the table the focus; empty if it's not their turn."""

    def commands(self, person: Person) -> Sequence[Command]:
        """Return the commands of all moves in the game; empty without a seat."""

    def legal(self, person: Person) -> Sequence[Command]:
        """Return the commands of the person's legal moves, without listing every spelling, which is slow."""

    def words(self, person: Person) -> Sequence[str]:
        """Return the person's legal moves as they are typed."""

    def begin_move(self, person: Person, command: Command, text: str, line: Unfinished) -> bool:
        """Begin the move given by a game command; return False if `move` has to make it or refuse it."""

    def begin_answer(self, person: Person, digits: str, line: Unfinished) -> bool:
        """Begin to answer the table's question with a number; return False if `answer` has to do it."""

    async def move(self, person: Person, command: Command, text: str) -> None:
        """Make the move given by a game command and its arguments."""

    async def answer(self, person: Person, digits: str) -> None:
        """Answer the table's question with a number."""

    def plays(self, person: Person) -> bool:
        """Whether the person has a seat and the game isn't over, so that their bare lines can be moves."""

    def expected(self, person: Person) -> Expected | None:
        """Return what the table expects the person to type; None if nothing that they type counts there."""

    def remind(self, person: Person) -> Sequence[Line]:
        """Return the reminder for a person who comes back: their hand and whose turn it is."""

    def room_changed(self) -> None:
        """Learn that who is in the room, or may see it, has changed."""


class RemoteTable(Protocol):
    """A table that only other nodes follow, as its room needs it."""

    def room_changed(self) -> None:
        """Learn that who is in the room, or may see it, has changed."""


class Rights(Protocol):
    """Is told who has rights in which rooms."""

    def learn(self, room: Room) -> None:
        """Learn that a room has another charter."""


Tell = Callable[[ChatEvent, Audience["Person"]], None]
"""Sends an event to people."""


class RoomMembers(Members["Person"]):
    """Members of a room; each of them knows that they are in it."""

    def __init__(self, room: Room, gather: Gather) -> None:
        super().__init__(gather, f"-{room.key}")
        self._owner = ref(room)
        """It owns this, so a strong reference would keep both until garbage is collected, hours later."""

    @property
    def _room(self) -> Room:
        room = self._owner()
        assert room is not None  # noqa: S101 - only it has them
        return room

    def __setitem__(self, name: str, person: Person) -> None:
        super().__setitem__(name, person)
        if not person.node:
            self.bring_near()
        person.rooms[self._room] = None
        self._room.changed()

    def pop(self, name: str, default: Person | None = None) -> Person | None:  # type: ignore[override]  # nobody asks for more
        """Remove a member and return them."""
        if person := super().pop(name, default):
            person.rooms.pop(self._room, None)
            self._room.changed()
        return person

    def clear(self) -> None:
        """Remove all members."""
        for name in [*self]:
            self.pop(name)


class Room:
    """A room: its members, what they may do, and the jobs that change its table."""

    def __init__(
        self,
        name: str,
        title: str,
        tell: Tell,
        now: Callable[[], float],
        gather: Gather,
        *,
        rights: Rights,
        lasting: bool = True,
    ) -> None:
        self.name = name
        self.former: tuple[str, ...] = ()
        """All names it has had before, folded, oldest first."""
        self.key = fold(name)
        """Its first name, folded. Everything about the room is stored under this key, which never changes."""
        self.title = title
        self.lasting = lasting
        self.charter = OPEN
        """Owner and permissions of the room."""
        self.bot: Bot | None = None
        self.people: Members[Person] = RoomMembers(self, gather)
        self.not_watching: set[str] = set()
        """Folded names of members who don't watch the game: they finished or left it and haven't come back to watch."""
        self.remote: RemoteTable | None = None
        """The table here, if only other nodes follow it."""
        self.asking: dict[str, None] = {}
        """Folded names of people who asked to speak, in order."""
        self.now = now
        """Returns the current time in seconds since 1970."""
        self._tell = tell
        self._rights = rights
        self._jobs = RoomJobs(self.key)

    @property
    def audience(self) -> Audience[Person]:
        """The people who hear what is said here."""
        return self.people.audience

    @property
    def watching(self) -> list[Person]:
        """People who watch the game: its players, and members who haven't left it or finished it."""
        if not self.not_watching:
            return [*self.people.values()]
        return [person for name, person in self.people.items() if name not in self.not_watching]

    def changed(self) -> None:
        """Tell the table that who is here, or may see the room, has changed."""
        if table := self.bot or self.remote:
            table.room_changed()

    def open_table(self, bot: Bot, charter: Charter) -> None:
        """Open a table in this room, with a charter."""
        self.people.bring_near()
        self.bot, self.remote = bot, None
        self._keep(charter)

    def close_table(self) -> None:
        """Remove the table from this room."""
        self.bot = self.remote = None

    def leave_table(self, remote: RemoteTable, charter: Charter) -> None:
        """Keep this room for a table that only other nodes follow, with a charter."""
        self.bot, self.remote = None, remote
        self._keep(charter)

    def rename(self, name: str, former: tuple[str, ...]) -> None:
        """Change the name. The caller updates everything that is keyed by name."""
        self.name, self.former = name, former
        self.key = former[0] if former else fold(name)

    def retitle(self, title: str) -> None:
        """Change the title."""
        self.title = title

    def govern(self, charter: Charter) -> None:
        """Change the charter."""
        self._keep(charter)
        self.changed()

    def _keep(self, charter: Charter) -> None:
        self.charter = charter
        self._rights.learn(self)

    def permit(self, name: str) -> None:
        """Permit someone to join, even if the room is private."""
        self.govern(attrs.evolve(self.charter, permitted=self.charter.permitted | {fold(name)}))

    def watch(self, person: Person) -> None:
        """Show the game here to a person from now on."""
        if (name := fold(person.name)) in self.not_watching:
            self.not_watching.remove(name)
            self.changed()

    def stop_watching(self, names: Iterable[str]) -> None:
        """Stop showing the game to these members until they watch it or sit down again."""
        self.not_watching |= self.people.keys() & names
        self.changed()

    @property
    def has_bots(self) -> bool:
        """Whether bots sit at the room's table."""
        return self.bot is not None and self.bot.talk.has_bots

    def show(self, *lines: Line, but: Person | None = None) -> None:
        """Show game lines to everyone who watches, by their own rules."""
        for person in self.watching:
            if person is not but:
                person.overhear(self, *lines)

    def enter(self, person: Person) -> None:
        """Add a person, and tell the members."""
        if fold(person.name) not in self.people:
            self._tell(person.did("join", rooms=(self.name,)), self.audience)
            self.people[fold(person.name)] = person
            self.watch(person)

    def take_back(self, person: Person) -> None:
        """Add a person whose connection was lost while they watched, without telling the members."""
        if fold(person.name) not in self.people:
            self.people[fold(person.name)] = person
            self.watch(person)

    def leave(self, person: Person) -> None:
        """Remove a person, and tell the members who stay."""
        self.watch(person)
        if self.people.pop(fold(person.name), None):
            self._tell(person.did("quit", rooms=(self.name,)), self.audience)

    def may_see(self, person: Person) -> bool:
        """Whether a person may see the room: everyone may, unless it is private."""
        if not self.charter.private:
            return True
        name = fold(person.name)
        return name in self.people or name in self.charter.admitted

    def admits(self, person: Person) -> bool:
        """Whether a member may join again when they reconnect."""
        return self.may_see(person) and not self.bars(person)

    def bars(self, person: Person) -> bool:
        """Whether a person may not join or speak here now."""
        return bool(self.charter.barred) and self.charter.bars(fold(person.name), self.now())

    def may_speak(self, person: Person) -> bool:
        """Whether a person may speak here."""
        return not self.charter.moderated or fold(person.name) in self.charter.voices | {self.charter.floor}

    # jobs, which `RoomJobs` explains

    def do(self, job: Callable[[*P], Awaitable[T]], *arguments: *P) -> Awaitable[T]:
        """Run `job` after earlier jobs, and return or raise its result."""
        return self._jobs.do(job, *arguments)

    def post(self, job: Callable[[*P], Awaitable[None]], *arguments: *P) -> None:
        """Queue `job` without waiting for it; it must not raise."""
        self._jobs.post(job, *arguments)

    def begin(self) -> bool:
        """Let the caller run a job, up to `end`; return False if any job is queued or running."""
        return self._jobs.begin()

    def end(self) -> None:
        """End the job that `begin` allowed."""
        self._jobs.end()

    def end_with(self, job: Callable[[*P], Awaitable[None]], *arguments: *P) -> None:
        """End that job with a last part, before the jobs that came meanwhile; it must not raise."""
        self._jobs.end_with(job, *arguments)

    @property
    def busy(self) -> bool:
        """Whether jobs are queued or running."""
        return self._jobs.busy

    def finish(self) -> Coroutine[Any, Any, None]:
        """Wait until all jobs are done."""
        return self._jobs.finish()


_NOTHING: Mapping[int, int] = MappingProxyType({})


class Focus:
    """The focus: the table that a person's numbers answer if several are waiting.

    The focus is the question whose numbers are on the screen. It stays with the table they last typed at until that
    question is answered, or until they type /next or /at. While it is open, a question of another table is shown
    without numbers. When it is answered, the question that has waited longest is printed again and gets the focus. If
    there is none, the next one to arrive does. A slow table never takes the focus back while they play a live game. A
    lesson in their room takes the focus whenever it asks, and keeps it until it is over.
    """

    def __init__(self, person: Person) -> None:
        self._owner = ref(person)
        """They own this, so a strong reference would keep both until garbage is collected, hours later."""
        self._bot: Bot | None = None
        self._question = 0
        self._learns = False
        """Whether a lesson had the focus last."""
        self._shown: Callable[[], frozenset[int]] = frozenset
        """Returns the numbers shown with the question. Most people type words, so they are seldom worked out."""
        self._added: frozenset[int] = frozenset()
        """Numbers shown later."""
        self.choices: Choices | None = None
        """The menu shown instead of a question, if any."""
        self.invited = 0
        """The number of the table whose invitation was shown since the person last talked; 0 for none."""
        self.reserved = 0
        """The number of a table that had the focus before a restart and isn't here yet; 0 for none."""

    @property
    def _person(self) -> Person:
        person = self._owner()
        assert person is not None  # noqa: S101 - only they have it
        return person

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers on the screen that answer the question."""
        return self._shown() | self._added

    @property
    def seen(self) -> Mapping[int, int]:
        """The log entry of each of their tables' positions that is on the screen, by table number.

        The table with the focus shows its last question, until it asks the next one.
        """
        seats = self._person.seats
        if not seats:  # the usual case
            return _NOTHING
        return {number: self._question if bot is self._bot else seq for bot in seats for number, seq in (bot.position,)}

    def table(self) -> Bot | None:
        """Return the table whose question has the focus; None if it isn't open any more."""
        bot = self._bot
        asked = bot.question(self._person) if bot else None
        return bot if asked and asked.seq == self._question else None

    def waiting(self) -> Sequence[Bot]:
        """Return the tables waiting for the person: a lesson here, live ones, then the one that has waited longest."""
        asked = [
            (not self._teaches(bot), question.slow, question.at, place, bot)
            for place, bot in enumerate(self._person.seats)
            if (question := bot.question(self._person))
        ]
        return [bot for *_, bot in sorted(asked, key=lambda one: one[:4])]

    def _teaches(self, bot: Bot) -> bool:
        """Return whether a table is a lesson in their room and asks them."""
        question = bot.question(self._person) if bot is self._person.room.bot else None
        return question is not None and question.lesson

    def tables(self) -> Iterator[Bot]:
        """Yield the tables a line may be meant for, likeliest first: the focus, the room's table, other seats."""
        here = self._person.room.bot
        focus = here if self._bot is here else self.table()  # the same one comes first, whether it asks or not
        if focus:
            yield focus
        if here and here is not focus:
            yield here
        others = dict.fromkeys([*self.waiting(), *self._person.seats])
        yield from (bot for bot in others if bot is not focus and bot is not here)

    def at_hand(self) -> Bot | None:
        """Return the table of their room, or else the only one where they have a seat."""
        if self._person.room.bot is not None:
            return self._person.room.bot
        return self._person.seats[0] if len(self._person.seats) == 1 else None

    def on_return(self) -> Bot | None:
        """Return the table to show on reconnect: one that waits, the one of their room, or the last."""
        seats = self._person.seats
        here = [bot for bot in seats if bot is self._person.room.bot]
        return next(iter([*self.waiting(), *here, *reversed(seats)]), None)

    def show_question(self, bot: Bot) -> None:
        """Show a table's new question, with its numbers unless another table has the focus."""
        is_free = self._bot in (None, bot) or self.table() is None
        if (is_free and not self.reserved) or self._teaches(bot):
            self._person.asked(bot.room, *bot.turn(self._person))
        else:
            note = "your turn; type /next"
            self._person.asked(bot.room, Line(f"{bot.room.name}: {note}", "turn"))

    def move_to(
        self, bot: Bot, question: int, numbers: Callable[[], frozenset[int]] = frozenset, *, lesson: bool = False
    ) -> None:
        """Give the focus to a table's question, identified by its log entry.

        `numbers` returns those shown with it, and `lesson` says whether the table is one.
        """
        self.restore(bot, question, numbers, lesson=lesson)
        self.choices = None

    def restore(self, bot: Bot, question: int, numbers: Callable[[], frozenset[int]], *, lesson: bool) -> None:
        """Give the focus back to the question that had it before a reload. A menu that is open stays."""
        self._bot, self._question, self._shown, self._added, self.reserved = bot, question, numbers, frozenset(), 0
        self._learns = lesson and bot is self._person.room.bot

    def reserve(self, table: int) -> None:
        """Keep the focus for a table that isn't here yet: its numbers are on the screen. 0 keeps it no longer."""
        self.reserved = table

    def offer(
        self,
        lines: Iterable[str] = (),
        keys: Mapping[str, str] | None = None,
        at: str = "",
        *,
        rows: Iterable[Line] = (),
        once: bool = False,
    ) -> None:
        """Offer a menu (`Choices`) instead of any other. The next lines may pick from it until the person talks."""
        self.choices = Choices(tuple(lines), keys or {}, at, tuple(rows), once)

    def reopen(self, menu: Choices | None) -> None:
        """Open the menu that was on the screen before a reload, if there was one."""
        self.choices = menu

    def invite(self, table: int) -> None:
        """Let yes and no answer this table's invitation, which is on the screen now."""
        self.invited = table

    def close_menu(self) -> None:
        """End the menu on the screen, and let yes and no be talk again."""
        self.choices, self.invited = None, 0

    def add_numbers(self, numbers: Iterable[int]) -> None:
        """Accept more numbers as answers, after showing them too. They are the menu now."""
        self._added |= {*numbers}
        self.choices = None

    def typed_at(self, bot: Bot) -> None:
        """Take the focus from any other table after a move at this one; numbers count again when it asks."""
        if self._bot is not bot:
            self.move_to(bot, 0, lesson=self._teaches(bot))  # entry 0 doesn't exist in any log

    def answered(self) -> None:
        """Give the focus to the question that has waited longest, after one was answered or withdrawn."""
        learns = self._learns and self._bot is not None and self._bot is self._person.room.bot and self._bot.live
        if self.table() or learns or self.reserved:
            return
        live = any(bot.live for bot in self._person.seats)
        following = next((bot for bot in self.waiting() if bot.live or not live), None)
        if following:
            with suppress(UserError):  # an error in its game stops that table, not the one that was answered
                self._person.asked(following.room, *following.turn(self._person))

    def leave(self, bot: Bot) -> None:
        """Take the focus from a table that is over or isn't followed here, which it would keep in memory."""
        if self._bot is bot:
            self._bot, self._question, self._learns = None, 0, False
            self._shown, self._added = frozenset, frozenset()

    def clear(self) -> None:
        """Clear the focus."""
        self._bot, self._question = None, 0
        self.close_menu()
        self._shown, self._added = frozenset, frozenset()
        self._learns = False


class Person:
    """A person who is here or has a seat. There is one per name, whatever happens to their connection."""

    def __init__(
        self, name: str, *, guest: bool, room: Room, profile: Profile | None = None, since: float | None = None
    ) -> None:
        self._audiences: list[Audience[Person]] = []
        self.name = name
        self.guest = guest
        self.room = room
        """The room where their plain text goes."""
        self.rooms: dict[Room, None] = {}
        """The rooms they are in."""
        self.terminal: Terminal | None = None
        """Their terminal, if they are connected."""
        self.node = ""
        """The node that serves them; empty for this one."""
        self.local = False
        """Whether they are connected to this node."""
        self._slow_elsewhere = False
        """Whether they need longer where others wait, as the node says that serves them."""
        self.profile = profile or Profile()
        """Their stored profile."""
        self.seats: list[Bot] = []
        """The tables where they have a seat, even if a bot is playing it."""
        self.focus = Focus(self)
        self.activity = Activity(time.time() if since is None else since)
        self.recipients = Recipients()
        self.paste = Paste()
        """Lines of talk that are held back, because too many came at once."""
        self.seen: Mapping[int, int] | None = None
        """For a resumed session: the last log entry seen of each table, by table number."""
        self.session = ""
        """Id of the session that their client can resume; empty if none."""
        self.unconfirmed = False
        """Whether their client hasn't confirmed yet that it has got the token of its session."""

    def connect(self, terminal: Terminal, node: str = "") -> Terminal | None:
        """Connect a terminal, served by `node` if not this one; return the older terminal, if any."""
        older, self.terminal, self.node, self.local = self.terminal, terminal, node, not node
        self.changed()
        return older

    def disconnect(self, node: str | None = None) -> Terminal | None:
        """Disconnect the terminal and return it; the serving node is kept unless `node` is given."""
        older, self.terminal, self.local = self.terminal, None, False
        self.node = self.node if node is None else node
        self.changed()
        return older

    def set_profile(self, profile: Profile) -> None:
        """Replace their profile."""
        before = self.selective, self.profile.friends
        self.profile = profile
        if before != (self.selective, profile.friends):
            self.changed()

    def update_profile(self, **parts: Any) -> None:
        """Replace some fields of their profile, named as in `Profile`."""
        self.set_profile(attrs.evolve(self.profile, **parts))

    def rename(self, name: str) -> None:
        """Change their name. The caller updates everything that is keyed by name."""
        self.name = name

    def mirror(self, *, guest: bool, slow: bool) -> None:
        """Learn from the node that serves them whether they are a guest, and whether they need longer."""
        self.set_guest(guest=guest)
        self._slow_elsewhere = slow

    def set_guest(self, *, guest: bool) -> None:
        """Mark them as a guest, or as a registered person."""
        self.guest = guest

    def sit_at(self, tables: Iterable[Bot]) -> None:
        """Set the tables where they have a seat."""
        self.seats = [*tables]

    def resume(self, session: str, *, unconfirmed: bool = False) -> None:
        """Set the id of the session that their client can resume; empty for none.

        `unconfirmed` says that the client will confirm that it has got the token.
        """
        self.session, self.unconfirmed = session, unconfirmed

    def take_seen(self, seen: Mapping[int, int] | None = None) -> Mapping[int, int] | None:
        """Return what a resumed session has seen of each table, and replace it with `seen`."""
        before, self.seen = self.seen, seen
        return before

    def changed(self) -> None:
        """Regroup this person's audiences after a change, and tell the tables of their rooms."""
        for audience in self._audiences:
            audience.sort(self)
        for room in self.rooms:
            room.changed()

    def joins(self, audience: Audience[Person]) -> None:
        """Remember that they are in this audience."""
        self._audiences.append(audience)
        audience.add(self)

    def quits(self, audience: Audience[Person]) -> None:
        """Forget that they are in this audience."""
        self._audiences.remove(audience)
        audience.drop(self)

    @property
    def origin(self) -> str:
        """Their address, for sharing costly work fairly; empty if unknown."""
        return self.terminal.address if self.terminal else ""

    @property
    def selective(self) -> bool:
        """Whether they have notification rules of their own."""
        return bool(self.profile.noise or self.profile.ignored)

    @property
    def voice(self) -> Voice:
        """How lines are worded for them."""
        return self.terminal.voice if self.terminal else Voice()

    @property
    def needs_longer(self) -> bool:
        """Whether they have twice the time where others wait for them: they have asked for it, or a screen reader."""
        return self._slow_elsewhere if self.node else self.voice.spoken or self.profile.settings.get(SLOW) == "on"

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
        """Whether they are connected."""
        return self.terminal is not None

    def did(self, kind: Kind, **facts: Any) -> ChatEvent:
        """Return a `ChatEvent` of this kind with them as the sender."""
        return ChatEvent(kind, self.name, blurb=self.profile.blurb, pronoun=self.profile.pronoun, **facts)

    def wants(self, chat_event: ChatEvent) -> Hears:
        """Return whether they hear an event, with a timestamp, and with a bell."""
        own = self.profile
        if not self.selective and chat_event.kind not in notifications.RINGING:
            return PLAINLY if chat_event.kind not in notifications.QUIET else UNHEARD
        if notifications.ignores(own, chat_event):
            return UNHEARD
        things = (fold(chat_event.by), *map(fold, chat_event.rooms))
        shown = chat_event.kind in notifications.ALWAYS or notifications.wished(own, "notify", chat_event.kind, things)
        stamp, bell = (notifications.wished(own, sense, chat_event.kind, things) for sense in ("timestamp", "signal"))
        return Hears(shown, stamp, bell and shown)

    def overhear(self, room: Room, *lines: Line) -> None:
        """Show lines of a room's game, by their rules for the event `game`."""
        if self.profile.noise:
            self._put("game", room, lines)
        elif self.terminal:
            self.terminal.show(*lines)

    def asked(self, room: Room, *lines: Line) -> None:
        """Show the line that asks them to move, which is never silenced: the event `turn`.

        A program in brief mode has read it in the table's update.
        """
        if not self.takes_lines:
            return
        if self.profile.noise:
            self._put("turn", room, lines)
        elif self.terminal:
            self.terminal.show(*lines)

    def _put(self, event: str, room: Room, lines: Sequence[Line]) -> None:
        shown, stamp, bell = (
            notifications.wished(self.profile, sense, event, (fold(room.name),)) for sense in notifications.SENSES
        )
        if shown or event == "turn":
            when = clock(room.now(), self.profile.zone) if stamp else ""
            self.show(*(attrs.evolve(line, text=when + line.text) for line in lines))
            if lines and bell and self.terminal:
                self.terminal.ring()

    def show(self, *lines: Line) -> None:
        """Show lines on their screen, if they are connected."""
        if self.terminal:
            self.terminal.show(*lines)

    def give_back(self) -> None:
        """Don't count the line that is being handled against their rate limit."""
        if self.terminal:
            self.terminal.give_back()

    @property
    def takes_packets(self) -> bool:
        """Whether their client wants packets."""
        return self.terminal is not None and self.terminal.takes_packets

    @property
    def takes_lines(self) -> bool:
        """Whether they read moves and questions at a table in lines, not in the table's packets."""
        return self.terminal is None or self.terminal.takes_lines

    @property
    def takes_picture(self) -> bool:
        """Whether they are at a page, which shows tables as pictures."""
        return self.terminal is not None and self.terminal.takes_picture

    def supports(self, packet: str) -> bool:
        """Return whether their client wants packets of this name."""
        return self.terminal is not None and self.terminal.supports(packet)

    def packet(self, *packets: Packet) -> None:
        """Send packets to their client, if they are connected."""
        if self.terminal:
            self.terminal.packet(*packets)

    def go(self, room: Room) -> None:
        """Join a room and speak there from now on."""
        room.enter(self)
        self.speak_in(room)

    def speak_in(self, room: Room) -> None:
        """Send plain text to this room from now on. They must be a member or be allowed to join.

        A menu ends at another table: its numbers would be taken for moves.
        """
        if room.bot and room is not self.room:
            self.focus.close_menu()
        self.room = room
