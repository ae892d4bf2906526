"""Rooms made by people: stored with their charters, created and closed by their owners."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Any

import attrs
import structlog

from lilygames.chat.accounts.identity import Identity
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.charter import Charter
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Arrived, Left, PersonEvent, Renamed, Returned, RoomOpenedFrom, RoomRenamed
from lilygames.chat.people.people import Person, Room
from lilygames.chat.rooms.stored_rooms import StoredRoom
from lilygames.errors import UserError
from lilygames.limits.quota import ROOMS, Quota, Who
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Store, StoreUnavailable
from lilygames.text import clean, listing

log = structlog.get_logger()
LONGEST = 60
"""Maximum characters in a title."""
MOST_NAMES = 5
"""Maximum former names of a room. They stay reserved for it, so that nobody else gets what was sent there."""


class Discussions:
    """Create, change and close rooms, and store each change."""

    observes = (Arrived, Returned, Left, Renamed)

    def __init__(self, host: Host, store: Store, unreadable: UnreadableRows | None = None) -> None:
        self._host = host
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable

    def observe(self, event: PersonEvent) -> Awaitable[None] | None:
        """Update permissions when a guest leaves or an account is renamed, and addresses when an owner comes."""
        match event:
            case Arrived(person) | Returned(person):
                self._arrived(person)
            case Left(person):
                self._departed(person)
            case Renamed(old, new):
                return self._renamed(old, new)
        return None

    async def load(self) -> None:
        """Open all stored rooms; the name of an unreadable one stays reserved."""
        self._open_all(self._read_all(await self._store.every("discussion")))

    async def load_changed(self, known: Mapping[str, StoredRoom], keys: Collection[str]) -> None:
        """Open all stored rooms: the `known` ones, and those with these keys, which may have changed since."""
        found = {key: body for key in keys if (body := await self._store.find("discussion", key)) is not None}
        unchanged = {key: room for key, room in known.items() if key not in keys}
        self._open_all(unchanged | self._read_all(found))

    def _read_all(self, bodies: Mapping[str, str]) -> dict[str, StoredRoom]:
        return {key: stored for key, body in bodies.items() if (stored := self._read(key, body))}

    def _read(self, key: str, body: str) -> StoredRoom | None:
        """Parse a stored room; None if it is unreadable."""
        try:
            stored = StoredRoom.read(body)
        except ValueError as problem:
            self._unreadable.report("discussion", key, problem)
            return None
        self._unreadable.repaired("discussion", key)
        return stored

    def _open_all(self, stored: Mapping[str, StoredRoom]) -> None:
        is_known = self._host.accounts.is_known
        for key, one in sorted(stored.items()):
            room = self._opened(key, one)
            self._strike(room, frozenset(name for name in room.charter.entitled if not is_known(name)))

    def _opened(self, key: str, stored: StoredRoom) -> Room:
        """Open a stored room, or change it to what is stored, and return it."""
        room = self._host.rooms.called(key) or self._host.open_room(stored.name, stored.title)
        room.retitle(stored.title)
        room.govern(_called(stored.charter, self._host.accounts.now))
        if (room.name, room.former) != (stored.name, stored.former):
            self._host.rooms.rename(room, stored.name, stored.former)
            self._follow(room)
        return room

    async def refresh(self, key: str) -> None:
        """Reload a room after another node created, changed or closed it."""
        body = await self._store.find("discussion", key)
        if body:
            if stored := self._read(key, body):
                self._opened(key, stored)
        elif room := self._host.rooms.called(key):
            self._end(room)

    def _follow(self, room: Room) -> None:
        """Call a renamed room by its new name in what the people here have stored, and tell the observers."""
        for other in self._host.people.nearby():
            other.set_profile(other.profile.with_rooms(self._host.rooms.now))
        self._host.publish(RoomRenamed(room))

    @staticmethod
    def _strike(room: Room, names: frozenset[str]) -> None:
        """Remove the rights of names that may soon belong to someone else."""
        charter = room.charter
        if not names:
            return
        room.govern(
            attrs.evolve(
                charter,
                moderators=charter.moderators - names,
                speakers=charter.speakers - names,
                permitted=charter.permitted - names,
                floor="" if charter.floor in names else charter.floor,
                offered="" if charter.offered in names else charter.offered,
            )
        )

    def forget_person(self, who: Identity) -> None:
        """Close the rooms of a deleted person, and remove their rights elsewhere."""
        names = who.names
        for room in [*self._host.rooms.values()]:
            charter = room.charter
            if charter.owner in names:
                self._end(room)
                self._release(room)
            elif names & (charter.entitled | charter.barred):
                until = {name: at for name, at in charter.until.items() if name not in names}
                room.govern(attrs.evolve(charter, barred=charter.barred - names, until=until))
                self._strike(room, names)

    def _departed(self, person: Person) -> None:
        """Revoke a guest's rights when they leave, because their name is free again."""
        name = fold(person.name)
        for room in self._host.rooms.entitling(name) if person.guest and not person.seats else ():
            self._strike(room, frozenset({name}))

    async def _renamed(self, old: str, new: str) -> None:
        """Keep a person's rights the same after they are renamed."""
        for room in [*self._host.rooms.values()]:
            before = room.charter
            room.govern(_called(before, lambda name: new if name == fold(old) else name))
            if room.charter != before and room.charter.owner:
                try:
                    await self._keep(room)
                except StoreUnavailable as problem:  # readers of the record map the old name to the new one
                    log.warning("a room can't be saved", room=room.name, why=str(problem))

    async def _keep(self, room: Room) -> None:
        stored = StoredRoom(room.name, room.title, room.charter, room.former)
        await self._store.keep("discussion", room.key, stored.text)

    async def create(self, person: Person, name: str, title: str, charter: Charter) -> Room:
        """Create a room owned by a person and let them join; raises `UserError` if the name is taken."""
        self.may_own(person)
        self._check_address(person)
        title = checked_title(title)
        await self._claim(name, person)
        try:
            self._check_address(person)  # others may have opened rooms there in the meantime
        except UserError:
            self._host.cluster.release(f"room {fold(name)}")
            raise
        room = self._host.open_room(name, title)
        room.govern(attrs.evolve(charter, owner=fold(person.name), cleared=self._host.clock()))
        try:
            await self._keep(room)
        except StoreUnavailable:
            del self._host.rooms[fold(name)]
            raise
        self._opened_from(room, person.origin)
        if not room.charter.private:
            self._host.tell_all(person.did("create", rooms=(room.name,), text=room.title), but=person)
        return room

    async def _claim(self, name: str, person: Person, room: Room | None = None) -> None:
        """Claim a name for a new room, or for one that is renamed; raises `UserError` if it is reserved or taken."""
        self._host.check_allowed(name)
        self._check_free(name, person, room)
        if not await self._host.cluster.claim(f"room {fold(name)}"):
            raise UserError(f"{name} is taken. Please choose another name.")
        self._check_free(name, person, room)  # someone may have taken it in the meantime

    def _release(self, room: Room) -> None:
        """Release all names of a room."""
        for name in dict.fromkeys((*room.former, fold(room.name))):
            self._host.cluster.release(f"room {name}")

    def _check_free(self, name: str, person: Person, but: Room | None) -> None:
        """Raise `UserError` if a name is taken, or looks like that of a person or of a room this person may see.

        A room's own name doesn't count if it is renamed.
        """
        host = self._host
        reserved = host.rooms.called(name) or self._unreadable.case("discussion", fold(name))
        if reserved or host.people.twins(name) or host.accounts.look_alike(name):
            raise UserError(f"{name} is taken. Please choose another name.")
        others = (room for room in host.rooms.twins(name) if room is not but)
        if like := next((room.name for room in others if room.may_see(person)), ""):
            raise UserError(f"{name} looks too much like {like}. Please choose another name.")

    def may_own(self, person: Person) -> None:
        """Raise `UserError` if the person owns too many rooms already."""
        if person.guest:
            raise UserError(
                f"{person.name} is a guest, and only registered people can own a room. Type /register to register."
            )
        who = Who(fold(person.name), guest=person.guest)
        self._host.quotas.check(ROOMS, who, self._rooms_of, about=person.name, held=self._host.rooms)

    def _rooms_of(self, _: Quota, who: Who) -> list[str]:
        return [room.name for room in self._host.rooms.owned_by(who.person)]

    def _check_address(self, person: Person) -> None:
        """Raise `UserError` if too many rooms were opened from a person's address already."""
        quotas = self._host.quotas
        quotas.check(ROOMS, quotas.at(person.origin), held=self._host.rooms)

    def _opened_from(self, room: Room, address: str) -> None:
        """Count a room for an address, here and at the other nodes."""
        self._host.rooms.opened_from(room.key, address)
        self._host.publish(RoomOpenedFrom(room.key, address))

    def _arrived(self, person: Person) -> None:
        """Count someone's rooms for their address, if those count for none since a start."""
        for room in self._host.rooms.owned_by(fold(person.name)) if person.origin else ():
            if room.key not in self._host.rooms.addresses:
                self._opened_from(room, person.origin)

    def owned(self, person: Person, room: Room) -> Room:
        """Return the room if the person owns it; raises `UserError` otherwise."""
        if room.charter.owner != fold(person.name):
            owner = room.charter.owner or "the server"
            raise UserError(f"{room.name} belongs to {owner}. Type /create NAME to open a room of your own.")
        return room

    def kept_by(self, person: Person, room: Room) -> Room:
        """Return the room if the person owns or moderates it; raises `UserError` otherwise."""
        if fold(person.name) not in room.charter.keepers:
            raise UserError(
                f"only the owner and moderators of {room.name} can do that. Type /what {room.name} to see who they are."
            )
        return room

    async def retitle(self, person: Person, room: Room, title: str) -> None:
        """Change a room's title."""
        title = checked_title(title)
        before = self.owned(person, room).title
        room.retitle(title)
        try:
            await self._keep(room)
        except StoreUnavailable:
            room.retitle(before)
            raise
        self._tell(person.did("retitle", rooms=(room.name,), text=room.title), room.people.values())

    async def rename(self, person: Person, room: Room, name: str) -> None:
        """Change a room's name. Its former names lead to it until it is closed."""
        self.owned(person, room)
        old, before = room.name, room.former
        if name == old:
            raise UserError(f"that room is already called {old}. Type /drename {old} and another name.")
        known = tuple(dict.fromkeys((*before, fold(old))))
        if fold(name) not in known:
            if len(known) > MOST_NAMES:
                again = listing([one for one in known if one != fold(old)], "or")
                raise UserError(
                    f"{old} has already had {MOST_NAMES} other names. To change it again, pick one of them: {again}."
                )
            await self._claim(name, person, room)
        self._host.rooms.rename(room, name, known)
        try:
            await self._keep(room)
        except StoreUnavailable:
            self._host.rooms.rename(room, old, before)
            raise
        self._tell_of(room, person.did("drename", rooms=(old,), text=name))
        self._follow(room)

    async def destroy(self, person: Person, room: Room) -> None:
        """Close a room; its members return to the lobby."""
        self.owned(person, room)
        await self._store.forget("discussion", room.key)
        self._release(room)
        self._tell_of(room, person.did("destroy", rooms=(room.name,)))
        self._end(room)

    def _end(self, room: Room) -> None:
        """Remove a room and everyone in it."""
        self._host.rooms.pop(fold(room.name), None)
        self._host.rooms.forget_address(room)
        for other in [*room.people.values()]:
            if other.room is room:
                other.speak_in(self._host.lobbies.of(other))
            if not other.node:
                forget_room(self._host, other, room)
        room.people.clear()

    async def change(self, room: Room, news: ChatEvent | None, also: Iterable[Person] = (), **charter: Any) -> None:
        """Change a room's charter, and tell its members and those in `also`."""
        before, after = room.charter, attrs.evolve(room.charter, **charter)
        room.govern(after)
        try:
            await self._keep(room)
        except StoreUnavailable:
            if room.charter is after:
                room.govern(before)
            raise
        if news:
            self._tell(news, (*room.people.values(), *(person for person in also if person.here)))

    def _tell_of(self, room: Room, news: ChatEvent) -> None:
        """Tell everyone who may see a room what became of it, except the person who did it."""
        self._tell(news, [person for person in self._host.people.values() if room.may_see(person)])

    def _tell(self, news: ChatEvent, hearers: Iterable[Person]) -> None:
        self._host.tell(news, dict.fromkeys(hearers), but=self._host.people.get(fold(news.by)))


