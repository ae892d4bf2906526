"""The front end for whoever edits lines at their own end: MUD clients, netcat, and the unknown."""

from __future__ import annotations

import asyncio
from collections import deque

import attrs

from lilygames.chat.terminal import Gone
from lilygames.edge.lines import LONGEST, Splitter
from lilygames.edge.peer import Peer
from lilygames.edge.render import prompted, rendered
from lilygames.edge.wire import Wire
from lilygames.text import Line, Prompt, Voice, count

INBOX = 64
"""Lines typed ahead beyond which nothing more is read from the wire."""

_MARKS = {None: b"", False: b"\xff\xf9", True: b"\xff\xef"}
"""What ends a question: EOR (RFC 885) where it was agreed to, GA (RFC 854) where it was declined."""

_TOO_LONG = Line(f"(a line was longer than {LONGEST} bytes and nothing was done with it: send it in parts)")


class LineTerminal:
    """A terminal that gets whole lines and prints whole lines; a question stays on its row without a line end."""

    def __init__(self, wire: Wire) -> None:
        self.voice = Voice()
        self.address = wire.address
        self._wire = wire
        self._known = wire.peer
        self._look = wire.peer.look
        self._splitter = Splitter()
        self._typed: deque[str] = deque()
        self._news = asyncio.Event()
        self._gone = False
        self._question: Prompt | None = None
        self._concealed = False
        self._utf8 = False

    async def read(self) -> str:
        """Return the next line typed; raises `Gone` once all that was typed before the end has been read."""
        while not self._typed:
            if self._gone:
                raise Gone
            self._news.clear()
            await self._news.wait()
        line = self._typed.popleft()
        self._answered()
        if not self._typed:
            self._wire.more()
        return line

    def _answered(self) -> None:
        self._question = None
        if self._concealed:
            self._concealed = False
            self._wire.conceal(typing=False)
            self._wire.send(b"\r\n", "answer")

    def show(self, *lines: Line) -> None:
        """Print the lines; a question that still waits is asked again below them."""
        if self._question is not None:
            self._wire.send(b"\r\n", "answer")
        for line in lines:
            self._wire.send(rendered(line, self._look), line.kind)
        if self._question is not None:
            self._wire.send(self._asked(self._question), "turn")

    def ask(self, prompt: Prompt) -> None:
        """Put a question, and have the typing of a secret answer hidden where the other end can."""
        self._question = prompt
        if prompt.secret and self._wire.peer.negotiates:
            self._concealed = True
            self._wire.conceal(typing=True)
        self._wire.send(self._asked(prompt), "turn")

    def _asked(self, prompt: Prompt) -> bytes:
        peer = self._wire.peer
        warning = "(your screen will show what you type) " if prompt.secret and not peer.negotiates else ""
        return prompted(prompt.text + warning, self._look) + _MARKS[peer.records]

    def close(self) -> None:
        """Hang up once everything shown has been sent."""
        self._wire.hang_up()
        self._typed.clear()
        self.gone()

    @property
    def full(self) -> bool:
        """Whether so much is typed ahead that no more is taken."""
        return len(self._typed) >= INBOX

    def feed(self, data: bytes) -> None:
        """Take typed bytes; a line too long is answered by a sentence and otherwise ignored."""
        for line in self._splitter.feed(data):
            if line is None:
                self.show(_TOO_LONG)
                continue
            self._typed.append(line)
            if not (self._utf8 or line.isascii() or "\ufffd" in line):
                self._utf8 = True
                self.learned(self._wire.peer)
        if self._typed:
            self._news.set()

    def learned(self, peer: Peer) -> None:
        """Print from now on as the other end's screen asks; who told no name but typed UTF-8 can read it too."""
        before, self._known = self._known, peer
        look = peer.look
        self._splitter.charset = "utf-8" if look.charset == "ascii" else look.charset
        self._look = attrs.evolve(look, charset="utf-8") if self._utf8 and not peer.names else look
        if self._question is not None and before.records is None:
            self._wire.send(_MARKS[peer.records], "turn")
        if peer.screen_reader and not before.screen_reader:
            self.voice = attrs.evolve(self.voice, spoken=True)

    def skipped(self, lines: int) -> None:
        """Tell the reader that it missed talk."""
        self.show(Line(f"({count(lines, 'line')} of talk skipped, as your end read too slowly)"))

    def gone(self) -> None:
        """End the input."""
        self._gone = True
        self._news.set()
