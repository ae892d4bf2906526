"""Talk in rooms with members at several nodes: every node shows it in the order in which the store has it.

The speaker's node stores a message, and then tells the room's topic which place it got. Each node with members there
shows the messages by their places, and reads from the store what the bus has lost. While nothing can be stored, they go
to each node past this order, as private messages do.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import structlog

from lilygames import codec
from lilygames.bus import Bus, Reconnected
from lilygames.chat.host import packets
from lilygames.chat.host.host import Host
from lilygames.chat.names.names import fold
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import UNHEARD
from lilygames.chat.people.observers import Announced, Arrived, Held, PersonEvent, Returned
from lilygames.chat.people.people import Room
from lilygames.chat.talk.history import as_text, of_room, read_batch
from lilygames.chat.tasks.periodic import regularly
from lilygames.nodes.hints.topic_hints import TopicHints
from lilygames.nodes.membership.heartbeat import BEAT
from lilygames.nodes.membership.membership import Membership
from lilygames.nodes.order.room_order import RoomSequence, ShownOnce, words_of
from lilygames.nodes.presence.roster import Roster
from lilygames.store import Entry, Store, StoreUnavailable

log = structlog.get_logger()
PATIENCE = 0.2
"""Seconds that a message waits for one with an earlier place before that is read from the store."""
LATE = 2.0
"""Seconds that the store has to give a message its place; then it is shown past the order."""
LONGEST = 200_000
"""Maximum characters of messages in a hint; longer ones are read from the store."""
GLANCE = 0.005
Messages = tuple[ChatEvent, ...]
Places = Mapping[str, tuple[int, ...]]
"""By log: the entry up to which all have been shown, and later ones that need not be shown."""


class _Followed:
    """A room that this node follows."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.sequence: RoomSequence[Messages] = RoomSequence()
        self.once = ShownOnce()
        self.own: list[int] = []
        """Entries that this node has stored since it began to rest."""


