"""The order of a room's messages: all nodes show them as the store has them. Pure: numbers and messages in, and out.

Talk in a room goes to the room's log. Each entry of the log has a number, and the messages of one batch. Nodes
hear of entries by hints, which may be late, lost or repeated, and read the missing ones from the store.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar

from lilygames.chat.people.events import ChatEvent

T = TypeVar("T")
AT_ONCE = 200
"""Missing entries that are read at once."""
NOTED = 1000
"""Messages of a room that are noted as shown; beyond that the oldest are forgotten."""


class RoomSequence(Generic[T]):
    """The entries of one room's log, as one node shows them: each once, and in the log's order."""

    def __init__(self) -> None:
        self.shown: int | None = None
        """The last entry such that it and all before it have been shown; None until it is known where to begin."""
        self._early: dict[int, T] = {}
        """Entries that came before an earlier one."""
        self._stored = 0
        """The last entry that the store has, for all we know."""
        self._passed: set[int] = set()
        """Entries that couldn't be read when their turn came, and are shown late."""

    def begin(self, head: int) -> list[T]:
        """Begin after the entry `head`, or before the first one that has come; return the entries to show now."""
        self.shown = min(head, *(number - 1 for number in self._early)) if self._early else head
        return self._in_order()

    def take(self, number: int, entry: T) -> list[T]:
        """Return the entries to show now that this one is here; none if it was here already."""
        if number in self._passed:
            self._passed.remove(number)
            return [entry]
        if not self.has(number):
            self._early[number] = entry
        return self._in_order()

    def has(self, number: int) -> bool:
        """Return whether an entry is here, or isn't needed."""
        return number in self._early or (self.shown is not None and number <= self.shown and number not in self._passed)

    def _in_order(self) -> list[T]:
        found: list[T] = []
        while self.shown is not None and self.shown + 1 in self._early:
            self.shown += 1
            found.append(self._early.pop(self.shown))
        return found

    def learn(self, stored: int) -> None:
        """Learn that the store has all entries up to this one."""
        self._stored = max(self._stored, stored)

    def missing(self) -> Sequence[int]:
        """Return the first entries that the store has and that aren't here, `AT_ONCE` at most."""
        return [*islice(self._missing(), AT_ONCE)]

    def _missing(self) -> Iterator[int]:
        yield from sorted(self._passed)
        if self.shown is not None:
            last = max(self._stored, *self._early) if self._early else self._stored
            yield from (number for number in range(self.shown + 1, last + 1) if number not in self._early)

    def pass_over(self) -> list[T]:
        """Return the entries that wait for earlier ones, which will be shown later."""
        found: list[T] = []
        while self._early and self.shown is not None:
            first = min(self._early)
            self._passed.update(range(self.shown + 1, first))
            self.shown = first - 1
            found += self._in_order()
        return found

    def early(self) -> Iterator[tuple[int, T]]:
        """Yield the entries that wait for earlier ones, with their numbers."""
        yield from self._early.items()


class ShownOnce:
    """The messages of a room that came past its order, so that the store's copy isn't shown, too; and the reverse."""

    def __init__(self) -> None:
        self._sent: dict[Words, int] = {}
        self._read: dict[Words, int] = {}

    def sent(self, message: ChatEvent) -> bool:
        """Return whether to show a message that its speaker's node has sent past the order."""
        return _first(words_of(message), self._sent, self._read)

    def read(self, message: ChatEvent) -> bool:
        """Return whether to show a message that was read from the store."""
        return _first(words_of(message), self._read, self._sent)


Words = tuple[float, str, str]
"""The time, speaker and text of a message, which tell it from others."""


def words_of(message: ChatEvent) -> Words:
    """Return the parts that tell a message from others in its room. The store's copy may lack the rest."""
    return message.at, message.by, message.text


def _first(message: Words, here: dict[Words, int], there: dict[Words, int]) -> bool:
    """Cross a message out `there` and return False; if it isn't there, note it `here` and return True."""
    if message in there:
        there[message] -= 1
        if not there[message]:
            del there[message]
        return False
    here[message] = here.get(message, 0) + 1
    if len(here) > NOTED:
        del here[next(iter(here))]
    return True


class OrderedRooms:
    """The rooms in which messages are shown in the store's order now, by key."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._pauses = False
        self._resumes = False

    def __contains__(self, key: str) -> bool:
        return key in self._keys and not self._pauses

    def add(self, key: str) -> None:
        """Show the messages of a room in order from now on."""
        self._keys.add(key)

    def drop(self, key: str) -> None:
        """Show the messages of a room as they come from now on."""
        self._keys.discard(key)

    @property
    def resumes(self) -> bool:
        """Whether this node has just restarted, and may not know yet who is in these rooms at other nodes."""
        return self._resumes

    def resume(self, *, on: bool) -> None:
        """Begin or end the time after a restart."""
        self._resumes = on

    @property
    def pauses(self) -> bool:
        """Whether messages are shown as they come in all rooms, because nothing can be stored."""
        return self._pauses

    def pause(self, *, on: bool) -> None:
        """Show the messages of all rooms as they come, or in order again."""
        self._pauses = on
