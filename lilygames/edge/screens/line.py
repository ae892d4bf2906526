"""The screen for clients that edit lines themselves: MUD clients, netcat and unknown ones."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import attrs

from lilygames.chat.people.terminal import Completer, uncompleted
from lilygames.edge.screens.screen import Screen
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.limits import LONGEST
from lilygames.edge.wire.render import Look, prompted
from lilygames.edge.wire.wire import Wire
from lilygames.text import Line, Prompt, clean

_MARKS = {None: b"", False: b"\xff\xf9", True: b"\xff\xef"}
"""The end of a prompt: EOR (RFC 885) if the client agreed to it, GA (RFC 854) if it declined."""
_END = re.compile(rb"\r[\n\0]?|\n")
_ERASERS = "\b\x7f"
_LF = 0x0A
HEAD = 64
"""Bytes that are kept of a line that is too long, for its id."""


@attrs.frozen
class TooLong:
    """A line that was too long, as it began."""

    head: bytes


def erased(text: str) -> str:
    """Apply backspaces in `text`; each removes a letter with its marks."""
    if "\b" not in text and "\x7f" not in text:
        return text
    kept: list[str] = []
    for character in text:
        if character not in _ERASERS:
            kept.append(character)
            continue
        while kept and unicodedata.combining(kept.pop()):
            pass
    return "".join(kept)


class Splitter:
    """Splits input into lines that end in CR LF, CR NUL, LF or CR, and decodes them in `charset`.

    Real clients use all four (RFC 854 has the first two). A CR at the end of a packet and an LF or NUL at the start of
    the next are one line end. At most `longest` bytes are kept, and only the head of a longer line.
    """

    __slots__ = ("_after_return", "_begun", "_charset", "_dropping", "_longest")

    def __init__(self, charset: str = "utf-8", longest: int = LONGEST) -> None:
        self._charset = charset
        self._longest = longest
        self._begun = bytearray()
        self._dropping = False
        self._after_return = False

    @property
    def has_partial_line(self) -> bool:
        """Whether there is an unfinished line."""
        return bool(self._begun) or self._dropping

    @property
    def text(self) -> str:
        """The unfinished line, as far as it can be decoded."""
        return "" if self._dropping else self._begun.decode(self._charset, "replace")

    def read_in(self, charset: str) -> None:
        """Decode lines in this charset from now on."""
        self._charset = charset

    def feed(self, data: bytes) -> list[str | TooLong]:
        """Return the lines that `data` completes, cleaned, and the heads of those that were too long."""
        if not data:
            return []
        if data.isascii() and data[-1] == _LF and not (self._begun or self._dropping or self._after_return):
            *lines, _ = data.decode("ascii").replace("\r\n", "\n").split("\n")
            if len(data) <= self._longest and "".join(lines).isprintable():
                return [*lines]  # they need no cleaning
        if self._after_return and data[0] in b"\n\0":
            data = data[1:]
        self._after_return = data.endswith(b"\r")
        *ended, begun = _END.split(data)
        finished = [self._finish(piece) for piece in ended]
        self._keep(begun)
        return finished

    def _keep(self, piece: bytes) -> None:
        if self._dropping or len(self._begun) + len(piece) > self._longest:
            if not self._dropping:
                self._begun += piece[:HEAD]
                del self._begun[HEAD:]
            self._dropping = True
        else:
            self._begun += piece

    def _finish(self, piece: bytes) -> str | TooLong:
        if self.has_partial_line or len(piece) > self._longest:
            self._keep(piece)
            piece = bytes(self._begun)
        raw, dropped = piece.replace(b"\0", b""), self._dropping
        self._begun.clear()
        self._dropping = False
        return TooLong(raw) if dropped else clean(erased(raw.decode(self._charset, "replace")))


def too_long(most: int) -> Line:
    """Return the sentence about a line of more than `most` bytes."""
    return Line(f"(Your line was longer than {most} bytes, so it was ignored. Send it in parts.)")


class LineScreen(Screen):
    """Reads and prints whole lines; a prompt stays on its row without a line end."""

    def __init__(
        self, wire: Wire, look: Look, question: Prompt | None = None, completer: Completer = uncompleted
    ) -> None:
        super().__init__(wire, look, completer)
        self.question = question
        self._known = wire.peer
        self._splitter = Splitter(longest=wire.limits.line_bytes)
        self._concealed = False
        self._utf8 = False
        self.learned(wire.peer, look)

    @property
    def idle(self) -> bool:
        """Whether no line is unfinished."""
        return not self._splitter.has_partial_line

    @property
    def splitter(self) -> Splitter:
        """The typed bytes, on their way to lines."""
        return self._splitter

    @property
    def partial_line(self) -> str:
        """The unfinished line; empty if it is a secret."""
        return "" if self._concealed else self._splitter.text

    def feed(self, data: bytes) -> Sequence[str]:
        """Return the lines that `data` completes; for one that is too long, show an error and ignore it."""
        lines: list[str] = []
        for line in self._splitter.feed(data):
            if isinstance(line, TooLong):
                self.too_long(line)
                continue
            lines.append(line)
            if not (self._utf8 or line.isascii() or "\ufffd" in line):
                self._utf8 = True
                self.learned(self._wire.peer, self.look)
        return lines

    def too_long(self, line: TooLong) -> None:  # noqa: ARG002 - a program is told which
        """Say that a line was too long."""
        self.show(too_long(self._wire.limits.line_bytes))

    def answered(self, line: str) -> None:  # noqa: ARG002 - it is already on the client's screen
        """Turn echo on again after a secret."""
        if self.question is not None:
            self.question = None
            self._wire.set_last_row(b"", b"")
        if self._concealed:
            self._concealed = False
            self._wire.conceal(typing=False)
            self._wire.send(b"\r\n", "answer")

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt, and hide the typing of a secret if the client can."""
        self.question = prompt
        if prompt.secret and self._wire.peer.negotiates:
            self._concealed = True
            self._wire.conceal(typing=True)
        asked = self._asked(prompt)
        self._wire.send(asked, "turn")
        self._wire.set_last_row(b"\r\n", asked)

    def _asked(self, prompt: Prompt) -> bytes:
        peer = self._wire.peer
        warning = "(your screen will show what you type) " if prompt.secret and not peer.negotiates else ""
        return prompted(prompt.text + warning, self.look) + _MARKS[peer.records]

    def learned(self, peer: Peer, look: Look) -> None:
        """Print as `look` says from now on; an unnamed client that typed UTF-8 gets UTF-8 too."""
        before, self._known = self._known, peer
        self._splitter.read_in("utf-8" if look.charset == "ascii" else look.charset)
        self.look = attrs.evolve(look, charset="utf-8") if self._utf8 and not peer.names else look
        if self.question is None:
            return
        if before.records is None:
            self._wire.send(_MARKS[peer.records], "turn")
        self._wire.set_last_row(b"\r\n", self._asked(self.question))

    def close(self) -> None:
        """Turn echo on again."""
        self._wire.set_last_row(b"", b"")
        if self._concealed:
            self._concealed = False
            self._wire.conceal(typing=False)
