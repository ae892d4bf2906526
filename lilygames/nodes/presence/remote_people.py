"""People served by other nodes: each is mirrored if anyone here needs to know them, and kept at a distance if not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from lilygames.chat.host.host import Host
from lilygames.chat.host.packets import say_goodbye
from lilygames.chat.names.names import fold
from lilygames.chat.people.observers import Mirrored
from lilygames.chat.people.people import Person, Room
from lilygames.chat.people.profile import Profile
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.visits.arrivals import remove_silently
from lilygames.nodes.membership.heartbeat import Beats
from lilygames.nodes.presence.distant_person import DistantPerson
from lilygames.nodes.presence.presence_record import Presence, Records
from lilygames.nodes.presence.presence_row import Outline
from lilygames.nodes.presence.remote_terminal import Post, RemoteScreen
from lilygames.text import Line


@attrs.frozen
class Together:
    """The rooms here that some people are in."""

    rooms: tuple[Room, ...]
    is_needed: bool
    """Whether this node has to know all of their people, because it serves some of them."""
    is_whole: bool
    """Whether all of the rooms exist here."""


class RemotePeople:
    """Everyone whom other nodes serve, as their records say."""

    def __init__(self, host: Host, known: Records, beats: Beats, post: Post) -> None:
        self._host = host
        self._known = known
        self._post = post
        self._node = beats.node
        self._unplaced: dict[str, None] = {}
        """People who are in rooms that don't exist here yet."""

    async def learn(self, record: Presence, outline: Outline | None = None) -> None:
        """Learn of someone as their node announces them, unless a newer record is known.

        Without the outline of their profile that is the one known before, and for someone new at their node it is read
        from the store.
        """
        await self.learn_all(record.rooms, [(record, outline)])

    async def learn_all(self, rooms: Sequence[str], news: Iterable[tuple[Presence, Outline | None]]) -> None:
        """Learn of people who are in the same rooms, each as by `learn`."""
        together: Together | None = None
        for record, outline in news:
            name, known = fold(record.name), self._known.get(fold(record.name))
            if record.node == self._node or (known and known.order >= record.order):
                continue
            together = together or self._together(rooms)
            self._known[name] = record
            is_new = known is None or known.node != record.node
            if is_new:
                self._host.accounts.known_by(record.name, record.key)
            before = None if is_new else self._distant(name)
            now = outline or (before.outline if before else None)
            if now and self._may_be_distant(name, now, together):
                self._put_at_distance(name, record, now, together)
            else:
                await self._know(name, record, now, is_new=is_new)
                together = None  # rooms may have closed meanwhile

    async def _know(self, name: str, record: Presence, outline: Outline | None, *, is_new: bool) -> None:
        """Know someone in full. Those who are new at their node have the profile in the store, if none was sent."""
        people = self._host.people
        person = people.get(name)
        if person and not person.node and person.terminal:
            self._superseded(person)
        if person is None:
            person = people[name] = Person(record.name, guest=record.guest, room=self._host.lobby)
        self._mirror(person, record)
        if outline:
            person.set_profile(self._current(outline.whole))
        elif is_new:
            person.set_profile(await self._host.owned(record.name))

    def _distant(self, name: str) -> DistantPerson | None:
        distant = self._host.people.distant(name)
        return distant if isinstance(distant, DistantPerson) else None

    def _together(self, rooms: Sequence[str]) -> Together:
        """Look once at the rooms that several people are in."""
        found = tuple(dict.fromkeys(room for name in rooms if (room := self._room(name))))
        is_needed = any(room.bot or room.people.serves_any for room in found)
        return Together(found, is_needed=is_needed, is_whole=len(found) == len(rooms))

    def _may_be_distant(self, name: str, outline: Outline, together: Together) -> bool:
        """Return whether nobody here needs to know someone: they share no room or table, and have no rules."""
        if together.is_needed or not outline.is_plain or self._host.people.known(name):
            return False
        return not self._host.tables.seating(name)

    def _put_at_distance(self, name: str, record: Presence, outline: Outline, together: Together) -> None:
        """Keep only the record of someone, in place of an older one, and let the rooms they are in list them."""
        now, before = DistantPerson(record, outline, together.rooms, self._bring), self._distant(name)
        self._note_unplaced(name, is_placed=together.is_whole)
        if before:
            self._leave_rooms(name, [room for room in before.rooms if room not in now.rooms])
        self._host.people.put_at_distance(name, now)
        for room in now.rooms:
            room.people.put_at_distance(name, now)
            room.changed()

    def _note_unplaced(self, name: str, *, is_placed: bool) -> None:
        if not is_placed:
            self._unplaced[name] = None
        elif self._unplaced:
            self._unplaced.pop(name, None)

    def _leave_rooms(self, name: str, rooms: Iterable[Room]) -> None:
        for room in rooms:
            room.people.forget_distant(name)
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
            distant.name,
            guest=distant.record.guest,
            room=self._host.lobby,
            profile=self._current(distant.outline.whole),
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
        remote: Terminal = RemoteScreen(record.name, record.node, self._post)
        person.mirror(guest=record.guest, slow=record.slow)
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
        name, lobbies, together = fold(person.name), self._host.lobbies, self._together(record.rooms)
        rooms = together.rooms
        self._note_unplaced(name, is_placed=together.is_whole)
        for room in [room for room in person.rooms if room not in rooms]:
            room.people.pop(name)
            self._host.close_room(room)
        for room in [room for room in rooms if room not in person.rooms]:
            room.people[name] = person
        person.speak_in(self._host.rooms.called(record.room) or lobbies.of(person))

    def _room(self, name: str) -> Room | None:
        return self._host.rooms.called(name) or self._host.lobbies.called(name)

    def place_all(self) -> None:
        """Put people into the rooms that have been created here since they were announced."""
        for name in [*self._unplaced]:
            if distant := self._distant(name):
                self._settle(name, distant, distant.outline)
                continue
            person, record = self._host.people.get(name), self._known.get(name)
            if person and person.node and record:
                self._place(person, record)
            else:
                del self._unplaced[name]

    def _settle(self, name: str, distant: DistantPerson, outline: Outline) -> None:
        """Keep someone at a distance if nobody here needs to know them yet. Their profile may be another one now."""
        together = self._together(distant.record.rooms)
        if self._may_be_distant(name, outline, together):
            self._put_at_distance(name, distant.record, outline, together)
        else:
            distant.come_near().set_profile(self._current(outline.whole))

    def lose(self, name: str) -> None:
        """Remove someone who has left the node that served them."""
        record = self._known[name]
        del self._known[name]
        distant = self._distant(name)
        if distant and not self._host.keeps_seat(name):
            self._host.people.forget_distant(name)
            self._leave_rooms(name, distant.rooms)
            self._host.accounts.release(record.name)
            return
        person = self._host.people.get(name)
        if person and person.node:
            person.disconnect()
            self._host.publish(Mirrored(person))
            if not self._host.keeps_seat(name):
                remove_silently(self._host, person)
                self._host.accounts.release(record.name)

    async def refresh(self, key: str) -> None:
        """Read again what someone on another node owns, by its key."""
        name = self._known.owner(key)
        if name and self._known[name].node != self._node:
            profile = await self._host.owned(self._known[name].name)
            if distant := self._distant(name):
                self._settle(name, distant, Outline.of(profile))
            elif (person := self._host.people.get(name)) and person.node:
                person.set_profile(profile)
