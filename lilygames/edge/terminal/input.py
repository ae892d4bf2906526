"""How a client's lines are read: as they are typed, as requests in JSON, or as those of a client of lily."""

from __future__ import annotations

from typing import Protocol

from lilygames.chat.people.terminal import AtOnce
from lilygames.text import Line


class Input(Protocol):
    """Reads the lines of one kind of client."""

    @property
    def begins(self) -> bool:
        """Whether the answer to a line may come without a task that waits for it."""

    def end(self, at_once: AtOnce) -> None:
        """End the last line: everything that answers it has been shown. The next is read with `at_once`."""

    def at_once(self, at_once: AtOnce) -> AtOnce:
        """Return a function that handles a line that came in, if it needs nobody who waits for it."""

    def begun(self, typed: str, at_once: AtOnce) -> str | None:
        """Begin a line and return it as typed by a person; return None if it has been answered here."""

    def refuse(self, typed: str, line: Line) -> None:
        """Answer a line that came too fast; `line` has been shown for the first of them."""


class TypedInput:
    """Reads lines as they are typed."""

    begins = True

    def end(self, at_once: AtOnce) -> None:
        """Do nothing: the next prompt shows a person that the last line was answered."""

    def at_once(self, at_once: AtOnce) -> AtOnce:
        """Return the function itself."""
        return at_once

    def begun(self, typed: str, at_once: AtOnce) -> str:  # noqa: ARG002 - the same for all
        """Return the line."""
        return typed

    def refuse(self, typed: str, line: Line) -> None:
        """Do nothing: a person reads the sentence once."""
