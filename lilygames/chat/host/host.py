"""The host: the people and rooms that are shared, and event delivery."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol
from zoneinfo import ZoneInfo

import attrs

from lilygames.chat.accounts.accounts import Accounts
from lilygames.chat.accounts.login_attempts import TRIES, LoginAttempts
from lilygames.chat.accounts.roles import Roles
from lilygames.chat.accounts.seniority import Seniority
from lilygames.chat.host.lookup import Lookup
from lilygames.chat.input.lines_sent_again import LinesSentAgain
from lilygames.chat.names.names import RESERVED_NAME, NoName, allowed, fold, has_shape, like, skeleton
from lilygames.chat.people.audience import Audience, Everybody
from lilygames.chat.people.detached import Detached
from lilygames.chat.people.distant import Distant
from lilygames.chat.people.events import MESSAGES, ChatEvent, MessageIds, worded
from lilygames.chat.people.gate import Gate
from lilygames.chat.people.hears import PLAINLY, UNHEARD
from lilygames.chat.people.notifications import QUIET, RINGING
from lilygames.chat.people.observers import Announced, Entered, Held, LoggingIn, ProfileChanged, Publisher, Said
from lilygames.chat.people.people import Bot, Person, Room
from lilygames.chat.people.profile import Profile, ProfileStore
from lilygames.chat.people.resume import Sessions
from lilygames.chat.people.settings import with_setting
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.rooms.lobbies import Lobbies
from lilygames.chat.rooms.quotas import PeopleQuotas
from lilygames.chat.rooms.rooms import Rooms
from lilygames.commands import Command
from lilygames.errors import UserError
from lilygames.help import Pages
from lilygames.limits.addresses import Networks
from lilygames.limits.quota import Held as HeldAmounts
from lilygames.limits.quota import Quotas, registering
from lilygames.scheduling.foreground import Foreground
from lilygames.text import Line
from lilygames_rules.changed import changed, maker

MANY = 500
"""People here beyond which only those in the same room hear that someone comes or goes, and are listed to clients."""
_said, _announced = maker(Said), maker(Announced)


class HeldTables(HeldAmounts, Protocol):
    """The open tables by who holds them."""

    addresses: dict[int, str]
    """The address from which each table was opened, if it's known."""

    def opened_from(self, number: int, address: str) -> None:
        """Learn the address from which a table was opened, here or at another node."""


class Seats(Protocol):
    """The tables, as remote as the host needs to know."""

    @property
    def held(self) -> HeldTables:
        """The open tables by who holds them, for quotas."""

    def playing(self) -> int:
        """Return the number of public tables in play."""

    def returning(self) -> int:
        """Return the number of public tables that a start has left for later."""

    def keeps_seat(self, name: str) -> bool:
        """Whether someone of this name has a seat at an open table."""

    def seating(self, name: str) -> Sequence[Bot]:
        """Return the open tables where someone of this name has a seat, even if a bot keeps it."""

    def first_facts(self, most: int) -> tuple[Sequence[Mapping[str, object]], int]:
        """Return what everyone may know of the first public tables of `/tables`, and how many more are open."""

    def facts(self, person: Person, after: int, most: int) -> Sequence[Mapping[str, object]]:
        """Return what a person may know of open tables, for programs, in order from the one after a number on."""

    def follow(self, person: Person, *, lost: bool = False) -> None:
        """Send a person's program what changes in the list that `facts` gives; first the list, if it's `lost`."""

    def unfollow(self, person: Person) -> None:
        """Send a person's program no more of that."""

    def number_in(self, room: str) -> int | None:
        """Return the number of the table in a room, or None."""

    def inform(self, person: Person, number: int) -> bool:
        """Send a person's program a whole table, as they may know it; return False if they see no such table."""

    def completed(self, person: Person, number: int, text: str) -> Sequence[Mapping[str, str]]:
        """Return a person's moves at a table that a text begins, as they are typed and read aloud."""

    def choices(self, person: Person, number: int) -> bool:
        """Send a person's program their legal moves at a table in parts; return False if they have no seat there."""

    def waits_for(self, name: str, room: str = "") -> bool:
        """Whether a table of someone of this name, or one in a room, isn't restored yet."""

    async def ready_for(
        self, name: str, numbers: Iterable[int] = (), room: str = "", waits: Callable[[], None] | None = None
    ) -> None:
        """Restore the tables of someone of this name, those with these numbers, and one in a room.

        Call `waits` if that takes more than a moment. Raises `StoreUnavailable`.
        """

    async def named_ready(self, text: str, waits: Callable[[], None]) -> None:
        """Restore those tables whose numbers, rooms or people a command names.

        Call `waits` if that takes more than a moment. Raises `StoreUnavailable`.
        """

    def when_all_listed(self, call: Callable[[], object]) -> bool:
        """Call a function once all tables can be listed after a start; return False, and don't, if they can be now."""

    def check_talk(self, person: Person, text: str) -> None:
        """Raise `UserError` if a line of talk looks like a move for a table that can't be played."""

    def invitations(self, person: Person) -> tuple[int, ...]:
        """Return the numbers of the tables that have invited a person, who hasn't answered yet."""

    async def show(self, code: str, television: Terminal, quotas: PeopleQuotas) -> None:
        """Show the party with a code on a television until `hide`, or show it again; raises `UserError`."""

    def hide(self, television: Terminal) -> None:
        """Forget a television that was turned off."""


