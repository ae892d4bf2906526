"""The two interfaces of a connection: the wire, which moves bytes, and its terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from lilygames.chat.people.terminal import Terminal
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.connection_state import TerminalState
from lilygames.edge.wire.limits import Limits, Share
from lilygames.edge.wire.outbox import Outbox
from lilygames.text import Kind


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
