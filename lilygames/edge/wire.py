"""The two sides of a connection: the wire below, which moves bytes, and the front end above, which is a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from lilygames.chat.terminal import Terminal
from lilygames.edge.peer import Peer
from lilygames.text import Kind


class Wire(Protocol):
    """What a front end asks of a connection."""

    @property
    def address(self) -> str:
        """Where the other end is."""

    @property
    def peer(self) -> Peer:
        """What it has told of itself so far."""

    def send(self, data: bytes, kind: Kind) -> None:
        """Send bytes, IAC already doubled, in the order given; talk and notices may be skipped for a slow reader."""

    def conceal(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for, not a switch of behaviour
        """Ask the other end to stop showing what is typed, or to show it again."""

    def more(self) -> None:
        """Say that there is room for more input."""

    def hang_up(self) -> None:
        """Close once everything sent has gone out."""


class FrontEnd(Terminal, Protocol):
    """A terminal as its wire sees it. `telnet.listen` takes a maker of them: the place where others join."""

    @property
    def full(self) -> bool:
        """Whether nothing more may be fed for now; `Wire.more` ends it."""

    def feed(self, data: bytes) -> None:
        """Take bytes that were typed."""

    def learned(self, peer: Peer) -> None:
        """Take note of what the other end has told of itself; it may come at any time."""

    def skipped(self, lines: int) -> None:
        """Tell the reader that so many lines were left out for want of reading speed."""

    def gone(self) -> None:
        """Take note that nothing more will be typed."""


MakeFrontEnd = Callable[[Wire], FrontEnd]