def _called(charter: Charter, now: Callable[[str], str]) -> Charter:
    """Return a charter with everyone under their current name."""

    def called(names: frozenset[str]) -> frozenset[str]:
        return frozenset(fold(now(name)) for name in names)

    everyone = charter.entitled | charter.barred | charter.until.keys() | {charter.owner}
    if all(fold(now(name)) == name for name in everyone):
        return charter
    return attrs.evolve(
        charter,
        owner=fold(now(charter.owner)),
        floor=fold(now(charter.floor)),
        moderators=called(charter.moderators),
        speakers=called(charter.speakers),
        permitted=called(charter.permitted),
        barred=called(charter.barred),
        until={fold(now(name)): at for name, at in charter.until.items()},
        offered=fold(now(charter.offered)),
    )


def checked_title(title: str) -> str:
    """Return a cleaned title; raises `UserError` if it is too long."""
    title = clean(title).strip().strip('"“”').strip()
    if len(title) > LONGEST:
        raise UserError(f"that title has {len(title)} characters. Use at most {LONGEST}.")
    return title


def remember_room(host: Host, person: Person, room: Room) -> None:
    """Store a room membership, which lasts after the person disconnects."""
    if room.lasting and room.name not in person.profile.rooms:
        person.update_profile(rooms=(*person.profile.rooms, room.name))
        host.keep(person)


def forget_room(host: Host, person: Person, room: Room) -> None:
    """Remove a room from a person's stored memberships."""
    rooms = tuple(name for name in person.profile.rooms if fold(name) != fold(room.name))
    if rooms != person.profile.rooms:
        person.update_profile(rooms=rooms)
        host.keep(person)


def leave_room(host: Host, person: Person, room: Room) -> None:
    """Remove a person from a room and its stored memberships; if they spoke there, they are in the lobby now."""
    room.leave(person)
    forget_room(host, person, room)
    if person.room is room:
        person.go(host.lobbies.of(person))
    host.close_room(room)
