"""A screen says what it takes, reads what is typed, and shows lines.

A new kind of screen is a subclass in a file of its own, and a line in `lilygames/edge/terminal/screen_choice.py`, which
chooses it. Nothing else asks what kind a screen is, only what it takes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from lilygames.chat.people.directory import Directory
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.chat.people.terminal import Completer, uncompleted
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.connection_state import LilyState
from lilygames.edge.wire.outbox import REMEMBERED
from lilygames.edge.wire.preferences import Preferences
from lilygames.edge.wire.render import Look, rendered, unwrapped
from lilygames.edge.wire.wire import Wire
from lilygames.text import Line, Packet, Prompt


class Screen(ABC):
    """One way to type and show lines. A terminal has one at a time, and may change it between lines."""

    takes_lines: bool = True
    """Whether moves and questions at a table are shown in lines. If not, the table's packets have their words."""
    takes_packets: bool = False
    """Whether all packets are shown."""
    takes_picture: bool = False
    """Whether tables are shown as pictures, as on the page."""
    follows_tables: bool = False
    """Whether a program has asked for news of the list of tables."""
    takes_events: bool = False
    """Whether the client words what happens to people and rooms itself, and so gets it as values."""
    names_tables: bool = False
    """Whether the screen prints a line's table in its own way. It gets lines without tags, and as they are written."""
    question: Prompt | None
    """The open prompt, if any."""

    def __init__(self, wire: Wire, look: Look, completer: Completer = uncompleted) -> None:
        """Begin a screen on a wire; `completer` returns completions, for a screen that reads each key."""
        self.look = look
        self._wire = wire
        self._completer = completer

    @property
    def full(self) -> bool:
        """Whether too much input is held back to take more."""
        return False

    @property
    def history(self) -> Sequence[str]:
        """The lines that were typed here, if the screen keeps them."""
        return ()

    @property
    @abstractmethod
    def idle(self) -> bool:
        """Whether no line is unfinished, as far as we can know."""

    @property
    @abstractmethod
    def partial_line(self) -> str:
        """The unfinished line; empty if it is a secret."""

    @abstractmethod
    def feed(self, data: bytes) -> Sequence[str]:
        """Handle typed bytes, and return the completed lines."""

    def more(self) -> Sequence[str]:
        """Return the lines completed by input that was held back until the next read."""
        return ()

    @abstractmethod
    def answered(self, line: str) -> None:
        """Record that a line is being read; it answers any prompt."""

    def show(self, *lines: Line) -> None:
        """Show lines above any open prompt and typed text."""
        for line in lines:
            self._wire.send_rows(rendered(line, self.look), line.kind)

    @abstractmethod
    def ask(self, prompt: Prompt) -> None:
        """Show a prompt."""

    def packet(self, packet: Packet) -> None:  # noqa: B027 - most screens do nothing
        """Show a packet, if the screen takes packets."""

    def tell(self, event: ChatEvent, hears: Hears) -> bool:  # noqa: ARG002 - for screens that take events
        """Show an event that the person hears so; return False if it has to be shown as lines."""
        return False

    def ring(self) -> None:
        """Ring the bell."""
        self._wire.send(b"\a", "talk")

    @property
    def shared_look(self) -> Look:
        """The look by which lines are encoded once for several screens."""
        return self.look

    def last_lines(self) -> Sequence[str]:
        """Return the last lines shown here as plain text, not wrapped, without secrets."""
        sent = self._wire.outbox.recent if self._wire.outbox else []
        return [line for rows in sent for line in unwrapped(rows, self.look) if line][-REMEMBERED:]

    def enter(self, directory: Directory) -> None:  # noqa: B027 - most screens do nothing
        """Show what a person who has logged in needs first: these are the people and rooms here."""

    def prefer(self, wishes: Preferences) -> None:  # noqa: B027 - most screens do nothing
        """Take what the person prefers from now on."""

    @abstractmethod
    def learned(self, peer: Peer, look: Look) -> None:
        """Update after the client has reported something, with the look of its screen."""

    def remember(self, lines: Sequence[str]) -> None:  # noqa: B027 - most screens do nothing
        """Add lines to the history."""

    def carry(self) -> LilyState | None:
        """Return what the client of lily knows, for another process to continue; None for other clients."""
        return None

    def take_up(self, known: LilyState, directory: Directory) -> None:  # noqa: B027 - most screens do nothing
        """Continue with what the client of lily knows, without showing anything."""

    @abstractmethod
    def close(self) -> None:
        """Restore the client's screen to its original state."""
