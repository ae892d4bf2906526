"""What chat needs of the thing a person sits at; the edge has one for each kind of client."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from lilygames.text import Line, Packet, Prompt, Voice

Completer = Callable[[str], Sequence[str]]
"""From a line begun to the whole lines that it can become."""

AtOnce = Callable[[str], bool]
"""Does a line at once and returns True, or returns False for one that has to be read: it may have to wait."""


class Gone(Exception):
    """The other end has hung up."""


def nothing(_: str) -> Sequence[str]:
    """Return no completions: that of somebody who is nobody yet."""
    return ()


def unheeded() -> None:
    """Nobody has to know: so it is while nobody is known to sit here."""


def unheard(_: str) -> bool:
    """Hear nothing at once: each line is read in its turn."""
    return False


def unasked(_: str) -> None:
    """Send nothing: so it is while nobody is known to sit here."""


class Terminal(Protocol):
    """One person's screen and keyboard, whatever wire they hang on."""

    voice: Voice
    address: str
    """Where it is, for limits and for the sysop's log only."""
    changed: Callable[[], object]
    """To be called when lines come to look otherwise here, or packets come to be wanted or not; the person gives it."""
    completer: Completer
    """What can become of a line begun; the visit gives it once it knows who sits there."""
    asks: Callable[[str], object]
    """To be called with the name of a packet that the program at the other end asks for; the visit gives it."""

    @property
    def wants_packets(self) -> bool:
        """Whether a program listens, which asked for packets."""

    @property
    def resumes(self) -> bool:
        """Whether a program listens that can resume a session on another connection."""

    async def read(self, at_once: AtOnce = unheard) -> str:
        """Return the next line typed that `at_once` does not do, clean, without its line end; raises `Gone`."""

    def show(self, *lines: Line) -> None:
        """Put lines on the screen; returns at once whatever the reader does."""

    def last_rows(self) -> Sequence[str]:
        """Return the last rows that were shown here, but no secret."""

    def packet(self, *packets: Packet) -> None:
        """Send packets, where they are wanted; they go out in order with the lines."""

    def ring(self) -> None:
        """Ring the bell, where there is one."""

    def ask(self, prompt: Prompt) -> None:
        """Put a question; its answer is the next line read."""

    def prefer(self, settings: Mapping[str, str]) -> None:
        """Follow the person's settings (`chat.settings` says which there are) from now on."""

    def close(self) -> None:
        """Hang up once everything shown has been sent."""
