"""Stored chat history: one log per room, and one per person for private messages."""

from __future__ import annotations

import asyncio
import uuid
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from json.encoder import encode_basestring_ascii as _quoted
from typing import Protocol

import attrs
import structlog

from lilygames import codec
from lilygames.chat.names.names import fold
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.observers import Announced, Held, PersonEvent, Said
from lilygames.chat.tasks.cooperative import run_in_slices
from lilygames.recovery.unreadable import UnreadableRows
from lilygames.store import Draft, Entry, Store, StoreUnavailable

log = structlog.get_logger()
RETRY = 1.0
"""Seconds until a failed write is retried."""
GATHERED = 0.5
"""Seconds for which events are batched before they are written, unless someone is waiting to read them."""
GLANCE = 0.1
"""Seconds between a reader's checks whether waiting for pending writes still makes sense."""
BATCH = 100
"""Maximum events written as one entry; batching makes each one cheaper."""
MOST = 100_000
"""Maximum events waiting while the store is full. Beyond that the oldest are dropped and the sysop is told."""
_KEPT = frozenset(
    "public emote private pa join quit create destroy retitle permit depermit appoint unappoint drename".split()
)
_STORED = (Announced, Held)
LOGS = 500
"""Maximum logs written at once."""
TOGETHER = 50
"""Maximum logs written with one call of the store."""
PAGE = 200
"""Entries read at once."""
FARTHEST = 50 * PAGE
"""Maximum entries of one log read for one review."""


def of_room(key: str) -> str:
    """Return the log name of a room, by its key."""
    return f"said/{key}"


def of_person(key: str) -> str:
    """Return the log name of a person's private messages, sent and received, by account key."""
    return f"mail/{key}"


def _is_of_person(name: str) -> bool:
    """Return whether a log has the private messages of a person."""
    return name.startswith(of_person(""))


def as_text(batch: Iterable[ChatEvent]) -> str:
    """Return chat events as `codec.to_text` would. This version is faster, because busy rooms spend much time here."""
    return f"[{','.join(map(_as_text, batch))}]"


def _draft(batch: Sequence[ChatEvent]) -> Draft:
    return Draft(batch[0].by, as_text(batch))


def _as_text(one: ChatEvent) -> str:
    rooms, to = ",".join(map(_quoted, one.rooms)), ",".join(map(_quoted, one.to))
    return (
        f'{{"at":{one.at!r},"blurb":{_quoted(one.blurb)},"by":{_quoted(one.by)},"is":"Happening","kind":"{one.kind}",'
        f'"rooms":[{rooms}],"text":{_quoted(one.text)},"to":[{to}]}}'
    )


@attrs.frozen
class UnsavedTalk:
    """Events of a log that aren't saved yet. The first `number` of them may be: the answer to `cmd` is missing."""

    log: str
    events: tuple[ChatEvent, ...]
    cmd: str
    number: int


class Writes(Protocol):
    """Hears of each batch that is written to a log."""

    def begin(self, name: str, batch: Sequence[ChatEvent]) -> None:
        """Hear that a batch is about to be written to a log."""

    def stored(self, name: str, number: int, batch: Sequence[ChatEvent]) -> None:
        """Hear that it is the log's entry of this number."""


class Output(Protocol):
    """The output to all connections. It waits until the messages in it are stored."""

    def said(self, number: int) -> None:
        """Let all output from now on wait until this message is stored."""

    def stored(self, number: int) -> None:
        """Write the output that waited for this message, and for those before it."""


class AtOnce:
    """Output that waits for nothing, where nobody reads it on a connection."""

    def said(self, number: int) -> None:
        """Do nothing."""

    def stored(self, number: int) -> None:
        """Do nothing."""


@attrs.frozen
class _Unseen:
    """A message that nobody has read yet: its number, and its place in each log among those that wait or waited."""

    number: int
    places: Mapping[str, int]


class Unwatched:
    """Nobody needs to know what is written: no other node has members in the rooms here."""

    def begin(self, name: str, batch: Sequence[ChatEvent]) -> None:
        """Do nothing."""

    def stored(self, name: str, number: int, batch: Sequence[ChatEvent]) -> None:
        """Do nothing."""


