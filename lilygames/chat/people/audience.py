"""Audiences: people grouped by what they hear, so that one message to many people is cheap.

With eight of 200 people in a room talking all the time, this makes 12 times the deliveries per second of processor
time (`scripts/bench --only sat200`). To remove it, let `Audience.sort` put all local people among the `selective`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, Generic, Protocol, TypeVar

from lilygames.chat.names.by_name import ByName
from lilygames.chat.names.name_lookup import Names
from lilygames.chat.people.distant import PeopleByName
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.chat.people.profile import Profile
from lilygames.chat.people.terminal import Terminal
from lilygames.text import Line

EVERYONE = "*"
"""The mark of the audience of everyone."""
_GUEST = re.compile(r"guest(\d{1,9})")


class Crowd(Protocol):
    """Terminals that are shown the same lines; those that word events themselves are told the same events."""

    def add(self, terminal: Terminal) -> None:
        """Add a terminal."""

    def drop(self, terminal: Terminal) -> None:
        """Remove a terminal, if it is there."""

    def show(self, *lines: Line, but: Terminal | None = None, instead: Sequence[Line] = ()) -> bool:
        """Show lines on all screens except `but`, which is shown others instead; return whether it was.

        Never waits for slow readers.
        """

    def tell(self, event: ChatEvent, hears: Hears, but: Terminal | None = None) -> None:
        """Tell all clients that word events themselves, except `but`, about an event that they hear so."""


Gather = Callable[[], Crowd]
"""Makes an empty crowd."""


class Each:
    """A crowd of any terminals, written to one after the other."""

    def __init__(self) -> None:
        self._terminals: dict[Terminal, None] = {}

    def add(self, terminal: Terminal) -> None:
        """Add a terminal."""
        self._terminals[terminal] = None

    def drop(self, terminal: Terminal) -> None:
        """Remove a terminal, if it is there."""
        self._terminals.pop(terminal, None)

    def show(self, *lines: Line, but: Terminal | None = None, instead: Sequence[Line] = ()) -> bool:  # noqa: ARG002
        """Show lines on all screens except `but`; return False: it is shown nothing instead."""
        for terminal in [*self._terminals]:
            if terminal is not but and not terminal.takes_events:
                terminal.show(*lines)
        return False

    def tell(self, event: ChatEvent, hears: Hears, but: Terminal | None = None) -> None:
        """Tell all clients that word events themselves, except `but`, about an event."""
        for terminal in [*self._terminals]:
            if terminal is not but and terminal.takes_events:
                terminal.tell(event, hears)


class Listener(Hashable, Protocol):
    """A person, as remote as an audience needs to know."""

    @property
    def terminal(self) -> Terminal | None:
        """Their terminal, if they are connected."""

    @property
    def name(self) -> str:
        """Their name as it is written."""

    @property
    def here(self) -> bool:
        """Whether they are connected."""

    @property
    def node(self) -> str:
        """The node that serves them; empty for this one."""

    @property
    def selective(self) -> bool:
        """Whether they have notification rules of their own."""

    @property
    def profile(self) -> Profile:
        """Their stored profile."""

    @property
    def takes_packets(self) -> bool:
        """Whether their client wants packets."""

    def joins(self, audience: Audience[Any]) -> None:
        """Remember that they are in this audience."""

    def quits(self, audience: Audience[Any]) -> None:
        """Forget that they are in this audience."""


L = TypeVar("L", bound=Listener)


class Audience(Generic[L]):
    """People who hear the same events: a crowd with default rules, and people with rules of their own.

    `Person.changed` calls `sort` whenever something changes about what a person hears. Other nodes know these people
    by the `mark`: `-ROOM` for the members of a room, `*` for everyone. Any other audience has none.
    """

    def __init__(self, gather: Gather, mark: str = "") -> None:
        self.mark = mark
        self.people: dict[L, Terminal | None] = {}
        """Everyone, with the terminal that is in the crowd, if any."""
        self.here: dict[L, None] = {}
        """People who are connected, on any node."""
        self.remote: dict[L, None] = {}
        """People whom other nodes serve."""
        self.selective: dict[L, None] = {}
        """People who are told one by one, by rules of their own or because they are at a page, which gets packets."""
        self.programs: dict[L, None] = {}
        """People whose clients want packets."""
        self._gather = gather

    @cached_property
    def crowd(self) -> Crowd:
        """The screens of everyone else."""
        return self._gather()

    def add(self, person: L) -> None:
        """Add a person."""
        self.people[person] = None
        self.sort(person)

    def drop(self, person: L) -> None:
        """Remove a person."""
        self._take_out(person)
        del self.people[person]

    def sort(self, person: L) -> None:
        """Regroup a person after a change."""
        self._take_out(person)
        if person.terminal:
            self.here[person] = None
        if person.takes_packets:
            self.programs[person] = None
        if person.node and person.terminal:
            self.remote[person] = None
        elif person.selective or (person.terminal and person.terminal.takes_picture):
            self.selective[person] = None
        elif person.terminal:
            self.people[person] = person.terminal
            self.crowd.add(person.terminal)

    def _take_out(self, person: L) -> None:
        for some in (self.here, self.programs, self.remote, self.selective):
            some.pop(person, None)
        if terminal := self.people[person]:
            self.people[person] = None
            self.crowd.drop(terminal)


class Everyone(Audience[L]):
    """The audience of everyone. It finds those who have someone as a friend without looking through all people."""

    def __init__(self, gather: Gather) -> None:
        super().__init__(gather, EVERYONE)
        self._fans: ByName[L] = ByName()
        """The people who have friends, by the names of these."""

    def befriended_by(self, name: str) -> Collection[L]:
        """Return the people who have someone of this folded name as a friend."""
        return self._fans.of(name)

    def sort(self, person: L) -> None:
        """Regroup a person after a change."""
        super().sort(person)
        self._fans.put(person, person.profile.friends)

    def drop(self, person: L) -> None:
        """Remove a person."""
        super().drop(person)
        self._fans.drop(person)


class Members(PeopleByName[L]):
    """Members of a room by folded name, and their audience."""

    def __init__(self, gather: Gather, mark: str = "") -> None:
        super().__init__()
        self.near: Audience[L] = Audience(gather, mark)
        """The members who aren't distant."""

    @property
    def audience(self) -> Audience[L]:
        """The audience of all members."""
        if self._distant:
            self.bring_near()
        return self.near

    @property
    def number_here(self) -> int:
        """How many members are connected, on any node."""
        return len(self.near.here) + self._distant_here

    @property
    def number_served(self) -> int:
        """How many of these this node serves."""
        return len(self.near.here) - len(self.near.remote)

    @property
    def serves_any(self) -> bool:
        """Whether this node serves a member."""
        return self.number_served > 0

    @property
    def serves_all(self) -> bool:
        """Whether this node serves every member who is connected."""
        return self.number_here == self.number_served

    def __setitem__(self, name: str, person: L) -> None:
        self.pop(name)
        super().__setitem__(name, person)
        person.joins(self.near)

    def pop(self, name: str, default: L | None = None) -> L | None:  # type: ignore[override]  # None is enough
        """Remove a member and return them."""
        self.bring_one_near(name)
        if person := super().pop(name, default):
            person.quits(self.near)
        return person


