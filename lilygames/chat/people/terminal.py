"""The terminal interface that chat uses; the edge implements it for each kind of client."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, Protocol

from lilygames.chat.people.directory import UNLISTED, Directory
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.text import Line, Packet, Problem, Prompt, Voice

Completer = Callable[[str], Sequence[str]]
"""Returns the full lines that complete a partial one."""

AtOnce = Callable[[str], bool]
"""Handles a line at once and returns True, or returns False for a line that may have to wait."""


class Unfinished(Protocol):
    """A line whose handling has begun and goes on without a task."""

    def finished(self) -> None:
        """Learn that everything that answers the line has been shown."""


Begin = Callable[[str, Unfinished], bool]
"""Begins to handle a line and returns True, or returns False for a line that a task has to handle."""


class Gone(Exception):
    """The terminal has disconnected."""


def unheard(_: str) -> bool:
    """Handle no line at once: each is read in turn."""
    return False


def never(_: str, __: Unfinished) -> bool:
    """Begin no line: a task handles each."""
    return False


def uncompleted(_: str) -> Sequence[str]:
    """Return no completions."""
    return ()


class TerminalUser(Protocol):
    """The person at a terminal, as the terminal needs them."""

    @property
    def directory(self) -> Directory:
        """The people here, and the rooms that this person may see."""

    @property
    def seen(self) -> Mapping[int, int]:
        """The log entry of each of their tables' positions that is on the screen, by table number."""

    def complete(self, text: str) -> Sequence[str]:
        """Return the full lines that complete `text`."""

    def complete_move(self, text: str, table: int) -> Sequence[Mapping[str, str]]:
        """Return the moves at a table that `text` begins: each as it is typed, and as it is read aloud."""

    def asked_for(self, packet: str) -> None:
        """Send a packet that the client has asked for."""

    def get(self, what: str, table: int | None) -> Line | None:
        """Send what a program has asked for; return the line that refuses it, if it isn't there."""

    def follow_tables(self, *, on: bool) -> None:
        """Send a program that has just got the list of tables what changes in it, or stop that."""

    def follow_place(self, *, on: bool) -> None:
        """Send a program that has just got the notices of the place what changes in them, or stop that."""

    def confirm(self) -> None:
        """Record that the client has got everything, including the newest token of its session."""

    def store(self, what: Literal["info", "memo"], name: str, lines: Sequence[str]) -> Line:
        """Store a text that the client has sent in one piece, and return what to say: stored, or refused and why."""

    def changed(self) -> None:
        """Update after a change in how lines are shown or whether packets are wanted."""


class Nobody:
    """The user of a terminal before the login."""

    directory: Directory = UNLISTED
    seen: Mapping[int, int] = MappingProxyType({})

    def complete(self, _: str) -> Sequence[str]:
        """Return no completions."""
        return ()

    def complete_move(self, _: str, __: int) -> Sequence[Mapping[str, str]]:
        """Return no moves."""
        return ()

    def asked_for(self, _: str) -> None:
        """Send nothing."""

    def get(self, _: str, __: int | None) -> Line | None:
        """Refuse: nobody has logged in."""
        return Line("Refused: log in first.", problem=Problem("not-logged-in"))

    def follow_tables(self, *, on: bool) -> None:
        """Do nothing: nobody has got a list."""

    def follow_place(self, *, on: bool) -> None:
        """Do nothing: the greeting has begun it."""

    def confirm(self) -> None:
        """Do nothing."""

    def store(self, _: Literal["info", "memo"], __: str, ___: Sequence[str]) -> Line:
        """Refuse: nobody has logged in."""
        return Line("Refused: log in first.", problem=Problem("not-logged-in"))

    def changed(self) -> None:
        """Do nothing."""


NOBODY = Nobody()
TELEVISION = Nobody()
"""The user of a shared screen: nobody has logged in there, and nobody is expected to."""


class Terminal(Protocol):
    """One person's screen and keyboard, on any kind of connection."""

    address: str
    """The peer's address, used for limits and the sysop's log only."""

    @property
    def sent(self) -> int:
        """Bytes sent so far, before someone logs in."""

    def attach(self, user: TerminalUser) -> None:
        """Set the user of this terminal, who has taken their places. Nothing has been shown to them yet."""

    @property
    def width(self) -> int:
        """Columns of the screen, for tables and other fixed layouts."""

    @property
    def voice(self) -> Voice:
        """How lines are worded for this person."""

    def set_voice(self, voice: Voice) -> None:
        """Change how lines are worded. From now on, a program's voice (`each`) gets only JSON, whatever is set."""

    @property
    def takes_lines(self) -> bool:
        """Whether moves and questions at a table are shown in lines. If not, the table's packets have their words."""

    @property
    def takes_packets(self) -> bool:
        """Whether a client is connected that asked for packets."""

    @property
    def takes_picture(self) -> bool:
        """Whether the client is a page, which shows tables as pictures, and gets more packets."""

    @property
    def follows_tables(self) -> bool:
        """Whether the client is a program that asked for news of the list of tables."""

    @property
    def keeps_up(self) -> bool:
        """Whether the client reads about as fast as it is sent something."""

    @property
    def suits_guessed(self) -> bool:
        """Whether suits are shown as signs by a guess, so that the person may be asked whether they see them."""

    @property
    def takes_events(self) -> bool:
        """Whether the client words events itself, and so gets them as values."""

    def tell(self, event: ChatEvent, hears: Hears) -> bool:
        """Tell the client about an event that the person hears so; return False if it has to be shown as lines.

        Such a client is told of everything that the person doesn't hear, too: it keeps lists of people and rooms.
        """

    def supports(self, packet: str) -> bool:
        """Return whether the client wants packets of this name. With `resume` it can resume a session elsewhere."""

    async def read(self, at_once: AtOnce = unheard, begin: Begin = never) -> str:
        """Return the next line that neither handles, cleaned, without its line end; raises `Gone`.

        A line that `begin` has begun is finished before the next is read.
        """

    def give_back(self) -> None:
        """Don't count the line that is being handled against the rate limit: it only waits for a yes."""

    def show(self, *lines: Line) -> None:
        """Show lines on the screen. Never waits for a slow reader."""

    def last_lines(self) -> Sequence[str]:
        """Return the last lines shown here, without secrets. They aren't wrapped."""

    def packet(self, *packets: Packet) -> None:
        """Send packets if the client wants them, in order with the lines."""

    def ring(self) -> None:
        """Ring the bell, if there is one."""

    def entitle(self, text: str) -> None:
        """Change the window's title, if the terminal has one; an empty text restores it."""

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt; the answer is the next line read."""

    def prefer(self, settings: Mapping[str, str]) -> None:
        """Apply the person's settings (listed in `chat.settings`) from now on."""

    def close(self) -> None:
        """Disconnect after everything shown has been sent."""