class RoomTalk:
    """Shows the messages of the rooms with people of this node, and tells the other nodes what is said here."""

    observes = (Arrived, Returned, Announced, Held)

    def __init__(
        self, host: Host, store: Store, bus: Bus, *, membership: Membership, roster: Roster, places: Places
    ) -> None:
        """`places` are those up to which the process before has shown each room's messages."""
        self._host = host
        self._store = store
        self._bus = bus
        self._hints: TopicHints[str] = TopicHints(bus, "said")
        self._beats = membership.beats
        self._roster = roster
        self._ordered = membership.ordered
        self._places = {**places}
        """Those of rooms that aren't followed yet."""
        self._followed: dict[str, _Followed] = {}
        """By log."""
        self._held: dict[str, list[ChatEvent]] = {}
        """Messages said here that have no place yet, by log."""
        self._writing: dict[str, Sequence[ChatEvent]] = {}
        """The batch that is being stored in each log."""
        self._doubtful: set[str] = set()
        """Logs of which entries may have been stored without a hint that came here."""
        self._filling: set[str] = set()
        """Logs of which missing entries are being read."""
        self._running: set[asyncio.Task[None]] = set()
        self._rests = True
        """Whether nothing is shown, because this node hasn't woken or will restart."""

    def observe(self, event: PersonEvent) -> None:
        """Hold a message until it has its place, or follow the rooms of someone who has come."""
        match event:
            case Held(chat_event):
                self._hold(chat_event)
            case Announced(chat_event) if chat_event.kind == "join":
                asyncio.get_running_loop().call_soon(self._weigh_room, chat_event.rooms[0])  # told before they are in
            case Arrived(person) | Returned(person):
                for room in person.rooms:
                    self._weigh(room)

    # what is said here

    def _hold(self, message: ChatEvent) -> None:
        """Keep a message until it has its place, or the store is too slow."""
        name = of_room(self._host.rooms.key(message.only_room))
        self._held.setdefault(name, []).append(message)
        asyncio.get_running_loop().call_later(LATE, self._check_held, name, message)

    def _check_held(self, name: str, message: ChatEvent) -> None:
        if any(held is message for held in self._held.get(name, ())):
            self._give_up_order()

    def _give_up_order(self) -> None:
        """Show everything that is held past the order, as from now on all that is said, until something is stored."""
        if not self._ordered.pauses:
            log.warning("the store is slow or away: talk is shown in each speaker's order until it is back")
            self._ordered.pause(on=True)
        held, self._held = self._held, {}
        for name, messages in held.items():
            for message in messages:
                self._send_past_order(name, message)

    def _send_past_order(self, name: str, message: ChatEvent) -> None:
        """Show a message that has no place yet, here and on the other nodes."""
        room = self._host.rooms.called(message.only_room)
        if room:
            speaker = self._host.people.get(fold(message.by))
            remote = [person for person in room.audience.remote if person is not speaker]
            self._roster.relay(message, remote, room.audience.mark)
        self._show(name, (message,))

    def begin(self, name: str, batch: Sequence[ChatEvent]) -> None:
        """Hear that a batch is about to be stored: nobody else has to read it."""
        self._writing[name] = batch

    def stored(self, name: str, number: int, batch: Sequence[ChatEvent]) -> None:
        """Show the messages of a batch that waited for their place, and tell the other nodes."""
        self._writing.pop(name, None)
        if self._ordered.pauses and not self._rests:
            log.info("the store is back: talk is shown in one order again")
            self._ordered.pause(on=False)
        held = self._held.get(name, [])
        mine = tuple(message for message in batch if any(one is message for one in held))
        if mine:
            self._held[name] = [one for one in held if not any(one is message for message in mine)]
            if not self._held[name]:
                del self._held[name]
        room = self._followed.get(name)
        if room is None:
            if name in self._places:  # the process before has shown it
                self._places[name] = (*self._places[name], number)
            self._show(name, mine)
            return
        self._start(self._tell(room, number, mine))
        if self._rests:
            room.own.append(number)
            self._show(name, mine)
        else:
            self._take(room, name, number, mine)

    async def _tell(self, room: _Followed, number: int, mine: Messages) -> None:
        """Tell the other nodes with members in a room of an entry, and of the messages in it to show."""
        found = self._host.rooms.called(room.key)
        if found is None or (found.people.serves_all and not self._ordered.resumes):
            return
        said = as_text(mine)
        about = {"from": self._beats.node, "entry": number}
        text = json.dumps(about) if len(said) > LONGEST else f'{json.dumps(about)[:-1]}, "said": {said}}}'
        await self._bus.publish(self._hints.topic(room.key), text.encode())

    # what is said elsewhere

    def sent_past_order(self, message: ChatEvent) -> bool:
        """Return whether to show a message that another node has sent past the order."""
        name = of_room(self._host.rooms.key(message.only_room)) if message.only_room else ""
        room = self._followed.get(name)
        return room is None or room.once.sent(message)

    async def listen(self) -> None:
        """Follow hints about rooms until cancelled."""
        async for key, hint in self._hints:
            name = of_room(key)
            try:
                if room := self._followed.get(name):
                    self._hear(name, room, hint)
            except Exception:
                log.exception("cannot read a message of another node")

    def _hear(self, name: str, room: _Followed, hint: bytes | Reconnected) -> None:
        if isinstance(hint, Reconnected):
            if not self._doubtful:
                self._start(self._check_doubtful())
            self._doubtful.add(name)
            return
        match json.loads(hint):
            case {"from": self._beats.node}:
                return
            case {"entry": int(number), "said": said} if not self._rests:
                self._take(room, name, number, codec.load(said, Messages))
            case {"entry": int(number)} if not self._rests:
                room.sequence.learn(number)
                self._fill_soon(name, room)

    def _take(self, room: _Followed, name: str, number: int, messages: Messages) -> None:
        """Show an entry once its turn has come. If an earlier one is missing, read that from the store soon."""
        for some in room.sequence.take(number, messages):
            self._show(name, some)
        self._fill_soon(name, room)

    def _show(self, name: str, messages: Iterable[ChatEvent]) -> None:
        """Show messages to the people here, each by their own rules."""
        room = _room(self._host, name)
        if room is None:
            return
        for message in messages:
            try:
                self._show_one(message, room)
            except Exception:
                log.exception("cannot show a message", room=name)

    def _show_one(self, message: ChatEvent, room: Room) -> None:
        speaker, near = self._host.people.get(fold(message.by)), room.people.near
        packets.said(self._host, message, [person for person in near.programs if person is not speaker])
        self._host.deliver(message, near, speaker)
        if speaker and speaker.terminal and speaker not in near.selective:
            speaker.terminal.tell(message, UNHEARD)

    # what the bus has lost

    def _fill_soon(self, name: str, room: _Followed) -> None:
        if name not in self._filling and room.sequence.missing():
            self._filling.add(name)
            self._start(self._fill(name, room))

    async def _fill(self, name: str, room: _Followed) -> None:
        """Read missing entries, unless their hints come in a moment."""
        try:
            await asyncio.sleep(PATIENCE)
            while (numbers := room.sequence.missing()) and not self._rests and self._followed.get(name) is room:
                await self._read(name, room, numbers)
                await asyncio.sleep(GLANCE)
        except StoreUnavailable as problem:
            log.warning("missed messages cannot be read yet", room=name, why=str(problem))
            for messages in room.sequence.pass_over():
                self._show(name, messages)
        finally:
            self._filling.discard(name)

    async def _read(self, name: str, room: _Followed, numbers: Sequence[int]) -> None:
        """Read these entries and show their messages, except for one that this node is just writing."""
        entries = {entry.seq: entry for entry in await self._store.entries_at(name, numbers)}
        writing = [*map(words_of, self._writing.get(name, ()))]
        for number in numbers:
            if room.sequence.has(number) or self._rests:
                continue
            batch = _batch(entries.get(number))
            if not batch or [*map(words_of, batch)] != writing:
                messages = tuple(one for one in batch if one.only_room and room.once.read(one))
                for some in room.sequence.take(number, messages):
                    self._show(name, some)

    async def _check_doubtful(self) -> None:
        """Check the logs about which hints may have been lost, all with one query."""
        await asyncio.sleep(0)
        names, self._doubtful = self._doubtful, set()
        try:
            await self._check(names)
        except StoreUnavailable as problem:
            log.warning("cannot check rooms", why=str(problem))

    async def _check(self, names: Iterable[str]) -> None:
        """Learn how many entries these logs have, and read those that are missing. Raises `StoreUnavailable`."""
        names = [name for name in names if name in self._followed]
        heads = await self._store.heads(names) if names else {}
        for name, head in heads.items():
            room = self._followed.get(name)
            if room is None or self._rests:
                continue
            if room.sequence.shown is None:
                self._begin_room(name, room, head)
            room.sequence.learn(head)
            self._fill_soon(name, room)

    def _begin_room(self, name: str, room: _Followed, head: int) -> None:
        """Show a room's messages in order from now on: after those that the process before has shown, or the last."""
        shown, *own = self._places.pop(name, (head,))
        for number in own:
            room.sequence.take(number, ())
        for messages in room.sequence.begin(shown):
            self._show(name, messages)
        self._ordered.add(room.key)

    # which rooms

    def _weigh_room(self, name: str) -> None:
        if room := self._host.rooms.called(name):
            self._weigh(room)

    def _weigh(self, room: Room) -> None:
        """Follow a room if people here are in it."""
        name = of_room(room.key)
        if name not in self._followed and not self._rests and room.people.serves_any:
            self._followed[name] = _Followed(room.key)
            self._hints.opened(room.key)

    async def look(self) -> None:
        """Follow the rooms that need it, leave the others, and check for lost hints. Raises `StoreUnavailable`."""
        if self._rests:
            return
        served = (person for person in self._host.people.nearby() if not person.node)
        for room in dict.fromkeys(room for person in served for room in person.rooms):
            self._weigh(room)
        for name, followed in [*self._followed.items()]:
            found = _room(self._host, name)
            if found is None or not found.people.serves_any:
                self._hints.dropped(followed.key)
                self._ordered.drop(followed.key)
                del self._followed[name]
        self._places = {name: place for name, place in self._places.items() if name in self._followed}
        await self._check([*self._followed])

    def go_on(self) -> None:
        """Show rooms in order from now on, after what the process before has shown. Call it before anyone here types.

        Else the first lines would be shown here before those that other nodes stored meanwhile.
        """
        self._rests = False
        self._ordered.resume(on=True)
        asyncio.get_running_loop().call_later(2 * BEAT, partial(self._ordered.resume, on=False))
        for room in [*self._host.rooms.values()]:
            self._weigh(room)
        for name, followed in self._followed.items():
            if name in self._places:
                self._begin_room(name, followed, 0)

    async def watch(self) -> None:
        """Follow rooms until cancelled."""
        self._rests = False
        await regularly(BEAT, self.look, "cannot check rooms", first=0.0)

    async def rest(self) -> None:
        """Show nothing more in order, because this node is about to restart. Returns when nothing is held back."""
        while self._held:  # noqa: ASYNC110 - for at most `LATE` seconds
            await asyncio.sleep(GLANCE)
        self._rests = True
        self._ordered.pause(on=True)

    @property
    def places(self) -> dict[str, tuple[int, ...]]:
        """How far each room's messages have been shown, for the next process."""
        return {
            name: (room.sequence.shown, *(number for number, some in room.sequence.early() if not some), *room.own)
            for name, room in self._followed.items()
            if room.sequence.shown is not None
        }

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def end(self) -> None:
        """Stop following rooms."""
        self._rests = True
        for room in self._followed.values():
            self._hints.dropped(room.key)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)


def _room(host: Host, name: str) -> Room | None:
    """Return the room of a log."""
    return host.rooms.called(name.removeprefix(of_room("")))


def _batch(entry: Entry | None) -> Messages:
    """Return the events of an entry; none if it was deleted, or can't be read."""
    try:
        return read_batch(entry) if entry else ()
    except ValueError:
        return ()
