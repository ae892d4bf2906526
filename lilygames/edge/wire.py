"""The two sides of a connection: the wire, which moves bytes, and the terminal on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from lilygames.chat.terminal import Terminal
from lilygames.edge.capabilities import Peer
from lilygames.edge.connection_state import HalfRead
from lilygames.edge.limits import Limits, Share
from lilygames.edge.outbox import Outbox
from lilygames.edge.render import Look
from lilygames.text import Kind, Line, Prompt


class Wire(Protocol):
    """What a terminal asks of a connection."""

    @property
    def address(self) -> str:
        """Where the other end is."""

    @property
    def limits(self) -> Limits:
        """How much it may ask of the place."""

    @property
    def share(self) -> Share:
        """How much all connections of its address may ask together."""

    @property
    def peer(self) -> Peer:
        """What it has told of itself so far."""

    def send(self, data: bytes, kind: Kind) -> None:
        """Send bytes, IAC already doubled, in the order given; talk and notices may be skipped for a slow reader."""

    def send_rows(self, rows: bytes, kind: Kind) -> None:
        """Send whole rows, to stand above the last one; in order with all else, and skipped where that may be."""

    def set_last_row(self, away: bytes, again: bytes) -> None:
        """Say what stands on the last row from now on: what takes it away, and what brings it back below rows."""

    @property
    def outbox(self) -> Outbox | None:
        """Where rows may be put for many at once, None where there is no such thing."""

    def conceal(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for, not a switch of behaviour
        """Ask the other end to stop showing what is typed, or to show it again."""

    def character_mode(self, wanted: bool) -> None:  # noqa: FBT001 - same
        """Ask the other end to send each key and to leave showing it to us, or to go back; `Peer.keys` answers."""

    def gmcp(self, message: str) -> None:
        """Send a GMCP message, in ASCII, where the other end has agreed to hear them."""

    def more(self) -> None:
        """Say that there is room for more input."""

    def hang_up(self) -> None:
        """Close once everything sent has gone out."""


class Screen(Protocol):
    """One way of typing and showing lines. A terminal has one at a time, and may change it between two lines."""

    question: Prompt | None
    """What waits for an answer."""
    look: Look

    @property
    def full(self) -> bool:
        """Whether so much is held back that nothing more may be fed."""

    @property
    def idle(self) -> bool:
        """Whether no line is half typed, as far as can be known from here."""

    def feed(self, data: bytes) -> Sequence[str]:
        """Take typed bytes, and return the lines that they complete."""

    def more(self) -> Sequence[str]:
        """Return the lines completed by what was held back until somebody would read on."""

    def show(self, *lines: Line) -> None:
        """Put lines on the screen; a question that waits, and what is typed, stay below them."""

    def ask(self, prompt: Prompt) -> None:
        """Put a question."""

    def answered(self, line: str) -> None:
        """Take note that a line is being read: it answers the question, if there is one."""

    def learned(self, peer: Peer, look: Look) -> None:
        """Take note of what the other end has told, and of how its screen is to look from now on."""

    @property
    def partial_line(self) -> str:
        """What is half typed, but a secret."""

    def close(self) -> None:
        """Leave the other end's screen as it was found."""


class WireTerminal(Terminal, Protocol):
    """A terminal as its wire sees it. `telnet.listen` takes a maker of them: the place where others join."""

    @property
    def logged_in(self) -> bool:
        """Whether somebody has said who they are."""

    def is_full(self) -> bool:
        """Whether nothing more may be fed for now; `Wire.more` ends it."""

    def feed(self, data: bytes) -> None:
        """Take bytes that were typed."""

    def learned(self, peer: Peer) -> None:
        """Take note of what the other end has told of itself; it may come at any time."""

    def gmcp(self, message: bytes) -> None:
        """Take a GMCP message of the other end; raises `ValueError` where it cannot be read."""

    def carry(self) -> HalfRead:
        """Return what has been typed and not been read, for another process to go on with."""

    def skipped(self, lines: int) -> None:
        """Tell the reader that so many lines were left out for want of reading speed."""

    def reading_speed_changed(self) -> None:
        """Take note that the reader has fallen behind what is sent, or caught up."""

    def gone(self) -> None:
        """Take note that nothing more will be typed."""

    def lost(self) -> None:
        """Take note that nothing more will be typed, and that nothing is read any more."""


MakeTerminal = Callable[[Wire], WireTerminal]