class Everybody(PeopleByName[L], Names[L]):
    """Everyone who is here or has a seat, by folded name, and their audience."""

    def __init__(self, gather: Gather) -> None:
        super().__init__()
        self.gather = gather
        """Groups terminals that are shown the same."""
        self.near: Everyone[L] = Everyone(gather)
        """The people who aren't distant."""
        self._returned: list[int] = []
        self._fresh = itertools.count(1)

    @property
    def audience(self) -> Everyone[L]:
        """The audience of everyone; that makes all people who are distant."""
        self.bring_near()
        return self.near

    @property
    def number_here(self) -> int:
        """How many people are connected, on any node."""
        return len(self.near.here) + self._distant_here

    def guests(self) -> Iterator[str]:
        """Yield guest names, released numbers first. The caller checks that a name is free."""
        while True:
            yield f"guest{heappop(self._returned) if self._returned else next(self._fresh)}"

    def __setitem__(self, name: str, person: L) -> None:
        self.pop(name)
        super().__setitem__(name, person)
        person.joins(self.near)

    def pop(self, key: str, default: Any = None) -> Any:
        """Remove a person and return them."""
        self.bring_one_near(key)
        person = super().pop(key, default)
        if person:
            person.quits(self.near)
            self._return(key)
        return person

    def forget_distant(self, name: str) -> None:
        """Remove someone who is distant."""
        super().forget_distant(name)
        self._return(name)

    def bring(self, name: str, person: L) -> None:
        """Replace someone who is distant by the person."""
        self._distant_here -= self._distant.pop(name).here
        dict.__setitem__(self, name, person)
        person.joins(self.near)

    def _return(self, name: str) -> None:
        """Let the number of a guest be given out again."""
        if number := _GUEST.fullmatch(name):
            heappush(self._returned, int(number[1]))
