"""The host: who and what is here, found by name, and told what happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

import attrs

from lilygames.chat.accounts import Accounts
from lilygames.chat.audience import Audience, Everybody, Gather
from lilygames.chat.dispatch import ContextOf, Dispatcher
from lilygames.chat.events import ChatEvent, worded
from lilygames.chat.login_throttle import TRIES, LoginThrottle
from lilygames.chat.name_lookup import Names
from lilygames.chat.names import RESERVED_NAME, allowed, fold, skeleton
from lilygames.chat.notifications import QUIET
from lilygames.chat.observers import Announced, Entered, LoggingIn, Publisher
from lilygames.chat.people import UNHEARD, Person, Room
from lilygames.chat.profile import Profile, ProfileStore
from lilygames.chat.rate_limit import DAY, RateLimit
from lilygames.chat.resume import Sessions
from lilygames.commands import Command
from lilygames.errors import NotFound, UserError
from lilygames.help import Pages
from lilygames.text import Line, listing

LOBBY = "lobby"
Named = TypeVar("Named", bound=Person | Room)


class Seats(Protocol):
    """What the host knows of tables: how many play, and who sits where."""

    def playing(self) -> int:
        """Return how many tables are playing that anybody may know of."""

    def keeps_seat(self, name: str) -> bool:
        """Whether somebody of that name sits at a table that is not over."""

    def check_talk(self, person: Person, text: str) -> None:
        """Raise `UserError` if a line that would be said is a move for a table that cannot be played."""


class Cluster(Protocol):
    """The nodes that are one place, as one of them sees them."""

    async def claim(self, what: str) -> bool:
        """Return whether a name of a person or a room, `name bob`, `room cafe`, is this node's to give out now.

        Raises `StoreUnavailable`.
        """

    def release(self, what: str) -> None:
        """Let go of such a name; returns at once."""

    def lag(self, log: str) -> float:
        """Return the seconds for which this node waits with what any node may do for a log."""


class SingleNode:
    """The only node: every name is its own, and it waits for nobody."""

    async def claim(self, _: str) -> bool:
        """Grant every claim."""
        return True

    def release(self, _: str) -> None:
        """Nobody else waits for a name."""

    def lag(self, _: str) -> float:
        """Wait for nobody."""
        return 0.0


@attrs.frozen
class HostSettings:
    """What the sysop wants of a host."""

    name: str = "lilygames"
    patience: float = 0.0
    """Seconds in which somebody whose line dropped may come back without a word about either."""
    login_seconds: float = 60.0
    """How long somebody may take to give a name."""
    wrong_passwords: int = TRIES
    """Wrong words from one address after which none of it is heard for a while."""
    names_per_day: int = 20
    """Names that one address may have kept in a day."""
    sysops: tuple[str, ...] = ()
    """Names of the accounts that may speak to everybody."""


class Host:
    """Everything that people share. There is one a process."""

    def __init__(
        self,
        accounts: Accounts,
        keeper: ProfileStore,
        sessions: Sessions,
        people: Everybody[Person],
        *,
        pages: Pages,
        commands: Sequence[Command],
        context_of: ContextOf,
        publisher: Publisher,
        cluster: Cluster,
        seats: Seats,
        house_names: frozenset[str],
        settings: HostSettings,
        clock: Callable[[], float],
        gather: Gather,
    ) -> None:
        self.name = settings.name
        self.accounts = accounts
        self.profiles = keeper
        self.sessions = sessions
        self.people = people
        self.pages = pages
        self.publish = publisher.publish
        self.publish_and_wait = publisher.publish_and_wait
        self.cluster = cluster
        self.playing = seats.playing
        self.keeps_seat = seats.keeps_seat
        self.house_names = house_names
        """Folded names that belong to games and house players."""
        self.patience = settings.patience
        self.login_seconds = settings.login_seconds
        self.sysops = settings.sysops
        self.login_throttle = LoginThrottle(tries=settings.wrong_passwords)
        self.signup_quota = RateLimit(each=settings.names_per_day, seconds=DAY)
        self.clock = clock
        """What time it is, in seconds since 1970."""
        self.newcomers: set[str] = set()
        """Folded names whose first password is just being kept."""
        self.going: dict[str, asyncio.TimerHandle] = {}
        """Those whose line dropped a moment ago, by folded name: the news of it waits."""
        self.rooms: Names[Room] = Names()
        self._gather = gather
        self.lobby = self.open_room(LOBBY, "where everybody begins")
        self.dispatcher = Dispatcher(self, commands, context_of=context_of, check_talk=seats.check_talk)
        """What becomes of a typed line."""

    # who and what is here

    def open_room(self, name: str, title: str = "", *, lasting: bool = True) -> Room:
        """Return the room of that name, made if it is not there."""
        if fold(name) not in self.rooms:
            self.rooms[fold(name)] = Room(name, title, self.tell, self.now, self._gather, lasting=lasting)
        return self.rooms[fold(name)]

    def now(self) -> float:
        """Return what time it is, in seconds since 1970."""
        return self.clock()

    def audience(self, people: Iterable[Person]) -> Audience[Person]:
        """Return people as an audience, each once."""
        audience: Audience[Person] = Audience(self._gather)
        for person in people:
            audience.add(person)
        return audience

    def tell(
        self, chat_event: ChatEvent, hearers: Iterable[Person] | Audience[Person], *, but: Person | None = None
    ) -> None:
        """Let people learn what happens, each as they wish to; it is worded once for all who read it the same way."""
        if not chat_event.at:
            chat_event = attrs.evolve(chat_event, at=self.clock())
        audience = hearers if isinstance(hearers, Audience) else self.audience(hearers)
        programs = [person for person in audience.programs if person is not but] if audience.programs else ()
        far = [person for person in audience.far if person is not but] if audience.far else ()
        self.publish(Announced(chat_event, programs, far))
        self.deliver(chat_event, audience, but)

    def deliver(self, chat_event: ChatEvent, audience: Audience[Person], but: Person | None = None) -> None:
        """Let those whom this node serves learn what happens, here or elsewhere."""
        plainly = worded(chat_event, stamp=False)
        if chat_event.kind not in QUIET:
            audience.crowd.show(*plainly, but=but.terminal if but else None)
        if audience.particular:
            self._tell_particular(chat_event, audience, plainly, but)

    def _tell_particular(
        self, chat_event: ChatEvent, audience: Audience[Person], plainly: tuple[Line, ...], but: Person | None
    ) -> None:
        """Let those learn what happens who have said what they wish to hear."""
        words = {False: plainly}
        for person in [*audience.particular]:
            hears = person.wants(chat_event) if person is not but else UNHEARD
            if hears.shown:
                if hears.stamp not in words:
                    words[True] = worded(chat_event, stamp=True)
                person.show(*words[hears.stamp])
            if hears.bell and person.terminal:
                person.terminal.ring()

    def tell_all(self, chat_event: ChatEvent, *, but: Person | None = None) -> None:
        """Let everybody who is here learn what happens."""
        self.tell(chat_event, self.people.audience, but=but)

    async def greet(self, person: Person) -> None:
        """Tell somebody who has come, or is no longer away, what there is to tell."""
        await self.publish_and_wait(Entered(person))

    async def meet(self, name: str) -> None:
        """Learn whether somebody of that name is at another node, before they come in; raises `StoreUnavailable`."""
        await self.publish_and_wait(LoggingIn(name))

    def keep(self, person: Person) -> None:
        """Keep what somebody owns, by and by; a guest's only while the name is held."""
        self.profiles.keep(self.accounts.key(person.name), person.profile)

    async def owned(self, name: str) -> Profile:
        """Return what somebody owns who is not here, with people by the names that they have now."""
        return (await self.profiles.load(self.accounts.key(name))).with_names(self.accounts.now)

    def is_sysop(self, person: Person) -> bool:
        """Whether somebody may speak to everybody: by an account, whatever it was called when it was named."""
        return not person.guest and self.accounts.key(person.name) in map(self.accounts.key, self.sysops)

    def awaited_sysop(self, name: str) -> str:
        """Return the sysop whose name this one is or looks like, and who has no account yet; empty where none has."""
        for sysop in self.sysops:
            if skeleton(sysop) == skeleton(name) and fold(self.accounts.now(sysop)) not in self.accounts.names:
                return sysop
        return ""

    def check_allowed(self, name: str) -> None:
        """Raise `UserError` for a name that no person and no discussion may have."""
        allowed(name, self.house_names)
        if self.awaited_sysop(name):
            raise UserError(RESERVED_NAME.format(name))

    def announce(self, sentence: str, *, but: Person | None = None) -> None:
        """Tell everybody whom this node serves, once."""
        line = Line(sentence, "notice")
        for person in self.people.values():
            if person.local and person is not but:
                person.show(line)

    def close_room(self, room: Room) -> None:
        """Let go of a passing room that has emptied."""
        if not (room.lasting or room.people or (room.bot and not room.bot.over)):
            self.rooms.pop(fold(room.name), None)

    def room(self, name: str, asker: Person | None = None) -> Room:
        """Return the room that a name or a part of one names, if the asker may know of it; raises `UserError`."""
        found = self._one(name.removeprefix("-"), self._rooms(name.removeprefix("-"), asker))
        if found is None:
            raise NotFound(f"there is no discussion “{name.removeprefix('-')[:20]}”; /rooms lists them.")
        return found

    def person(self, name: str) -> Person:
        """Return the person here, or whose seat is kept, that a name or a part of one names; raises `UserError`."""
        found = self._one(name.removeprefix("~"), self._people(name.removeprefix("~")))
        if found is None:
            raise NotFound(f"there is no person “{name.removeprefix('~')[:20]}”; /who lists who is here.")
        return found

    def recipient(self, name: str, asker: Person | None = None) -> Person | Room:
        """Return whom a send to `name` reaches; raises `UserError`.

        A whole name counts before a beginning, that before initials, those before a part; a person before a
        discussion. `-name` is a discussion at once, `~name` a person.
        """
        if name.startswith("-"):
            return self.room(name, asker)
        if name.startswith("~"):
            return self.person(name)
        pairs = zip(self._people(name), self._rooms(name, asker), strict=True)
        found = self._one(name, (found for pair in pairs for found in pair))
        if found is None:
            raise NotFound(f"nobody and nothing here is called “{name[:20]}”; /who and /rooms list them.")
        return found

    def _people(self, name: str) -> Iterator[Sequence[Person]]:
        """Yield whom a name may mean, kind by kind; somebody with an account who is away is known by the whole name."""
        exact = self._called(name)
        yield [exact] if exact else []
        kinds = self.people.matching(fold(name), lambda person: person.here)
        next(kinds)
        yield from kinds

    def _called(self, name: str) -> Person | None:
        """Return who is called so, or was: here, away from a kept seat, or away with an account."""
        called = fold(self.accounts.now(name))
        if called in self.people:
            return self.people[called]
        away = self.accounts.names.get(called)
        return Person(away, guest=False, room=self.lobby) if away else None

    def _rooms(self, name: str, asker: Person | None) -> Iterator[Sequence[Room]]:
        return self.rooms.matching(fold(name), lambda room: asker is None or room.may_see(asker))

    def remembered(self, mark: str, asker: Person) -> Person | Room:
        """Return whom a mark names that was kept of a person (`~NAME`) or a discussion (`-ROOM`); raises `UserError`.

        It is never somebody else whose name only begins so.
        """
        room = self.rooms.get(fold(mark[1:])) if mark.startswith("-") else None
        found = self._called(mark[1:]) if mark.startswith("~") else room if room and room.may_see(asker) else None
        if found is None:
            raise NotFound(f"{mark[1:]} is not here any more, so nothing was sent; NAME;text sends to somebody else.")
        return found

    @staticmethod
    def _one(name: str, kinds: Iterable[Sequence[Named]]) -> Named | None:
        """Return the one thing of the first kind of match that has any; raises `UserError` where it has several."""
        for found in kinds:
            if len(found) > 1:
                names = listing([match.name for match in found[:8]], "or")
                raise UserError(f"“{name[:20]}” could be {names}; type more of it.")
            if found:
                return found[0]
        return None
