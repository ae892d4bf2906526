"""What chat needs of the thing a person sits at; the edge has one for each kind of client."""

from __future__ import annotations

from typing import Protocol

from lilygames.text import Line, Prompt, Voice


class Gone(Exception):
    """The other end has hung up."""


class Terminal(Protocol):
    """One person's screen and keyboard, whatever wire they hang on."""

    voice: Voice
    address: str
    """Where it is, for limits and for the sysop's log only."""

    async def read(self) -> str:
        """Return the next line typed, clean, without its line end; raises `Gone`."""

    def show(self, *lines: Line) -> None:
        """Put lines on the screen; returns at once whatever the reader does."""

    def ask(self, prompt: Prompt) -> None:
        """Put a question; its answer is the next line read."""

    def close(self) -> None:
        """Hang up once everything shown has been sent."""
