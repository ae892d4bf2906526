"""A server in memory with people who type, for tests, golden playthroughs and authors of games."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Mapping
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from lilygames.bus import Bus
from lilygames.calendar.events import Events
from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.host.discussions import Discussions
from lilygames.chat.host.host import Host
from lilygames.chat.input.grammar import Context
from lilygames.chat.names.names import fold
from lilygames.chat.people.audience import Each, Gather
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import NOBODY, AtOnce, Begin, Gone, TerminalUser, never, unheard
from lilygames.chat.rooms.rooms import Rooms
from lilygames.chat.talk.history import History
from lilygames.chat.visits.arrivals import arrive, depart
from lilygames.edge.screens.tags import Tags
from lilygames.edge.wire.screen_reader import ScreenReader, wrapped
from lilygames.game import Game
from lilygames.ladders.ladder_store import Ladders
from lilygames.mailing.mailing import Mailing
from lilygames.moderation.desk import Desk
from lilygames.nodes.node import Node
from lilygames.privacy.deletions import Deletions
from lilygames.server.place.place import Place, furnish
from lilygames.server.settings.config import Settings
from lilygames.store import Store
from lilygames.store.memory import MemoryStore
from lilygames.store.packs import Packs
from lilygames.tables.open.tables import Tables
from lilygames.tables.room.bot import TableBot
from lilygames.text import WIDTH, Line, Packet, Prompt, Voice
from lilygames.tournaments.director import Director

SETTINGS = Settings(
    patience=0,
    house_pause_min=0,
    house_pause_max=0,
    commit_seconds=0,
    house_workers=0,
    house_talk=0,
    talk_lines_per_second=1_000_000,
    hash_memory=8192,
    hash_time=1,
    tournaments="",
)
"""Settings without delays, and without tournaments of the place."""


Job = Literal[
    "abandoned_seats",
    "deletions",
    "director",
    "duplicate_watch",
    "ladder_watch",
    "mailing",
    "reminders",
    "tournament_reminders",
]
"""A periodic job of the place."""

_wrapped = lru_cache(maxsize=256)(wrapped)
"""A cached `wrapped`: lines are wrapped once for all who read them alike, as on real screens."""


class Screen:
    """A terminal that records what it is shown, in rows of 78 columns or of `/set width`."""

    takes_events = False
    follows_tables = False
    keeps_up = True
    suits_guessed = False
    sent = 0

    def __init__(self, voice: Voice) -> None:
        self.voice = voice
        self._aloud = ScreenReader()
        self._tags = Tags()
        self.address = "stage"
        self.rows: list[str] = []
        self._recent: deque[str] = deque(maxlen=24)
        self.closed = False
        self.given_back = 0
        """Lines that didn't count against the rate limit."""
        self.window = ""
        self.user: TerminalUser = NOBODY
        self.settings: Mapping[str, str] = {}
        self.width = WIDTH
        """Columns per row."""
        self.packets: list[Packet] = []
        self._takes_packets = False
        self.brief = False
        """Whether updates are recorded instead of whole tables."""
        self.page = False
        """Whether a page's packets are recorded."""

    def attach(self, user: TerminalUser) -> None:
        """Attach a person."""
        self.user = user

    def set_voice(self, voice: Voice) -> None:
        """Word things so from now on."""
        self.voice = voice

    @property
    def takes_packets(self) -> bool:
        """Whether packets are recorded."""
        return self._takes_packets

    @takes_packets.setter
    def takes_packets(self, wanted: bool) -> None:
        self._takes_packets = wanted
        self.user.changed()

    def tell(self, event: ChatEvent, hears: Hears) -> bool:  # noqa: ARG002 - as it says
        """Leave events to lines."""
        return False

    @property
    def takes_lines(self) -> bool:
        """Whether moves are recorded as lines."""
        return not (self._takes_packets and (self.brief or self.page))

    @property
    def takes_picture(self) -> bool:
        """Whether pictures of tables are recorded."""
        return self._takes_packets and self.page

    def supports(self, _: str) -> bool:
        """Return whether packets are recorded, including the session token."""
        return self._takes_packets

    async def read(self, at_once: AtOnce = unheard, begin: Begin = never) -> str:  # noqa: ARG002 - nobody types
        """Unused: the stage passes typed lines to the host itself."""
        raise Gone

    def give_back(self) -> None:
        """Count the lines that cost nothing."""
        self.given_back += 1

    def show(self, *lines: Line) -> None:
        """Record lines as they would be read."""
        width = self.width
        for line in (
            self._aloud.said(lines)
            if self.voice.spoken
            else self._tags.named(lines, always=self.settings.get("tags") == "on", narrow=self.voice.narrow)
        ):
            self.rows += _wrapped(line.text, width, line.margin)
            if line.text and not line.secret:
                self._recent.append(line.text)

    def last_lines(self) -> list[str]:
        """Return the last lines shown, without secrets. They aren't wrapped."""
        return [*self._recent]

    def packet(self, *packets: Packet) -> None:
        """Record packets, if they are wanted."""
        self.packets += packets if self.takes_packets else ()

    def ring(self) -> None:
        """Record the bell."""
        self.rows.append("(bell)")

    def entitle(self, text: str) -> None:
        """Record the window's title."""
        self.window = text

    def ask(self, prompt: Prompt) -> None:
        """Record a prompt."""
        self.rows.append(prompt.text)

    def prefer(self, settings: Mapping[str, str]) -> None:
        """Record display settings."""
        self.settings = settings
        self.width = int(set_to) if (set_to := settings.get("width", "")).isdigit() else WIDTH

    def close(self) -> None:
        """Record that the terminal was closed."""
        self.closed = True

    def take(self) -> list[str]:
        """Return the rows shown since the last call, and clear them."""
        rows, self.rows = self.rows, []
        return rows


