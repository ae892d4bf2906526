"""Who hears what is said in a place, sorted once by how they hear it, so that a word to many costs little more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from lilygames.chat.terminal import Terminal
from lilygames.text import Line

if TYPE_CHECKING:
    from lilygames.chat.people import Person


class Crowd(Protocol):
    """Terminals that are shown the same."""

    def show(self, *lines: Line, but: Terminal | None = None) -> None:
        """Put lines on all screens but one; returns at once whatever the readers do."""


Gather = Callable[[Sequence[Terminal]], Crowd]


class Each:
    """A crowd of whatever terminals there are, one after the other."""

    def __init__(self, terminals: Sequence[Terminal]) -> None:
        self._terminals = terminals

    def show(self, *lines: Line, but: Terminal | None = None) -> None:
        """Put lines on all screens but one."""
        for terminal in self._terminals:
            if terminal is not but:
                terminal.show(*lines)


class Changes:
    """Counts whatever changes about who hears what and how it reads, anywhere: what was sorted before is stale then."""

    def __init__(self) -> None:
        self.number = 0

    def note(self) -> None:
        """Take note of another change."""
        self.number += 1


CHANGES = Changes()


class Audience:
    """People who are told the same: a crowd of those who hear everything alike, and those who have rules of their own.

    It is `fresh` until anything changes about who hears what.
    """

    def __init__(self, people: Sequence[Person], gather: Gather = Each) -> None:
        self.people = people
        self._changes = CHANGES.number
        near = [person for person in people if person.near]
        self.far = [person for person in people if person.home and person.terminal]
        """Those whom other nodes serve."""
        self.particular = [person for person in near if person.particular]
        """Those who have said what they wish to hear."""
        self.programs = [person for person in people if person.wants_packets]
        """Those whose programs listen."""
        self.crowd = gather([person.terminal for person in near if person.terminal and not person.particular])
        """The screens of all others."""

    @property
    def fresh(self) -> bool:
        """Whether nothing has changed since it was made."""
        return self._changes == CHANGES.number


class Members(dict[str, "Person"]):
    """Those who are in a discussion, by folded name."""

    def __setitem__(self, name: str, person: Person) -> None:
        super().__setitem__(name, person)
        CHANGES.note()

    def pop(self, name: str, default: Person | None = None) -> Person | None:  # type: ignore[override]  # None is enough
        """Take one away, and return who it was."""
        CHANGES.note()
        return super().pop(name, default)
