"""People served by other nodes: each is mirrored if anyone here needs to know them, and kept at a distance if not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lilygames.chat.arrivals import vanish
from lilygames.chat.host import Host
from lilygames.chat.names import fold
from lilygames.chat.observers import Mirrored
from lilygames.chat.packets import say_goodbye
from lilygames.chat.people import Person, Room
from lilygames.chat.profile import Profile
from lilygames.chat.terminal import Terminal
from lilygames.nodes.distant_person import DistantPerson, is_plain
from lilygames.nodes.heartbeat import MARKS, Beats
from lilygames.nodes.presence_record import Presence, Records
from lilygames.nodes.remote_terminal import Elsewhere, Post
from lilygames.text import Line


class RemotePeople:
    """Everyone whom other nodes serve, as their records say."""

    def __init__(self, host: Host, known: Records, beats: Beats, post: Post) -> None:
        self._host = host
        self._known = known
        self._beats = beats
        self._post = post
        self._node = beats.node
        self._unplaced: dict[str, None] = {}
        """People who are in rooms that don't exist here yet."""

    async def learn(self, record: Presence, profile: Profile | None = None) -> None:
        """Learn of someone as their node announces them, unless a newer record is known.

        Without a profile it is the one known before, and for someone new at their node it is read from the store.
        """
        name, people = fold(record.name), self._host.people
        known = self._known.get(name)
        if record.node == self._node or (known and known.order >= record.order):
            return
        self._known[name] = record
        is_new = known is None or known.node != record.node
        if is_new:
            self._host.accounts.known_by(record.name, record.key)
        distant = self._distant(name)
        if distant and not is_new:
            profile = profile or distant.profile
        if profile and (distant or name not in people) and self._may_be_distant(record, profile):
            self._put_at_distance(record, profile)
            return
        person = people.get(name)
        if person and not person.node and person.terminal:
            self._superseded(person)
        if person is None:
            person = people[name] = Person(record.name, guest=record.guest, room=self._host.lobby)
        self._mirror(person, record)
        if is_new:
            person.set_profile(profile or await self._host.owned(record.name))
        elif profile:
            person.set_profile(self._current(profile))

    def _distant(self, name: str) -> DistantPerson | None:
        distant = self._host.people.distant(name)
        return distant if isinstance(distant, DistantPerson) else None

    def _may_be_distant(self, record: Presence, profile: Profile) -> bool:
        """Return whether nobody here needs to know someone: they share no room or table, and have no rules.

        A node of an earlier release is sent the names of all hearers, so beside one this node knows everyone.
        """
        rooms = [self._room(name) for name in record.rooms]
        if any(room and (room.bot or room.people.serves_any) for room in rooms):
            return False
        return is_plain(profile) and not self._host.tables.seating(record.name) and self._beats.all_read(MARKS)

    def _put_at_distance(self, record: Presence, profile: Profile) -> None:
        """Keep only the record of someone, in place of an older one, and let the rooms they are in list them."""
        name, people = fold(record.name), self._host.people
        rooms, before = self._rooms(record), self._distant(name)
        now = DistantPerson(record, profile, tuple(rooms), self._bring)
        if before:
            self._leave_rooms(before, [room for room in before.rooms if room not in rooms])
        people.put_at_distance(name, now)
        for room in rooms:
            room.people.put_at_distance(name, now)
            room.changed()

    def _leave_rooms(self, distant: DistantPerson, rooms: Iterable[Room]) -> None:
        for room in rooms:
            room.people.forget_distant(fold(distant.name))
            room.changed()
            self._host.close_room(room)

    def _bring(self, distant: DistantPerson) -> Person:
        """Make the person of a record, because someone looks at them or shares a room with them now."""
        name, people = fold(distant.name), self._host.people
        if people.distant(name) is not distant:
            return people[name]
        for room in distant.rooms:
            room.people.forget_distant(name)
        person = Person(
            distant.name, guest=distant.record.guest, room=self._host.lobby, profile=self._current(distant.profile)
        )
        people.bring(name, person)
        self._mirror(person, distant.record)
        return person

    def _current(self, profile: Profile) -> Profile:
        """Return a profile with everyone and every room under their current name."""
        return profile.with_names(self._host.accounts.now).with_rooms(self._host.rooms.now)

    @staticmethod
    def _superseded(person: Person) -> None:
        """Close the connection of someone who has logged in at another node."""
        if older := person.disconnect():
            older.show(Line("(disconnected: you've logged in from somewhere else)"))
            say_goodbye(older, "elsewhere")
            older.close()

    def _mirror(self, person: Person, record: Presence) -> None:
        remote: Terminal = Elsewhere(record.name, record.node, self._post)
        person.set_guest(guest=record.guest)
        if record.here:
            person.connect(remote, record.node)
        else:
            person.disconnect(record.node)
        person.activity.restore(
            since=record.since,
            idle_seconds=max(0.0, self._host.clock() - record.typed),
            away=record.away,
            idle=record.idled,
            missed_since=person.activity.missed_since,
        )
        self._place(person, record)
        self._host.publish(Mirrored(person))

    def _place(self, person: Person, record: Presence) -> None:
        """Put someone into the rooms that their node names, if those exist here."""
        name, lobbies, rooms = fold(person.name), self._host.lobbies, self._rooms(record)
        for room in [room for room in person.rooms if room not in rooms]:
            room.people.pop(name)
            self._host.close_room(room)
        for room in [room for room in rooms if room not in person.rooms]:
            room.people[name] = person
        person.speak_in(self._host.rooms.called(record.room) or lobbies.of(person))

    def _rooms(self, record: Presence) -> Mapping[Room, None]:
        """Return the rooms that someone's node names and that exist here."""
        found, name = [self._room(room) for room in record.rooms], fold(record.name)
        if None in found:
            self._unplaced[name] = None
        else:
            self._unplaced.pop(name, None)
        return dict.fromkeys(room for room in found if room)

    def _room(self, name: str) -> Room | None:
        return self._host.lobbies.called(name) or self._host.rooms.called(name)

    def place_all(self) -> None:
        """Put people into the rooms that have been created here since they were announced."""
        for name in [*self._unplaced]:
            if distant := self._distant(name):
                self._settle(distant, distant.profile)
                continue
            person, record = self._host.people.get(name), self._known.get(name)
            if person and person.node and record:
                self._place(person, record)
            else:
                del self._unplaced[name]

    def _settle(self, distant: DistantPerson, profile: Profile) -> None:
        """Keep someone at a distance if nobody here needs to know them yet. Their profile may be another one now."""
        if self._may_be_distant(distant.record, profile):
            self._put_at_distance(distant.record, profile)
        else:
            distant.come_near().set_profile(self._current(profile))

    def lose(self, name: str) -> None:
        """Remove someone who has left the node that served them."""
        record = self._known[name]
        del self._known[name]
        distant = self._distant(name)
        if distant and not self._host.keeps_seat(name):
            self._host.people.forget_distant(name)
            self._leave_rooms(distant, distant.rooms)
            self._host.accounts.release(record.name)
            return
        person = self._host.people.get(name)
        if person and person.node:
            person.disconnect()
            self._host.publish(Mirrored(person))
            if not self._host.keeps_seat(name):
                vanish(self._host, person)
                self._host.accounts.release(record.name)

    async def refresh(self, key: str) -> None:
        """Read again what someone on another node owns, by its key."""
        name = self._known.owner(key)
        if name and self._known[name].node != self._node:
            profile = await self._host.owned(self._known[name].name)
            if distant := self._distant(name):
                self._settle(distant, profile)
            elif (person := self._host.people.get(name)) and person.node:
                person.set_profile(profile)