def secrets_from(seed: str) -> Callable[[], bytes]:
    """Return a source of table secrets that depends only on the seed."""
    numbers = itertools.count()
    return lambda: sha256(f"{seed} {next(numbers)}".encode()).digest()


class AnsweredLine:
    """A line that was typed here, and whether it is answered."""

    def __init__(self) -> None:
        self.event = asyncio.Event()

    def finished(self) -> None:
        """Learn that everything that answers the line has been shown."""
        self.event.set()


class Stage:
    """A place with people; create one with `await Stage.open(games)`."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.people: dict[str, Person] = {}
        self.screens: dict[str, Screen] = {}

    @classmethod
    async def open(
        cls,
        games: Mapping[str, Game],
        *,
        store: Store | None = None,
        seed: str = "1",
        bus: Bus | None = None,
        clock: Callable[[], float] | None = None,
        gather: Gather = Each,
        ids: bool = True,
        packs: Packs | None = None,
        at_once: bool = True,
        settings: Settings | None = None,
    ) -> Stage:
        """Create a stage over `store`; table secrets follow from `seed`. With a `bus` it is one of several nodes.

        `clock` returns the time, and `gather` groups screens that are shown the same. Without `ids`, names are inside
        the logs of tables, so that the cards of a seed depend on no salts. `packs` is the archive; it is in the store
        if None. Unless `at_once`, open tables may be left for later. `settings` are `SETTINGS` if None.
        """
        secrets, salts = secrets_from(seed), secrets_from(f"{seed} salt") if ids else None
        store = store or MemoryStore()
        place = await furnish(
            store,
            settings or SETTINGS,
            games,
            secrets,
            bus,
            clock=clock,
            gather=gather,
            new_salt=salts,
            packs=packs,
            at_once=at_once,
        )
        return cls(place)

    def enter(
        self, name: str, voice: Voice | None = None, seen: Mapping[int, int] | None = None, *, guest: bool = False
    ) -> Screen:
        """Log in an account or a guest (or log them back in); return their screen. `seen` resumes a session."""
        screen = self.screens[name] = Screen(voice or Voice())
        if not guest:
            self.place.host.accounts.names.setdefault(fold(name), name)
        owned = self.people[name].profile.stored if name in self.people else None
        self.people[name] = arrive(self.place.host, screen, name, guest=guest, profile=owned, seen=seen)
        return screen

    async def come(self, name: str) -> Screen:
        """Reconnect a person, who is shown what they missed; return their screen."""
        screen = self.enter(name)
        await self.place.host.greet(self.people[name])
        return screen

    def drop(self, name: str) -> None:
        """Drop a person's connection."""
        depart(self.place.host, self.people[name])

    async def type(self, name: str, line: str) -> list[str]:
        """Type a line for a person, wait until nothing is left to do, and return what they were shown."""
        self.screens[name].take()
        person, dispatcher, answered = self.people[name], self.place.dispatcher, AnsweredLine()
        if person.terminal and dispatcher.begin(person, person.terminal, line, answered):
            await answered.event.wait()
        else:
            await dispatcher.hear(person, line)
        await self.quiet()
        return [*self.screens[name].rows]

    async def hear(self, name: str, line: str) -> None:
        """Handle a line that a person types, without waiting for what follows from it."""
        await self.place.dispatcher.hear(self.people[name], line)

    def context(self, name: str) -> Context:
        """Return what decides the meaning of a person's lines now."""
        return self.place.dispatcher.context(self.people[name])

    async def create_account(self, name: str, password: str) -> None:
        """Create an account."""
        await self.place.host.accounts.create(name, password, guest=False)

    async def look(self, job: Job) -> None:
        """Run one round of a periodic job of the place."""
        await getattr(self.place, job).look()

    async def kept(self) -> bool:
        """Wait until everything that people own and said is saved; return whether it is."""
        return await self.place.kept()

    # the parts of the place

    @property
    def host(self) -> Host:
        """People, rooms and commands."""
        return self.place.host

    @property
    def rooms(self) -> Rooms:
        """The rooms by name."""
        return self.place.host.rooms

    @property
    def accounts(self) -> Accounts:
        """The accounts."""
        return self.place.host.accounts

    @property
    def tables(self) -> Tables:
        """All tables: open, finished and of other nodes."""
        return self.place.tables

    @property
    def open_tables(self) -> dict[int, TableBot]:
        """The open tables by number."""
        return self.place.tables.open

    @property
    def node(self) -> Node | None:
        """The place as one of several nodes; None without a bus."""
        return self.place.node

    @property
    def director(self) -> Director:
        """The director of tournaments."""
        return self.place.director

    @property
    def history(self) -> History:
        """The talk of the rooms."""
        return self.place.history

    @property
    def discussions(self) -> Discussions:
        """The discussions."""
        return self.place.discussions

    @property
    def events(self) -> Events:
        """The planned events."""
        return self.place.events

    @property
    def ladders(self) -> Ladders:
        """The ladders."""
        return self.place.ladders

    @property
    def mailing(self) -> Mailing:
        """Notifications by mail and push."""
        return self.place.mailing

    @property
    def deletions(self) -> Deletions:
        """Deletions of accounts."""
        return self.place.deletions

    @property
    def desk(self) -> Desk:
        """The moderators' desk."""
        return self.place.desk

    def table(self, number: int) -> TableBot:
        """Return an open table."""
        return self.place.tables.open[number]

    async def quiet(self) -> None:
        """Wait until no room has anything left to do and no bot is thinking."""
        while self._busy():
            await asyncio.sleep(0)
            for room in [*self.place.host.rooms.values()]:
                await room.finish()

    def _busy(self) -> bool:
        rooms = self.place.host.rooms.values()
        return any(room.busy for room in rooms) or any(bot.timer.busy for bot in self.place.tables.open.values())
