"""News of the list of open tables, for programs that follow it.

A program that has the list keeps it up to date with three packets: `table-opened`, `table-changed` and `table-closed`.
Once a second a reader is told of the tables that have changed since, each once and as it is by then. While nobody
follows the list, nothing is recorded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

import attrs

from lilygames.chat.host.packets import TABLES_A_PAGE
from lilygames.chat.people.people import Person
from lilygames.chat.people.terminal import Terminal
from lilygames.chat.tasks import current_request
from lilygames.text import Packet

EACH = 1.0
"""Seconds between two pieces of news, so a reader is told of each table at most once in that time."""
MOST = 300
"""Maximum tables that a reader is told of one by one. If more have changed, the reader gets a new list instead."""
Facts = Mapping[str, object]


class Listed(Protocol):
    """The open tables, as programs list them."""

    @property
    def numbers(self) -> Iterable[int]:
        """The numbers of all open tables."""

    def facts_of(self, number: int) -> Facts | None:
        """Return what programs are told of a table; None if it isn't open."""

    def is_public(self, number: int) -> bool:
        """Return whether everyone may see an open table."""

    def sees(self, person: Person, number: int) -> bool:
        """Return whether a person may see an open table."""

    def facts(self, person: Person, after: int, most: int) -> Sequence[Facts]:
        """Return what a person may know of open tables, in order from the one after a number on."""


@attrs.define(eq=False)
class _Reader:
    """Someone whose program follows the list."""

    person: Person
    private: set[int]
    """The tables that they know of and not everyone may see."""
    due: dict[int, bool] = attrs.field(factory=dict)
    """The tables to tell them of, and whether they know of each already."""
    lost: bool = False
    """Whether they get a new list, because they read too slowly or too much has changed."""

    def note(self, number: int, *, knew: bool) -> None:
        """Tell them of a table when they can read."""
        if not self.lost:
            self.due.setdefault(number, knew)
            self.lost = len(self.due) > MOST
        if self.lost:
            self.due.clear()

    @property
    def waits(self) -> bool:
        """Whether there is something to tell them."""
        return self.lost or bool(self.due)


class TableNews:
    """Tells programs that follow the list of tables what changes in it."""

    def __init__(self, tables: Listed) -> None:
        self._tables = tables
        self._readers: WeakKeyDictionary[Terminal, _Reader] = WeakKeyDictionary()
        self._facts: dict[int, Facts | None] = {}
        """The facts of each open table at the last news; None if it hasn't changed since someone follows the list."""
        self._public: set[int] = set()
        """Those of them that everyone could see."""
        self._changed: dict[int, None] = {}
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, person: Person, *, lost: bool = False) -> None:
        """Tell a person's program what changes from now on. It has just got the list, or gets it soon if `lost`."""
        if person.terminal is None:
            return
        if not self._readers:
            self._facts = dict.fromkeys(self._tables.numbers)
            self._public = {*filter(self._tables.is_public, self._facts)}
            self._changed.clear()
        self._readers[person.terminal] = _Reader(person, self._private_to(person), lost=lost)
        if lost:
            self._soon()

    def unfollow(self, person: Person) -> None:
        """Tell a person's program no more."""
        if person.terminal:
            self._readers.pop(person.terminal, None)

    def changed(self, number: int) -> None:
        """Note that a table was opened or closed, or that its facts or those who may see it may have changed."""
        if self._readers:
            self._changed[number] = None
            self._soon()

    def _soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(EACH, self.tell)

    def tell(self) -> None:
        """Tell everyone who reads fast enough what has changed."""
        self._timer = None
        current_request.set_to(None)  # this may run in the context of the request that caused the first change
        changed, self._changed = self._changed, {}
        readers = [one for terminal, one in [*self._readers.items()] if one.person.terminal is terminal]
        if not readers:
            self._facts, self._public = {}, set()
        for number in changed if readers else ():
            self._note(number, readers)
        ready = [one for one in readers if one.waits and one.person.terminal and one.person.terminal.keeps_up]
        for reader in ready:
            if reader.lost:
                self._list_again(reader)
        for number in dict.fromkeys(number for reader in ready for number in reader.due):
            self._tell_of(number, ready)
        if any(reader.waits for reader in readers):
            self._soon()

    def _note(self, number: int, readers: Iterable[_Reader]) -> None:
        """Find out who has to be told of a table."""
        facts = self._tables.facts_of(number)
        was_public, is_public = number in self._public, facts is not None and self._tables.is_public(number)
        same = facts == self._facts.get(number)
        if facts is None:
            self._facts.pop(number, None)
        else:
            self._facts[number] = facts
        (self._public.add if is_public else self._public.discard)(number)
        if same and was_public and is_public:
            return
        for reader in readers:
            knew = was_public or number in reader.private
            sees = is_public or (facts is not None and self._tables.sees(reader.person, number))
            (reader.private.add if sees and not is_public else reader.private.discard)(number)
            if knew is not sees or (sees and not same):
                reader.note(number, knew=knew)

    def _tell_of(self, number: int, readers: Iterable[_Reader]) -> None:
        """Tell readers of a table as it is now. Its packet is the same for all of them, so it is encoded once."""
        facts = self._tables.facts_of(number)
        opened, changed = Packet("table-opened", facts), Packet("table-changed", facts)
        closed = Packet("table-closed", {"number": number})
        for reader in readers:
            knew = reader.due.pop(number, None)
            if knew is None:
                continue
            if facts is not None and self._tables.sees(reader.person, number):
                reader.person.packet(changed if knew else opened)
            elif knew:
                reader.person.packet(closed)

    def _list_again(self, reader: _Reader) -> None:
        """Send a reader the first page of the list, in place of everything that they know."""
        reader.due.clear()
        reader.lost, reader.private = False, self._private_to(reader.person)
        reader.person.packet(Packet("tables", self._tables.facts(reader.person, 0, TABLES_A_PAGE)))

    def _private_to(self, person: Person) -> set[int]:
        """Return the tables that a person sees and not everyone does."""
        hidden = (number for number in self._tables.numbers if not self._tables.is_public(number))
        return {number for number in hidden if self._tables.sees(person, number)}
