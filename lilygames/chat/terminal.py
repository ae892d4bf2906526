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


def unheard(_: str) -> bool:
    """Hear nothing at once: each line is read in its turn."""
    return False


class TerminalUser(Protocol):
    """Who sits at a terminal: what a terminal asks of them, and tells them."""

    def complete(self, text: str) -> Sequence[str]:
        """Return the whole lines that a line begun can become."""

    def asked_for(self, packet: str) -> None:
        """Send the packet of that name, for which the program at the other end has asked."""

    def changed(self) -> None:
        """Take note that lines look otherwise here from now on, or that packets are wanted, or no more."""


class Nobody:
    """Who sits at a terminal while nobody has said who they are."""

    def complete(self, _: str) -> Sequence[str]:
        """Return no completions."""
        return ()

    def asked_for(self, _: str) -> None:
        """Send nothing."""

    def changed(self) -> None:
        """Nobody has to know."""


NOBODY = Nobody()


class Terminal(Protocol):
    """One person's screen and keyboard, whatever wire they hang on."""

    address: str
    """Where it is, for limits and for the sysop's log only."""

    def attach(self, user: TerminalUser) -> None:
        """Let somebody sit here from now on."""

    @property
    def width(self) -> int:
        """The columns of a row, for what is laid out and not only wrapped."""

    @property
    def voice(self) -> Voice:
        """How this person wants things worded."""

    def set_voice(self, voice: Voice) -> None:
        """Word things so from now on."""

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
