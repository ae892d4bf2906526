"""The screen for lily's clients: events as notices, commands in leaves, and everything else as plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import attrs

from lilygames.chat.people.directory import UNLISTED, Directory
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import PLAINLY, Hears
from lilygames.edge.screens.line import LineScreen, Splitter
from lilygames.edge.slcp.lists import gone_row, members_row, person_row, room_row, sender_row, sync
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.slcp.text import Shown, escaped, field, plain, unmarked
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.connection_state import LilyState
from lilygames.edge.wire.outbox import REMEMBERED
from lilygames.edge.wire.render import Look
from lilygames.edge.wire.wire import Wire
from lilygames.text import QUOTE, Kind, Line, Prompt

_RAW = ("login: ", "password: ")
"""The prompts of a login that clients know without a `%prompt`."""
_REVIEW = "# "
"""The start of each row of a review, which is talk but the answer to a command."""


@attrs.define
class Gathering:
    """A text that the client sends in one piece: what it is, its name, and how many lines are still to come."""

    what: Literal["info", "memo"]
    name: str
    missing: int
    lines: list[str] = attrs.Factory(list)

    def take(self, line: str) -> bool:
        """Take a line, and return whether it was the last one."""
        self.lines.append(line)
        self.missing -= 1
        return self.missing <= 0


class SlcpScreen(LineScreen):
    """Reads whole lines, and prints rows of SLCP in ASCII, which the client wraps and words.

    No telnet option is sent to such a client: it would show it.
    """

    takes_events = True

    def __init__(self, wire: Wire, look: Look, notices: Notices, half_typed: Splitter | None = None) -> None:
        """Continue after a screen of whole lines, where the next line may be half typed."""
        super().__init__(wire, look)
        self._splitter = half_typed or self._splitter
        self._notices = notices
        self._directory: Directory = UNLISTED
        self._introduced: set[int] = set()
        """The handles that the client knows."""
        self._put_rows = wire.outbox.put_rows if wire.outbox else wire.send_rows
        self._next_leaf = 1
        self._leaf = 0
        """The number of the command that is being handled; 0 for none."""
        self.gathering: Gathering | None = None
        """The text that the client is sending."""

    # handover to another process

    def carry(self) -> LilyState:
        """Return what the client knows."""
        return LilyState(tuple(sorted(self._introduced)), self._next_leaf, self._leaf)

    def take_up(self, known: LilyState, directory: Directory) -> None:
        """Continue with what the client knows, without printing anything."""
        self._introduced, self._next_leaf, self._leaf = {*known.introduced}, known.next_leaf, known.leaf
        self._directory = directory

    # the client's own rows

    def put(self, *rows: str, kind: Kind = "answer") -> None:
        """Print rows of the protocol."""
        self._wire.send("".join(f"{row}\r\n" for row in rows).encode("ascii"), kind)

    def begin(self, line: str) -> None:
        """Open the leaf of a command, unless it is open already."""
        if not self._leaf:
            self._leaf = self._next_leaf
            self._next_leaf += 1
            self.put(f"%begin [{self._leaf}] {plain(line)}")

    def end(self) -> None:
        """Close the open leaf, if any."""
        if self._leaf:
            self.put(f"%end [{self._leaf}]")
            self._leaf = 0

    @property
    def in_command(self) -> bool:
        """Whether a command is being handled: a line that is read now answers its question."""
        return self._leaf != 0

    # a text that the client sends in one piece

    def gather(self, text: Gathering | None) -> None:
        """Take the next lines for a text; with None, for commands again."""
        self.gathering = text

    # people and rooms

    @property
    def entered(self) -> bool:
        """Whether the person has logged in."""
        return self._directory is not UNLISTED

    def enter(self, directory: Directory) -> None:
        """Tell the client who is here and that the login has ended."""
        self._directory = directory
        self.put("*** Connected ***")
        self.sync()
        self.put(f"%connected #{self._notices.handles.of(f'~{directory.own_name}')}")

    def sync(self) -> None:
        """Tell the client about everyone and everything again."""
        rows = [*sync(self._notices.handles, self._directory)]
        self._introduced |= {handle for handle, _ in rows if handle}
        self.put(*[row for _, row in rows])

    def introduce(self, marks: Iterable[str]) -> None:
        """Tell the client about people and rooms that it doesn't know yet."""
        for mark in marks:
            handle = self._notices.handles.of(mark)
            if handle not in self._introduced:
                self._introduce(handle, mark)

    def _introduce(self, handle: int, mark: str) -> None:
        if mark.startswith("~"):
            self.put(person_row(handle, self._directory.person(mark[1:])), kind="game")
        elif room := self._directory.room(mark[1:]):
            self.put(room_row(handle, room), kind="game")
        else:
            return  # a room that they may not see
        self._introduced.add(handle)

    def members(self, handle: int) -> None:
        """Print who is in the room with this handle."""
        mark = self._notices.handles.mark_of(handle)
        room = self._directory.room(mark[1:]) if mark.startswith("-") else None
        if room:
            self.introduce(f"~{name}" for name in room.members)
        self.put(members_row(self._notices.handles, handle, room))

    def tell(self, event: ChatEvent, hears: Hears) -> bool:
        """Print an event as a notice; return False for an event without a form in SLCP."""
        notice = self._notices.of(event)
        if hears is PLAINLY and notice.said and self._introduced >= notice.said:
            self._put_rows(notice.row(hears), "talk")  # the usual case: talk of people whom the client knows
            return True
        if not self.entered:
            return True  # their own arrival
        if event.kind == "game" and not event.by:
            return not hears.shown
        if notice.again:
            handle = self._notices.handles.of(f"~{event.by}")
            self.put(sender_row(handle, self._directory.person(event.by), event), kind="game")
            self._introduced.add(handle)
        row = notice.row(hears)
        if row:
            if not self._introduced.issuperset(notice.mentions):
                for handle in notice.mentions.keys() - self._introduced:
                    self._introduce(handle, notice.mentions[handle])
            self._wire.send_rows(row, notice.kind)
        if notice.gone:
            handle = self._notices.handles.of(notice.gone)
            self.put(gone_row(handle, notice.gone[1:]), kind="game")
        return True

    # lines

    def show(self, *lines: Line) -> None:
        """Print each line as one row: an answer in its leaf, a notice as an event, anything else as it is."""
        for line in lines:
            row = f"{self._row(line)}\r\n".encode("ascii")
            self._wire.send(row if line.secret else Shown(row, line), line.kind)

    def _row(self, line: Line) -> str:
        if self._leaf and (line.kind == "answer" or (line.kind == "talk" and line.text.startswith(_REVIEW))):
            text = f"* {line.text.removeprefix(QUOTE)}" if line.text.startswith(QUOTE) else line.text
            return f"%command [{self._leaf}] {escaped(text)}"
        if line.kind == "notice":
            return f"%NOTIFY SOURCE=#0 EVENT=sysmsg NOTIFY {field('VALUE', unmarked(line.text))}"
        return escaped(line.text)

    def last_lines(self) -> Sequence[str]:
        """Return the last lines and events shown here, in words."""
        sent = self._wire.outbox.recent if self._wire.outbox else []
        shown = (row.lines for row in sent if isinstance(row, Shown))
        return [line.text for lines in shown for line in lines if line.text][-REMEMBERED:]

    def ring(self) -> None:
        """Ring the bell with an empty row: the client has no bell of its own without one."""
        self.put("%g", kind="talk")

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt. The client hides what is typed if the prompt has the word `password` in it."""
        self.question = prompt
        text = plain(prompt.text)
        if not self.entered and text in _RAW:
            self._wire.send(text.encode("ascii"), "turn")
            return
        if prompt.secret and "password" not in text:
            text = f"{text.rstrip(': ')} (a password): "
        self.put(f"%prompt {text}", kind="turn")

    def answered(self, line: str) -> None:  # noqa: ARG002 - it is on the client's screen
        """Forget the prompt."""
        self.question = None

    def learned(self, peer: Peer, look: Look) -> None:
        """Stay with ASCII, at the width that the person has chosen."""
        self._known = peer
        self._splitter.read_in("utf-8")
        self.look = attrs.evolve(look, charset="ascii", colour=None)

    def close(self) -> None:
        """Close the open leaf."""
        self.end()