class Notices(Protocol):
    """Notices about today and the coming days, as remote as the host needs to know."""

    def facts(self, name: str = "") -> Mapping[str, object]:
        """Return the notices for someone; an empty name is someone who hasn't logged in."""

    def follow(self, terminal: Terminal, told: Mapping[str, object], name: str = "") -> None:
        """Tell someone who has been `told` the notices what changes in them."""

    def unfollow(self, terminal: Terminal) -> None:
        """Tell someone no more."""


class Cluster(Protocol):
    """The cluster of nodes, as seen by one node."""

    @property
    def resumes(self) -> bool:
        """Whether this node has just restarted, and may not know yet who is in a room at other nodes."""

    async def claim(self, what: str) -> bool:
        """Return whether this node may assign a person's or room's name now: `name bob`, `room cafe`.

        Raises `StoreUnavailable`.
        """

    def release(self, what: str) -> None:
        """Release a claimed name; returns at once."""

    def lag(self, log: str, first: str = "") -> float:
        """Return the seconds this node waits before it does what any node may do for a log, but `first` does first."""

    def is_silent(self, node: str) -> bool:
        """Return whether another node may have died: its heartbeat is late, or it counts as dead."""

    def keeps_order(self, room: str) -> bool:
        """Return whether messages in a room, by its key, are shown in the order in which the store has them."""

    def node_place(self) -> tuple[int, int]:
        """Return this node's place among all nodes, from 0, and how many nodes there are."""


class SingleNode:
    """The only node: every claim succeeds at once."""

    resumes = False
    """It knows everyone."""

    async def claim(self, _: str) -> bool:
        """Grant every claim."""
        return True

    def release(self, _: str) -> None:
        """Do nothing: no other node waits for a name."""

    def lag(self, _: str, first: str = "") -> float:  # noqa: ARG002 - as it says
        """Return 0: this is the only node."""
        return 0.0

    def is_silent(self, _: str) -> bool:
        """Return False: this is the only node."""
        return False

    def keeps_order(self, _: str) -> bool:
        """Return False: messages are shown as they come, and that is the order in which they are stored."""
        return False

    def node_place(self) -> tuple[int, int]:
        """Return the only place."""
        return 0, 1


@attrs.frozen
class Registry:
    """People as they are stored, and what they may do."""

    accounts: Accounts
    profiles: ProfileStore
    sessions: Sessions
    roles: Roles
    seniority: Seniority
    gate: Gate


