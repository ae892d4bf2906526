"""Who hears what is said in a place, kept sorted by how they hear it, so that a word to many costs little more.

In a room of 200 where eight people talk as fast as they can, that makes 12 times the deliveries per second of processor
time (`scripts/bench --only sat200`). To remove it, let `Audience.sort` put everybody near among the `particular`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, Generic, Protocol, TypeVar

from lilygames.chat.name_lookup import Names
from lilygames.chat.terminal import Terminal
from lilygames.text import Line

_GUEST = re.compile(r"guest(\d{1,9})")


class Crowd(Protocol):
    """Terminals that are shown the same."""

    def add(self, terminal: Terminal) -> None:
        """Show it what the others are shown, from now on."""

    def drop(self, terminal: Terminal) -> None:
        """Show it nothing more; it may have been dropped before."""

    def show(self, *lines: Line, but: Terminal | None = None) -> None:
        """Put lines on all screens but one; returns at once whatever the readers do."""


Gather = Callable[[], Crowd]
"""What makes an empty crowd."""


class Each:
    """A crowd of whatever terminals there are, shown one after the other."""

    def __init__(self) -> None:
        self._terminals: dict[Terminal, None] = {}

    def add(self, terminal: Terminal) -> None:
        """Show it what the others are shown."""
        self._terminals[terminal] = None

    def drop(self, terminal: Terminal) -> None:
        """Show it nothing more."""
        self._terminals.pop(terminal, None)

    def show(self, *lines: Line, but: Terminal | None = None) -> None:
        """Put lines on all screens but one."""
        for terminal in [*self._terminals]:
            if terminal is not but:
                terminal.show(*lines)


class Listener(Hashable, Protocol):
    """Somebody who hears what is said: what an audience has to know of a person."""

    @property
    def terminal(self) -> Terminal | None:
        """Where they sit, if they are here now."""

    @property
    def home(self) -> str:
        """The node that serves them; empty where it is this one."""

    @property
    def particular(self) -> bool:
        """Whether they have said what they wish to hear."""

    @property
    def wants_packets(self) -> bool:
        """Whether a program of theirs listens now."""

    def joins(self, audience: Audience[Any]) -> None:
        """Hear with others, until one quits."""

    def quits(self, audience: Audience[Any]) -> None:
        """Hear no more with these."""


L = TypeVar("L", bound=Listener)


class Audience(Generic[L]):
    """People who are told the same: a crowd of those who hear everything alike, and those who have rules of their own.

    Who is in it for longer has it sorted anew, by `Person.changed`, whenever something changes about what they hear.
    """

    def __init__(self, gather: Gather) -> None:
        self.people: dict[L, Terminal | None] = {}
        """Everybody, and by which terminal they are part of the crowd."""
        self.here: dict[L, None] = {}
        """Those who sit at a terminal, wherever it is."""
        self.far: dict[L, None] = {}
        """Those whom other nodes serve."""
        self.particular: dict[L, None] = {}
        """Those who have said what they wish to hear."""
        self.programs: dict[L, None] = {}
        """Those whose programs listen."""
        self._gather = gather

    @cached_property
    def crowd(self) -> Crowd:
        """The screens of all others."""
        return self._gather()

    def add(self, person: L) -> None:
        """Let somebody hear what is said."""
        self.people[person] = None
        self.sort(person)

    def drop(self, person: L) -> None:
        """Let somebody hear no more of it."""
        self._take_out(person)
        del self.people[person]

    def sort(self, person: L) -> None:
        """Put somebody where they belong now."""
        self._take_out(person)
        if person.terminal:
            self.here[person] = None
        if person.wants_packets:
            self.programs[person] = None
        if person.home and person.terminal:
            self.far[person] = None
        elif person.particular:
            self.particular[person] = None
        elif person.terminal:
            self.people[person] = person.terminal
            self.crowd.add(person.terminal)

    def _take_out(self, person: L) -> None:
        for some in (self.here, self.programs, self.far, self.particular):
            some.pop(person, None)
        if terminal := self.people[person]:
            self.people[person] = None
            self.crowd.drop(terminal)


class Members(dict[str, L]):
    """Those who are in a discussion, by folded name, and what they are as an audience."""

    def __init__(self, gather: Gather) -> None:
        super().__init__()
        self.audience: Audience[L] = Audience(gather)

    def __setitem__(self, name: str, person: L) -> None:
        self.pop(name)
        super().__setitem__(name, person)
        person.joins(self.audience)

    def pop(self, name: str, default: L | None = None) -> L | None:  # type: ignore[override]  # None is enough
        """Take one away, and return who it was."""
        if person := super().pop(name, default):
            person.quits(self.audience)
        return person


class Everybody(Names[L]):
    """Those who are here or whose seats are kept, by folded name, and what they are as an audience."""

    def __init__(self, gather: Gather) -> None:
        super().__init__()
        self.audience: Audience[L] = Audience(gather)
        self._returned: list[int] = []
        self._fresh = itertools.count(1)

    def guests(self) -> Iterator[str]:
        """Yield names for a guest: first those that have been given back. Any may be somebody's all the same."""
        while True:
            yield f"guest{heappop(self._returned) if self._returned else next(self._fresh)}"

    def __setitem__(self, name: str, person: L) -> None:
        self.pop(name)
        super().__setitem__(name, person)
        person.joins(self.audience)

    def pop(self, key: str, default: Any = None) -> Any:
        """Take one away, and return who it was."""
        person = super().pop(key, default)
        if person:
            person.quits(self.audience)
            if number := _GUEST.fullmatch(key):
                heappush(self._returned, int(number[1]))
        return person
