"""The two interfaces of a connection: the wire, which moves bytes, and its terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from lilygames.chat.people.terminal import Terminal
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.connection_state import TerminalState
from lilygames.edge.wire.limits import Limits, Share
from lilygames.edge.wire.outbox import Outbox
from lilygames.edge.wire.render import Look
from lilygames.text import Kind, Line, Prompt


class Wire(Protocol):
    """A connection, as a terminal needs it."""

    @property
    def address(self) -> str:
        """The client's address."""

    @property
    def limits(self) -> Limits:
        """Its rate limits."""

    @property
    def share(self) -> Share:
        """The limits shared by all connections of its address."""

    @property
    def peer(self) -> Peer:
        """Capabilities that the client has reported so far."""

    def send(self, data: bytes, kind: Kind) -> None:
        """Send bytes in order, with IAC already doubled; talk and notices may be skipped for a slow reader."""

    def send_rows(self, rows: bytes, kind: Kind) -> None:
        """Send whole rows above the last row, in order with everything else; some kinds may be skipped."""

    def set_last_row(self, away: bytes, again: bytes) -> None:
        """Set the content of the last row: the bytes that clear it, and the bytes that restore it below new rows."""

    @property
    def outbox(self) -> Outbox | None:
        """The outbox for shared rows, or None if there is none."""

    def conceal(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for, not a switch of behaviour
        """Ask the client to hide or show what is typed."""

    def character_mode(self, wanted: bool) -> None:  # noqa: FBT001 - same
        """Ask the client to send each key and leave the echo to us, or to stop; `Peer.keys` has the answer."""

    def gmcp(self, message: str) -> None:
        """Send a GMCP message in ASCII, if the client supports it."""

    def end_options(self) -> None:
        """Read and send no more telnet options: the client knows nothing of telnet."""

    def more(self) -> None:
        """Signal that there is room for more input."""

    def hang_up(self) -> None:
        """Close after everything queued has been sent."""


class Screen(Protocol):
    """One way to type and show lines. A terminal has one at a time, and may change it between lines."""

    question: Prompt | None
    """The open prompt, if any."""
    look: Look

    @property
    def full(self) -> bool:
        """Whether too much input is held back to take more."""

    @property
    def idle(self) -> bool:
        """Whether no line is unfinished, as far as we can know."""

    def feed(self, data: bytes) -> Sequence[str]:
        """Handle typed bytes, and return the completed lines."""

    def more(self) -> Sequence[str]:
        """Return the lines completed by input that was held back until the next read."""

    def show(self, *lines: Line) -> None:
        """Show lines above any open prompt and typed text."""

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt."""

    def ring(self) -> None:
        """Ring the bell."""

    def answered(self, line: str) -> None:
        """Record that a line is being read; it answers any prompt."""

    def learned(self, peer: Peer, look: Look) -> None:
        """Update after the client has reported something, with the look of its screen."""

    @property
    def partial_line(self) -> str:
        """The unfinished line; empty if it is a secret."""

    def close(self) -> None:
        """Restore the client's screen to its original state."""


class WireTerminal(Terminal, Protocol):
    """A terminal as its wire sees it. Pass a maker of them to `telnet.listen`."""

    @property
    def logged_in(self) -> bool:
        """Whether someone has logged in."""

    def is_full(self) -> bool:
        """Whether to stop feeding input; `Wire.more` resumes it."""

    def feed(self, data: bytes) -> None:
        """Handle typed bytes."""

    def learned(self, peer: Peer) -> None:
        """Update after the client has reported something, which may happen at any time."""

    def gmcp(self, message: bytes) -> None:
        """Handle a GMCP message; raises `ValueError` if it is invalid."""

    def carry(self) -> TerminalState:
        """Return the unread input, for another process to continue."""

    def skipped(self, lines: int) -> None:
        """Tell the reader how many lines were skipped because they read too slowly."""

    def changed(self) -> None:
        """Update after the reader has fallen behind or caught up."""

    def gone(self, *, lost: bool = False) -> None:
        """End the input: nothing more will be typed, or read either if the connection is lost."""


MakeTerminal = Callable[[Wire], WireTerminal]