@attrs.frozen
class Offers:
    """Games, bots, commands and help pages: everything that people find here."""

    games: Mapping[str, str]
    """The titles of the games that can be played here, by name."""
    house_names: frozenset[str]
    """Folded names reserved for games and bots."""
    bot_names: frozenset[str]
    """Folded names of bots."""
    commands: Sequence[Command]
    """All commands except game moves."""
    pages: Pages


@attrs.frozen
class HostSettings:
    """Settings of a host."""

    name: str = "lilygames"
    greeting: str = ""
    """The sysop's line in the greeting; empty for none."""
    patience: float = 0.0
    """Seconds a dropped player has to reconnect before the others are told."""
    lobby_people: int = 0
    """People in a lobby after whom newcomers enter the next one; 0 for any number."""
    login_seconds: float = 60.0
    """Seconds to give a name at login."""
    wrong_passwords: int = TRIES
    """Wrong passwords from one address before it is blocked for a while."""
    names_per_day: int = 20
    """Maximum names registered per address and day."""
    exempt: Networks = ()
    """Networks whose addresses have no quotas; their people have."""
    sends_mail: bool = False
    """Whether the server can mail a one-time word to people who forgot their password."""
    web_address: str = ""
    """The address of the page, for links; empty if nobody can open it."""


@attrs.frozen
class Dropped:
    """Someone whose connection was lost: the timer for the announcement, and the lobby they were in."""

    timer: asyncio.TimerHandle
    lobby: str


