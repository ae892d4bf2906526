"""The screen for programs: each line, prompt and packet is one line of JSON. Input is lines of text, or objects.

`lilygames/edge/machine.schema.json` describes both directions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.chat.tasks import current_request
from lilygames.edge.screens.line import LineScreen, TooLong
from lilygames.edge.screens.requests import LARGEST_ID, Ongoing
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.preferences import Preferences
from lilygames.edge.wire.render import Look, Rows
from lilygames.text import Kind, Line, Packet, Problem, Prompt, clean

_PING = '{"ping"'
_ID = re.compile(rb'\s*\{\s*"id"\s*:\s*(\d{1,16})\s*,')
_A_PING = re.compile(r'\{"ping": ?(\d{1,15})\}')
PROGRAM = Look(charset="ascii", program=True)
"""The look of all programs' screens: lines for several are encoded once."""


def as_json(value: Any) -> str:
    """Return a value as one line of JSON in ASCII, which is safe in every charset and on telnet."""
    return json.dumps(value, separators=(",", ":"))


class MachineScreen(LineScreen):
    """Reads whole lines and prints JSON, unwrapped; nothing is hidden, marked or repeated.

    Everything that a request causes carries its id as `re`, and `done` with its id says that it has ended.
    """

    takes_packets = True
    names_tables = True
    ongoing: Ongoing | None = None
    """The request that is being handled."""

    def prefer(self, wishes: Preferences) -> None:
        """Print pictures for a page, whose lines name their table in fields of their own.

        A page and a program in brief mode read moves in the packets of tables.
        """
        self.takes_picture = wishes.page
        self.takes_lines = not (wishes.page or wishes.brief)

    def feed(self, data: bytes) -> Sequence[str]:
        """Return the lines that `data` completes. Pings are answered now, although earlier lines may still wait."""
        return [line for line in super().feed(data) if not (line.startswith(_PING) and self._has_answered(line))]

    def _has_answered(self, line: str) -> bool:
        """Answer a ping; return False if it isn't one."""
        if number := _A_PING.fullmatch(line):
            self._put({"pong": int(number[1])}, "answer")
        return number is not None

    def begin(self, number: int | None) -> None:
        """Handle the request with this id from now on; None for a plain line."""
        self.ongoing = None if number is None else Ongoing(number, self.show, self._wire.outbox)
        current_request.set_to(self.ongoing)

    def end(self) -> None:
        """Say that the request has ended, if one is being handled."""
        if done := self.ongoing:
            self.ongoing = None
            current_request.set_to(None)
            self.refuse(done.id, done.problem, done.sentence)

    def put_back(self) -> None:
        """Stop handling the request: it begins again later."""
        self.ongoing = None
        current_request.set_to(None)

    def refuse(self, number: int | None, problem: Problem | None, sentence: str) -> None:
        """Say that a request has ended, and why it was refused, if it was."""
        error = {**coded(problem), "text": clean(sentence)} if problem else None
        self._put({"done": number, "error": error}, "answer")

    def show(self, *lines: Line) -> None:
        """Print the lines that aren't empty."""
        for line in lines:
            if _text(line, on_page=self.takes_picture):
                caused = self._is_caused
                if line.problem and self.ongoing and caused:
                    self.ongoing.refused(line.problem, line.text)
                if self.takes_picture and not (caused or line.secret):
                    data = _LINES.row(line)
                else:
                    number = self.ongoing.id if self.ongoing and caused else None
                    data = row_of(line, number, in_fields=self.takes_picture)
                self._wire.send(data if line.secret else Rows(data), line.kind)

    def ask(self, prompt: Prompt) -> None:
        """Print a prompt."""
        self.question = prompt
        asks = {"asks": prompt.asks} if prompt.asks else {}
        self._put({"prompt": prompt.text.rstrip(), "secret": prompt.secret, **asks, **self._re}, "turn")

    def packet(self, packet: Packet) -> None:
        """Print a packet under its name."""
        if packet.name == "hello":
            limits = self._wire.limits
            limited = {"line_bytes": limits.line_bytes, "lines_per_second": limits.lines_per_second}
            packet = Packet("hello", {**packet.value, "limits": limited})
        kind: Kind = "talk" if packet.name == "talk" else "game"
        self._wire.send(_SHARED.row(packet, self._re), kind)

    def tell(self, event: ChatEvent, hears: Hears) -> bool:
        """Ring for talk on a page, which has the words already as a packet; return False for anything else."""
        if not (self.takes_picture and event.said):
            return False
        if hears.bell:
            self.ring()
        return True

    @property
    def shared_look(self) -> Look:
        """The look of all programs."""
        return PROGRAM

    def ring(self) -> None:
        """Print that the bell rings."""
        self._put({"bell": True, **self._re}, "talk")

    def learned(self, peer: Peer, look: Look) -> None:
        """Use UTF-8, whatever the client reports."""
        self._known, self.look = peer, look
        self._splitter.read_in("utf-8")

    def too_long(self, line: TooLong) -> None:
        """Say that a line was too long, with its id if it began with that."""
        most, begun = self._wire.limits.line_bytes, _ID.match(line.head)
        number = int(begun[1]) if begun and int(begun[1]) <= LARGEST_ID else None
        self.refuse(number, Problem("too-long"), f"a line has at most {most} bytes, so this one was ignored")

    def close(self) -> None:
        """End the request that is being handled: what follows may not be JSON."""
        self.end()
        super().close()

    @property
    def _is_caused(self) -> bool:
        """Whether what is printed now is caused by the request that is being handled."""
        return self.ongoing is not None and current_request.get() is self.ongoing

    @property
    def _re(self) -> dict[str, int]:
        return {"re": self.ongoing.id} if self.ongoing and self._is_caused else {}

    def _put(self, value: Any, kind: Kind) -> None:
        self._wire.send(_row(value), kind)