class History:
    """Writes events to the logs in the background, in order, and reads them back."""

    observes = (Announced, Said, Held)

    def __init__(
        self,
        store: Store,
        key: Callable[[str], str] = fold,
        room_key: Callable[[str], str] = fold,
        unreadable: UnreadableRows | None = None,
        writes: Writes | None = None,
        *,
        output: Output | None = None,
    ) -> None:
        """`key` and `room_key` return the keys under which a person and a room store everything.

        `output` is what people read on their connections.
        """
        self._writes = writes or Unwatched()
        self._output = output or AtOnce()
        self._number = 0
        """The number of the last message said."""
        self._unseen: deque[_Unseen] = deque()
        self._added: dict[str, int] = {}
        self._saved: dict[str, int] = {}
        """How many events were added to each log that isn't empty, and how many of them are saved."""
        self._store = store
        self._unreadable = UnreadableRows() if unreadable is None else unreadable
        self._key = key
        self._room_key = room_key
        self._waiting: dict[str, list[ChatEvent]] = {}
        self._begun: dict[str, tuple[str, int]] = {}
        """The append to each log that isn't answered yet: its `cmd`, and how many of the waiting events it has."""
        self._size = 0
        self._task: asyncio.Task[None] | None = None
        self._stuck = False
        """Whether writing fails at the moment."""
        self._wanted = asyncio.Event()
        """Set when something must be written at once."""
        self._readers = 0
        """How many wait until everything is written."""
        self._urgent: dict[str, None] = {}
        """Logs with messages that nobody sees before they are written."""
        self._due = 0.0
        """When everything else will be written, by the loop's clock."""

    def observe(self, event: PersonEvent) -> None:
        """Queue an event for every log it belongs to; returns at once."""
        if not isinstance(event, _STORED) or event.chat_event.kind not in _KEPT:
            return
        chat_event = event.chat_event
        rooms = chat_event.rooms
        if len(rooms) == 1 and not chat_event.to:  # the usual case
            logs: Collection[str] = (of_room(self._room_key(rooms[0])),)
        else:
            logs = self._logs_of(chat_event)
        for name in logs:
            self._waiting.setdefault(name, []).append(chat_event)
            self._added[name] = self._added.get(name, 0) + 1
            self._size += 1
        while self._size > MOST and (oldest := self._oldest()) is not None:
            self._give_up(oldest)
        if chat_event.said and logs:
            self._urgent |= dict.fromkeys(logs)
            self._wanted.set()
            if not (self._stuck or isinstance(event, Held)):  # what is held is shown only once it is stored
                self._number += 1
                self._unseen.append(_Unseen(self._number, {name: self._added[name] for name in logs}))
                self._output.said(self._number)
        if logs and (self._task is None or self._task.done()):
            self._begin()

    def _logs_of(self, chat_event: ChatEvent) -> Collection[str]:
        """Return the logs an event belongs to, each once."""
        logs = {of_room(self._room_key(room)): None for room in chat_event.rooms}
        if chat_event.kind == "private":
            logs |= {of_person(self._key(name)): None for name in (chat_event.by, *chat_event.to)}
        return logs

    @property
    def unsaved(self) -> int:
        """The number of events that wait to be saved."""
        return self._size

    def _oldest(self) -> str | None:
        """Return the log that has waited longest, apart from what is being written; None if nothing else waits."""
        return next((name for name, waiting in self._waiting.items() if len(waiting) > self._begun_of(name)), None)

    def _begun_of(self, name: str) -> int:
        """Return how many of a log's waiting events are being written."""
        return self._begun[name][1] if name in self._begun else 0

    def _give_up(self, name: str) -> None:
        """Drop the events that wait for a log, except those that are being written: they may be saved already."""
        waiting, begun = self._waiting[name], self._begun_of(name)
        self._size -= len(waiting) - begun
        if begun:
            self._waiting[name] = waiting[:begun]
        else:
            self._forget_log(name)
        log.error("history is lost, because nothing can be saved", history=name, entries=len(waiting) - begun)

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            names = await self._gathered()
            await self._write_entries(names)
            while (names := self._more_private(names)) and not self._urgent and loop.time() < self._due:
                await self._write_entries(names)

    async def _write_entries(self, names: Sequence[str]) -> None:
        """Write the next entry of each of these logs, apart from private messages that wait for another log."""
        names, cmd = [name for name in names if self._is_next(name)] or names, uuid.uuid4().hex
        batches = [(name, self._attempt(name, cmd)) for name in names]  # at once: what isn't begun may be given up
        some = [dict(batches[first : first + TOGETHER]) for first in range(0, len(names), TOGETHER)]
        await asyncio.gather(*(self._written_together(few, cmd) for few in some))

    def _is_next(self, name: str) -> bool:
        """Return whether the first message that waits for a person's log is the first in the logs of all its people.

        They are written together then, and the store keeps one copy for all of them. Any other log can be written.
        """
        if not _is_of_person(name) or name in self._begun:
            return True
        first = self._waiting[name][0]
        return all(log not in self._waiting or self._waiting[log][0] == first for log in self._logs_of(first))

    def _more_private(self, names: Iterable[str]) -> Sequence[str]:
        """Return those of some logs that private messages wait for."""
        return [name for name in names if _is_of_person(name) and name in self._waiting]

    async def _gathered(self) -> Sequence[str]:
        """Wait until a batch is ready to write, or someone is waiting for it; return the logs to write."""
        loop = asyncio.get_running_loop()
        if not (self._readers or self._urgent):
            self._wanted.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(self._due):
                await self._wanted.wait()
        if self._urgent and not self._readers and loop.time() < self._due:
            return [*islice(self._urgent, LOGS)]
        self._due = loop.time() + GATHERED
        return [*islice(self._waiting, LOGS)]

    async def _written_together(self, batches: Mapping[str, Sequence[ChatEvent]], cmd: str) -> None:
        """Write the first events that wait for some logs in one call, or log by log if that fails."""
        fresh = [name for name in batches if self._begun[name][0] == cmd]
        if len(fresh) > 1:
            with suppress(StoreUnavailable):
                drafts = {name: [_draft(batches[name])] for name in fresh}
                for name, (entry,) in (await self._store.append_each(drafts, cmd=cmd)).items():
                    self._stored(name, batches[name], entry)
        await asyncio.gather(*[self._written(name, batches[name]) for name in batches if name in self._begun])

    def _attempt(self, name: str, cmd: str) -> Sequence[ChatEvent]:
        """Return the first events that wait for a log, or those of an attempt that isn't answered yet.

        Private messages are an entry each. Together with others, they would be another entry for each of their people.
        """
        most = 1 if _is_of_person(name) else BATCH
        _, number = self._begun.setdefault(name, (cmd, min(len(self._waiting[name]), most)))
        batch = self._waiting[name][:number]
        self._writes.begin(name, batch)
        return batch

    async def _written(self, name: str, batch: Sequence[ChatEvent]) -> None:
        """Write events of a log, with the same `cmd` until that is answered."""
        cmd, _ = self._begun[name]
        while True:
            try:
                (entry,) = await self._store.append(name, None, [_draft(batch)], cmd=cmd)
            except StoreUnavailable as problem:
                log.warning("history can't be saved; retrying", history=name, why=str(problem))
                self._stuck = True
                self._show_all()
                await asyncio.sleep(RETRY)
            else:
                break
        self._stored(name, batch, entry)

    def _stored(self, name: str, batch: Sequence[ChatEvent], entry: Entry) -> None:
        """Forget the events of a log that are saved as this entry, and tell the observer."""
        self._stuck = False
        del self._begun[name]
        rest = self._waiting[name][len(batch) :]
        self._size -= len(batch)
        self._saved[name] = self._saved.get(name, 0) + len(batch)
        if rest:
            self._waiting[name] = rest
        else:
            self._forget_log(name)
        self._show_stored()
        self._writes.stored(name, entry.seq, batch)

    def _forget_log(self, name: str) -> None:
        """Forget a log for which nothing waits."""
        del self._waiting[name]
        self._added.pop(name, None)
        self._saved.pop(name, None)
        self._urgent.pop(name, None)

    def _show_stored(self) -> None:
        """Let everyone read the messages that are stored in all their logs, up to the first that isn't."""
        shown = 0
        while self._unseen and all(map(self._is_stored, *zip(*self._unseen[0].places.items(), strict=True))):
            shown = self._unseen.popleft().number
        if shown:
            self._output.stored(shown)

    def _is_stored(self, name: str, place: int) -> bool:
        return name not in self._waiting or self._saved.get(name, 0) >= place

    def _show_all(self) -> None:
        """Let everyone read what isn't stored: it can't be now, or the next process will store it."""
        self._unseen.clear()
        self._output.stored(self._number)

    async def finish(self) -> None:
        """Wait until everything is written."""
        with self._reading():
            while self._task and not self._task.done():
                await asyncio.wait({self._task})

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Write everything at once meanwhile."""
        self._readers += 1
        self._wanted.set()
        try:
            yield
        finally:
            self._readers -= 1
            if not (self._readers or self._urgent):
                self._wanted.clear()

    async def carry(self) -> tuple[UnsavedTalk, ...]:
        """Stop writing, and return what isn't saved yet, for the next process."""
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})
        self._show_all()
        return tuple(
            UnsavedTalk(name, tuple(waiting), *self._begun.get(name, ("", 0)))
            for name, waiting in self._waiting.items()
        )

    def take_up(self, kept: Iterable[UnsavedTalk]) -> None:
        """Save what the process before couldn't."""
        for one in kept:
            self._waiting[one.log] = [*one.events]
            self._added[one.log] = len(one.events)
            self._size += len(one.events)
            if one.cmd:
                self._begun[one.log] = one.cmd, one.number
        self._begin()

    def _begin(self) -> None:
        if self._waiting and (self._task is None or self._task.done()):
            loop = asyncio.get_running_loop()
            self._due = loop.time() + GATHERED
            self._task = loop.create_task(self._write())

    async def _caught_up(self) -> None:
        """Wait until everything is written or writing fails. Readers don't wait for a full store."""
        with self._reading():
            while self._task and not (self._task.done() or self._stuck):
                await asyncio.wait({self._task}, timeout=GLANCE)

    async def latest(
        self,
        name: str,
        since: float,
        most: int,
        counts: Callable[[ChatEvent], bool] = lambda _: True,
        *,
        origin: str = "",
    ) -> list[ChatEvent]:
        """Return at least the last `most` matching events of a log since a time, if it has that many, oldest first.

        It reads only what is needed, up to `FARTHEST` entries, and readers take turns by origin. Events that couldn't
        be written yet are left out. Raises `StoreUnavailable`.
        """
        await self._caught_up()
        head = (await self._store.heads([name]))[name]
        end = max(0, head - FARTHEST)
        found: list[ChatEvent] = []
        while head > end and len(found) < most:
            first = max(0, head - PAGE)
            entries = (await self._store.read(name, first, head - first)).entries
            said = self._batches(name, reversed(entries))
            newest_first = _since(since, said, most - len(found), counts)
            some = await run_in_slices(newest_first, origin)
            found = [*chain.from_iterable(reversed(some)), *found]
            if len(some) < len(entries) or not entries:
                break  # the rest is too old, or was deleted
            head = first
        return found

    def _batches(self, name: str, entries: Iterable[Entry]) -> Iterator[Sequence[ChatEvent]]:
        """Yield the events of each log entry; nothing for an unreadable one."""
        for entry in entries:
            try:
                batch = read_batch(entry)
            except ValueError as problem:
                self._unreadable.report("log entry", f"{name} {entry.seq}", problem)
                batch = ()
            yield batch


def read_batch(entry: Entry) -> tuple[ChatEvent, ...]:
    """Return the events of a log entry. Raises `ValueError`."""
    batch: tuple[ChatEvent, ...] = codec.from_text(entry.body, tuple[ChatEvent, ...])
    return batch


def _since(
    since: float,
    newest_first: Iterable[Sequence[ChatEvent]],
    most: int,
    counts: Callable[[ChatEvent], bool],
) -> Iterator[list[ChatEvent]]:
    """Yield matching events of each entry until there are enough or they are too old."""
    found = 0
    for batch in newest_first:
        some = [one for one in batch if one.at >= since and counts(one)]
        yield some
        found += len(some)
        if (batch and batch[0].at < since) or found >= most:
            return