class Host:
    """Everything that people share. There is one host per process."""

    def __init__(
        self,
        registry: Registry,
        people: Everybody[Person],
        offers: Offers,
        settings: HostSettings,
        *,
        publisher: Publisher,
        cluster: Cluster,
        seats: Seats,
        notices: Notices,
        foreground: Foreground,
        clock: Callable[[], float],
    ) -> None:
        self.name = settings.name
        self.accounts, self.profiles, self.sessions = registry.accounts, registry.profiles, registry.sessions
        self.roles, self.seniority, self.gate = registry.roles, registry.seniority, registry.gate
        self.check_voice = registry.gate.check_voice
        self.people = people
        self.pages, self.commands, self.games = offers.pages, offers.commands, offers.games
        self._house_names, self._bot_names = offers.house_names, offers.bot_names
        self.publish = publisher.publish
        self.publish_and_wait = publisher.publish_and_wait
        self.cluster = cluster
        self.playing = seats.playing
        self.keeps_seat = seats.keeps_seat
        self.tables = seats
        self.notices = notices
        self.greeting = settings.greeting
        self.patience = settings.patience
        self.login_seconds = settings.login_seconds
        self.web_address = settings.web_address
        self.sends_mail = settings.sends_mail
        self.quotas = PeopleQuotas(
            Quotas(seats.held),
            key_of=registry.accounts.key,
            now=clock,
            publish=publisher.publish,
            exempt=settings.exempt,
            registering=registering(settings.names_per_day),
        )
        """Limits on what people and addresses hold and ask for."""
        self.login_attempts = LoginAttempts(self.quotas.uses, clock, settings.wrong_passwords, settings.exempt)
        self.foreground = foreground
        """The lines that people have typed and that other work waits for."""
        self.clock = clock
        """The current time in seconds since 1970."""
        self.message_ids = MessageIds()
        self.newcomers: set[str] = set()
        """Folded names whose registration is in progress."""
        self.going: dict[str, Dropped] = {}
        """Recently dropped people by folded name."""
        self.rooms = Rooms()
        self.detached = Detached(clock)
        """The people whom `/who` lists as detached."""
        self._gather = people.gather
        self.lobbies = Lobbies(self.open_room, settings.lobby_people, cluster.node_place)
        """The rooms that newcomers enter."""
        self.lobby = self.lobbies.first
        self.lookup = Lookup(registry.accounts, people, self.rooms, lobby=self.lobby, bot_names=offers.bot_names)
        """Finds people and rooms by the names that people type."""
        self.sent_again = LinesSentAgain()
        """The lines that aren't followed again."""

    # people and rooms

    def open_room(self, name: str, title: str = "", *, lasting: bool = True) -> Room:
        """Return the room of this name, creating it if necessary."""
        if fold(name) not in self.rooms:
            self.rooms[fold(name)] = Room(
                name, title, self.tell, self.now, self._gather, rights=self.rooms, lasting=lasting
            )
        return self.rooms[fold(name)]

    def now(self) -> float:
        """Return the current time in seconds since 1970."""
        return self.clock()

    def audience(self, people: Iterable[Person]) -> Audience[Person]:
        """Return an audience of these people, without duplicates."""
        audience: Audience[Person] = Audience(self._gather)
        for person in people:
            audience.add(person)
        return audience

    def tell(
        self,
        chat_event: ChatEvent,
        hearers: Iterable[Person] | Audience[Person],
        *,
        but: Person | None = None,
        far: Sequence[Distant[Person]] = (),
        receipt: Sequence[Line] = (),
    ) -> None:
        """Send an event to people, each by their own rules, formatting it once for all who see it alike.

        Those who are `far` are hearers at other nodes, whom this one needn't know in full for it. `but` gets the
        `receipt` instead.
        """
        if not chat_event.at:
            chat_event = changed(chat_event, at=self.clock())
        audience = hearers if isinstance(hearers, Audience) else self.audience(hearers)
        if (audience.remote or self.cluster.resumes) and self._keeps_order(chat_event, audience):
            self.publish(Held(chat_event))
            if but:
                but.show(*receipt)
            return
        programs = [person for person in audience.programs if person is not but] if audience.programs else ()
        remote: Sequence[Person | Distant[Person]] = far
        if audience.remote:
            remote = [*far, *(person for person in audience.remote if person is not but)]
        mark = "" if but and but.node else audience.mark
        announced = _said if chat_event.kind in MESSAGES else _announced
        self.publish(announced(chat_event, programs, remote, mark))
        has_receipt = self.deliver(chat_event, audience, but, receipt)
        if but and but.terminal and but.terminal.takes_events and but not in audience.selective:
            but.terminal.tell(chat_event, UNHEARD)  # a client that keeps lists follows its own person's acts, too
        if but and receipt and not has_receipt:
            but.show(*receipt)

    def _keeps_order(self, chat_event: ChatEvent, audience: Audience[Person]) -> bool:
        """Return whether a message has to wait for its place among all that is said in its room."""
        room = self.rooms.called(chat_event.only_room) if chat_event.only_room else None
        return room is not None and room.audience is audience and self.cluster.keeps_order(room.key)

    def deliver(
        self,
        chat_event: ChatEvent,
        audience: Audience[Person],
        but: Person | None = None,
        receipt: Sequence[Line] = (),
    ) -> bool:
        """Deliver an event to the people connected to this node, and return whether `but` got the receipt with it."""
        plainly = worded(chat_event)
        if chat_event.kind in RINGING:
            near = [person for person in audience.here if not person.node]
            self._tell_particular(chat_event, near, plainly, but)
            return False
        actor = but.terminal if but else None
        has_receipt = chat_event.kind not in QUIET and audience.crowd.show(*plainly, but=actor, instead=receipt)
        audience.crowd.tell(chat_event, UNHEARD if chat_event.kind in QUIET else PLAINLY, but=actor)
        if audience.selective:
            self._tell_particular(chat_event, [*audience.selective], plainly, but)
        return has_receipt

    @staticmethod
    def _tell_particular(
        chat_event: ChatEvent, people: Iterable[Person], plainly: tuple[Line, ...], but: Person | None
    ) -> None:
        """Deliver an event to people one by one, each by their own rules."""
        words: dict[ZoneInfo | None, tuple[Line, ...]] = {None: plainly}
        for person in people:
            hears = person.wants(chat_event) if person is not but else UNHEARD
            if person.terminal and person.terminal.tell(chat_event, hears):
                continue
            if hears.shown:
                stamp = person.profile.zone if hears.stamp else None
                if stamp not in words:
                    words[stamp] = worded(chat_event, stamp=stamp)
                person.show(*words[stamp])
            if hears.bell and person.terminal:
                person.terminal.ring()

    def tell_all(self, chat_event: ChatEvent, *, but: Person | None = None) -> None:
        """Broadcast an event to everyone who is here."""
        self.tell(chat_event, self.people.near, but=but)

    @property
    def is_large(self) -> bool:
        """Whether so many people are here that nobody can keep track of all of them."""
        return self.people.number_here > MANY

    def tell_about(self, person: Person, news: ChatEvent, rooms: Iterable[Room]) -> None:
        """Tell others news about a person: everyone, or in a large place those who are in one of these rooms."""
        if not self.is_large:
            self.tell_all(news, but=person)
            return
        by_size = sorted((room.audience for room in rooms), key=lambda audience: len(audience.here), reverse=True)
        largest, *others = by_size or [self.audience(())]
        self.tell(news, largest, but=person)
        told = {person, *largest.here}
        for audience in others:
            self.tell(news, [one for one in audience.here if one not in told])
            told.update(audience.here)

    async def greet(self, person: Person) -> None:
        """Show the greeting to a person who has arrived or is no longer away."""
        await self.publish_and_wait(Entered(person))

    async def meet(self, name: str) -> None:
        """Ask the other nodes about a person before they log in; raises `StoreUnavailable`."""
        await self.publish_and_wait(LoggingIn(name))

    def keep(self, person: Person) -> None:
        """Save a person's profile in the background; a guest's only while their name is held."""
        self.profiles.keep(self.accounts.key(person.name), person.profile.stored)
        self.publish(ProfileChanged(person))

    def change_setting(self, person: Person, name: str, value: str) -> None:
        """Change a setting, apply it to the person's terminal and save it; raises `UserError`."""
        person.set_profile(with_setting(person.profile, name, value))
        self.keep(person)
        if person.terminal:
            person.terminal.prefer(person.profile.settings)

    async def owned(self, name: str) -> Profile:
        """Return the profile of a person who isn't here, with everyone and every room under their current name."""
        profile = await self.profiles.load(self.accounts.key(name))
        return profile.with_names(self.accounts.now).with_rooms(self.rooms.now)

    def is_sysop(self, person: Person | Distant[Person]) -> bool:
        """Whether a person is a sysop."""
        return not person.guest and self.roles.of(person.name) == "sysop"

    def is_staff(self, person: Person | Distant[Person]) -> bool:
        """Whether a person is a sysop, or a moderator of the whole place."""
        return not person.guest and self.roles.rank(person.name) > 0

    def awaited_sysop(self, name: str) -> str:
        """Return the unregistered sysop name that this one equals or looks like; empty if none."""
        for sysop in self.roles.listed:
            if skeleton(sysop) == skeleton(name) and fold(self.accounts.now(sysop)) not in self.accounts.names:
                return sysop
        return ""

    def check_allowed(self, name: str) -> None:
        """Raise `UserError`, or `NoName` if others like it are fine, if neither a person nor a room may have a name."""
        if has_shape(name) and (bot := like(name, self._bot_names)):
            called = "is" if fold(name) == bot else f"looks too much like {bot.capitalize()},"
            raise NoName(f"{name} {called} one of our bots", name)
        allowed(name, self._house_names)
        if self.awaited_sysop(name) or self.accounts.deleted.is_reserved(name, self.clock()):
            raise UserError(RESERVED_NAME.format(name))

    def announce(self, sentence: str, *, but: Person | None = None) -> None:
        """Show a notice to everyone on this node, once."""
        line = Line(sentence, "notice")
        for person in self.people.nearby():
            if person.local and person is not but:
                person.show(line)

    def close_room(self, room: Room) -> None:
        """Close a temporary room if it is empty and no table is about to come back to it."""
        if room.lasting or room.people:
            return
        if not (room.remote or (room.bot and not room.bot.over) or self.tables.waits_for("", room.name)):
            self.rooms.pop(fold(room.name), None)
            room.close_table()  # they refer to each other