def rows_of(lines: Iterable[Line]) -> Rows:
    """Return lines that several programs are shown."""
    return Rows(b"".join([row_of(line) for line in lines if line.text]))


def row_of(line: Line, re: int | None = None, *, in_fields: bool = False) -> bytes:
    """Return a line as a row of JSON; `re` is the id of the request that caused it.

    The line's table is in its text, or with `in_fields` in keys of its own.
    """
    text = f"[{line.tag.room}] {line.text}" if line.tag and not in_fields else _text(line, on_page=in_fields)
    of = {"room": line.tag.room, "number": line.tag.number} if line.tag and in_fields else {}
    whose = {"by": line.by} if line.by else {}
    error = {"error": coded(line.problem)} if line.problem else {}
    caused = {} if re is None else {"re": re}
    return _row({"line": clean(text), "kind": line.kind, **of, **whose, **error, **caused})


def _text(line: Line, *, on_page: bool) -> str:
    """Return what a line says to a program, or on the page."""
    return line.text if line.on_page is None or not on_page else line.on_page


def coded(problem: Problem) -> dict[str, str]:
    """Return a problem as it is printed."""
    return {"code": problem.code, **({"rule": problem.rule} if problem.rule else {})}


def _row(value: Any) -> bytes:
    return f"{as_json(value)}\r\n".encode("ascii")


class _SharedRow:
    """The row of the packet printed last, because the same one is often sent to many programs in turn.

    With 200 programs in a room, a message is encoded once instead of 200 times. To remove it, let `row` always encode.
    """

    def __init__(self) -> None:
        self._packet: Packet | None = None
        self._row = b""

    def row(self, packet: Packet, caused: dict[str, int]) -> bytes:
        """Return the row of a packet."""
        if caused:
            return _row({packet.name: packet.value, **caused})
        if packet is not self._packet:
            self._packet, self._row = packet, _row({packet.name: packet.value})
        return self._row


class _SharedLine:
    """The row of the line that was last shown to a page, because the same one is often shown to many pages in turn.

    With 200 pages, the news that someone has come is encoded once instead of 200 times. To remove it, let `row` always
    encode.
    """

    def __init__(self) -> None:
        self._line: Line | None = None
        self._row = b""

    def row(self, line: Line) -> bytes:
        """Return the row of a line for pages."""
        if line is not self._line:
            self._line, self._row = line, row_of(line, in_fields=True)
        return self._row


_LINES = _SharedLine()
_SHARED = _SharedRow()
