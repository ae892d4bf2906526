"""The terminal of a connection: its lines typed ahead, and the screen that serves it, by what the other end tells."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import attrs
import structlog

from lilygames.chat.terminal import NOBODY, AtOnce, Gone, TerminalUser, unheard
from lilygames.edge.capabilities import Peer
from lilygames.edge.connection_state import HalfRead
from lilygames.edge.editor import EditorScreen
from lilygames.edge.gmcp import GOODBYE, Gmcp, asked
from lilygames.edge.limits import Allowance, LineRate, fair_queue
from lilygames.edge.machine import MachineScreen
from lilygames.edge.outbox import REMEMBERED, Outbox
from lilygames.edge.render import Look
from lilygames.edge.screen_choice import ScreenChoice
from lilygames.edge.screen_reader import ScreenReader
from lilygames.edge.tags import Tags
from lilygames.edge.wire import Wire
from lilygames.text import Line, Packet, Prompt, Voice, clean, count

log = structlog.get_logger()

LAST_WORDS = 4
"""Lines typed ahead that are still heard when the connection has broken: a move, and then the window was closed."""

INBOX = 64
"""Lines typed ahead beyond which nothing more is read from the wire."""

AT_A_TIME = 0.001
"""Seconds that lines typed ahead may take together before others have their turn."""

CLASSIFIED = 0.6
"""Seconds in which an answer may change the screen under the first question; a later one waits for a line's end."""

_TOO_FAST = Line("Refused: you send lines faster than they are read; stop for some seconds, and then go on.")
_TOO_MANY = Line("(you went on sending lines that nobody reads, so this line is closed)")

TABS = 10
"""Questions to the host for completions and lists, in a second; each looks at every name."""


class Source(Protocol):
    """The terminal whose lines these are."""

    def answered(self, line: str) -> None:
        """Take note that a line is being done."""

    def go_on(self) -> None:
        """Add the lines that were held back until the last one was done."""

    def show(self, *lines: Line) -> None:
        """Put lines on the screen."""

    def close(self) -> None:
        """Hang up."""


class LineQueue:
    """Lines typed ahead, and the one who reads them: each is done or read in its turn, no faster than granted."""

    def __init__(self, pace: LineRate, more: Callable[[], object]) -> None:
        self._typed: deque[str] = deque()
        self._pace = pace
        self._more = more
        self._now = asyncio.get_running_loop().time
        self._news = asyncio.Event()
        self._ended = False
        self._at_once: AtOnce | None = None
        self._source: Source | None = None
        self._due = False
        self._slice_began: float | None = None
        self._turns = fair_queue()
        self._last = float("-inf")
        self._refusing = False

    @property
    def waiting(self) -> tuple[str, ...]:
        """The lines that have not been read."""
        return tuple(self._typed)

    def __len__(self) -> int:
        return len(self._typed)

    def extend(self, lines: Sequence[str]) -> None:
        """Add lines; whoever reads looks for them."""
        self._typed.extend(lines)

    def put(self, lines: Sequence[str]) -> None:
        """Add lines that have just been typed, and do at once those that can be."""
        idle = not self._typed
        self._typed.extend(lines)
        if idle and self._source:
            self._slice_began = None
            self._take_lines(self._source)
        if self._typed:
            self._news.set()

    def shorten(self, most: int) -> None:
        """Let go of all but the first lines."""
        while len(self._typed) > most:
            self._typed.pop()

    def clear(self) -> None:
        """Let go of all lines."""
        self._typed.clear()
        self._due = False

    def end(self) -> None:
        """Take note that nothing more will be typed."""
        self._ended = True
        self._news.set()

    async def read(self, at_once: AtOnce, source: Source) -> str:
        """Return the next line that `at_once` does not do; raises `Gone`."""
        self._at_once, self._source = at_once, source
        try:
            await self._line_due(source)
            if not self._turns.free():
                await self._turns.turn(self._last)
                await self._line_due(source)  # it may have been let go of meanwhile
        finally:
            self._at_once = self._source = None
        self._due, self._last = False, self._now()
        line = self._take_line(source)
        if not self._typed:
            self._more()
        return line

    async def _line_due(self, source: Source) -> None:
        """Return when a line is due to be read; raises `Gone`."""
        wait: float | None = None
        while True:
            any_typed = bool(self._typed)
            wait = self._take_lines(source, waited=wait is not None)
            if self._due:
                return
            if any_typed and not self._typed:
                self._more()
                continue
            if wait is not None:
                await asyncio.sleep(wait)
            elif self._ended:
                raise Gone
            else:
                self._news.clear()
                await self._news.wait()
            self._slice_began = None

    def _take_lines(self, source: Source, *, waited: bool = False) -> float | None:
        """Do the lines typed until one is due to be returned by `read`, or nothing is left: None.

        Where a line has to wait, return for how many seconds: until it is granted, or until others have had their turn;
        `waited` says that the first line has waited so long.
        What `at_once` does is done in the very call that brings it, and no task is woken for talk. That buys 1.1 times
        as much talk in a second of processor time; to remove it, let `put` only set `_news`.
        """
        while self._at_once and not self._due:
            if not self._typed:
                source.go_on()
                if not self._typed:
                    return None
            now = self._now()
            if not waited and (wait := self._pace.wait(now)):
                return wait
            waited = False
            if self._slice_began is None:
                self._slice_began = now
            elif now - self._slice_began > AT_A_TIME:
                return 0.0
            self._take_next(self._at_once, source, now)
        return None

    def _take_next(self, at_once: AtOnce, source: Source, now: float) -> None:
        """Do the next line at once, mark it as due to be read, or refuse it where too many have come."""
        match self._pace.take(now, more=len(self._typed) > 1):
            case "heard":
                self._refusing = False
                self._due = not at_once(self._typed[0])
                if not self._due:
                    self._take_line(source)
            case "refused":
                self._take_line(source)
                if not self._refusing:
                    self._refusing = True
                    source.show(_TOO_FAST)
            case "cut":
                self._take_line(source)
                source.show(_TOO_MANY)
                source.close()

    def _take_line(self, source: Source) -> str:
        line = self._typed.popleft()
        source.answered(line)
        return line


class TelnetTerminal:
    """A terminal on a wire: lines in a queue, and a screen that is the editor's for terminals, else one of lines."""

    def __init__(self, wire: Wire) -> None:
        self.address = wire.address
        self._user: TerminalUser = NOBODY
        self.voice = Voice()
        """How this person wants things worded."""
        self.wants_packets = False
        """Whether a program listens: in machine mode, or by GMCP to modules it has named."""
        self._aloud = ScreenReader()
        self._tags = Tags()
        self._wire = wire
        self._choice = ScreenChoice(wire)
        self._screen = self._choice.screen
        self._lines = LineQueue(LineRate(wire.limits.lines_per_second, wire.share.lines), wire.more)
        self._heard = False
        self._now = asyncio.get_running_loop().time
        self._new_until = self._now() + CLASSIFIED
        self._reader = False
        self._questions = Allowance(TABS, TABS)
        self._gmcp = Gmcp()
        self._name: Packet | None = None

    # what the host asks

    def attach(self, user: TerminalUser) -> None:
        """Let somebody sit here from now on."""
        self._user = user

    def set_voice(self, voice: Voice) -> None:
        """Word things as this person wants them from now on."""
        self.voice = self._choice.voice(voice)
        self._choose()
        self._changed()

    @property
    def width(self) -> int:
        """The columns of a row here."""
        return self._screen.look.width

    @property
    def resumes(self) -> bool:
        """Whether a program listens that can resume a session on another connection."""
        return self._choice.machine or self._gmcp.takes("resume")

    async def read(self, at_once: AtOnce = unheard) -> str:
        """Return the next line typed that `at_once` does not do; raises `Gone` when all lines before the end are read.

        Lines that come faster than is granted are read more slowly, then refused, and at last the line is closed.
        """
        return await self._lines.read(at_once, self)

    def answered(self, line: str) -> None:
        """Take note that a line is being done: it answers the question, if there is one."""
        self._screen.answered(line)

    def go_on(self) -> None:
        """Change screens where the last line has just ended, and work on what was held back while nobody read."""
        if self._heard and self._choice.change_due:
            self._choose(between_lines=self._screen.idle)
        was_full = self._screen.full
        self._lines.extend(self._screen.more())
        if was_full and not self._screen.full:
            self._wire.more()

    def show(self, *lines: Line) -> None:
        """Print the lines; of those that are read aloud, the words alone."""
        if isinstance(self._screen, MachineScreen):
            self._screen.show(*lines)
        else:
            self._screen.show(
                *(self._aloud.said(lines) if self.voice.spoken else self._tags.named(lines, always=self._choice.tags))
            )

    @property
    def shared(self) -> tuple[Look, Outbox] | None:
        """How rows look here and where they go, if they are the same as on any such screen: else `show` has to."""
        if self._wire.outbox is None or not self._wire.outbox.keeps_up:
            return None
        if self.voice.spoken or isinstance(self._screen, MachineScreen):
            return None
        return self._screen.look, self._wire.outbox

    def last_rows(self) -> list[str]:
        """Return the last rows that were shown here, as plain text, but no secret."""
        sent = self._wire.outbox.recent if self._wire.outbox else []
        charset = self._screen.look.charset
        texts = (rows.replace(b"\xff\xff", b"\xff").decode(charset, "replace") for rows in sent)
        return [clean(row) for text in texts for row in text.split("\r\n") if row][-REMEMBERED:]

    def packet(self, *packets: Packet) -> None:
        """Send packets to whichever program listens; who is here is kept for one that begins to."""
        for packet in packets:
            if packet.name == "name":
                self._name = packet
            if isinstance(self._screen, MachineScreen):
                self._screen.packet(packet)
            for message in self._gmcp.messages(packet):
                self._wire.gmcp(message)

    def ring(self) -> None:
        """Ring the bell."""
        self._wire.send(b"\a", "talk")

    def ask(self, prompt: Prompt) -> None:
        """Put a question."""
        self._screen.ask(prompt)

    def prefer(self, settings: Mapping[str, str]) -> None:
        """Follow what the person wishes for this terminal, from now on."""
        self._choice.prefer(settings)
        if self._choice.spoken is not None:
            self.voice = attrs.evolve(self.voice, spoken=self._choice.spoken)
        self.voice = self._choice.voice(self.voice)
        self._choose()
        self._changed()

    def close(self) -> None:
        """Hang up once everything shown has been sent."""
        self._screen.close()
        if self._gmcp.supports:
            self._wire.gmcp(GOODBYE)
        self._wire.hang_up()
        self._lines.clear()
        self.gone()

    # what the wire tells

    @property
    def logged_in(self) -> bool:
        """Whether somebody has said who they are."""
        return self._user is not NOBODY

    def is_full(self) -> bool:
        """Whether so much is typed ahead that no more is taken."""
        return len(self._lines) >= INBOX or self._screen.full

    def feed(self, data: bytes) -> None:
        """Take typed bytes."""
        self._heard = True
        look = self._screen.look
        if lines := self._screen.feed(data):
            self._lines.put(lines)
        if self._screen.look is not look:
            self.voice = self._choice.voice(self.voice)
            self._changed()

    def learned(self, peer: Peer) -> None:
        """Take note of what the other end tells; who reads by ear is spoken to."""
        self._choice.learned(peer)
        self.voice = self._choice.voice(self.voice)
        if peer.screen_reader and not self._reader and self._choice.spoken is None:
            self.voice = attrs.evolve(self.voice, spoken=True)
            self._changed()
        self._reader = peer.screen_reader
        self._choose(between_lines=not self._heard and self._now() < self._new_until)
        self._changed()

    def gmcp(self, message: bytes) -> None:
        """Take a message of the other end; raises `ValueError` where it cannot be read."""
        before = self._gmcp.supports
        if answer := self._gmcp.hear(message):
            self._wire.gmcp(answer)
        if self._gmcp.supports != before:
            self._changed()
            if self._name:
                self.packet(self._name)
        for name in asked(message):
            if self._questions.grant(self._now()):
                self._user.asked_for(name)

    def skipped(self, lines: int) -> None:
        """Tell the reader that it missed talk."""
        self.show(Line(f"({count(lines, 'line')} of talk skipped, as your end read too slowly)"))

    def reading_speed_changed(self) -> None:
        """Take note that the reader has fallen behind, or caught up."""
        self._changed()

    def lost(self) -> None:
        """End the input, and let go of most that was typed ahead: nobody will read what becomes of it."""
        self._lines.shorten(LAST_WORDS)
        self.gone()

    def gone(self) -> None:
        """End the input."""
        self._lines.end()

    # from one process to the next

    def carry(self) -> HalfRead:
        """Return what has been typed and not been read, and how this person is spoken to."""
        before = tuple(self._screen.before) if isinstance(self._screen, EditorScreen) else ()
        supports = tuple(sorted(self._gmcp.supports))
        return HalfRead(self._lines.waiting, self._screen.partial_line, before, self.voice.spoken, supports)

    def take_up(self, half: HalfRead, settings: Mapping[str, str], name: Packet) -> None:
        """Go on where another process stopped, without a word."""
        self._choice.take_up()
        self._reader, self.voice = self._wire.peer.screen_reader, Voice(spoken=half.spoken)
        self._gmcp = Gmcp(half.supports)
        self.prefer(settings)
        self._name = name
        if isinstance(self._screen, EditorScreen):
            self._screen.remember(half.before)
        self._lines.put(half.lines)
        self.feed(half.begun.encode(self._screen.look.charset, "replace"))

    def _changed(self) -> None:
        """Let the user know that lines look otherwise here from now on, or that packets are wanted, or no more."""
        self.wants_packets = self._choice.machine or bool(self._gmcp.supports)
        self._user.changed()

    def _choose(self, *, between_lines: bool = True) -> None:
        """Change screens where another one is wanted and the other end has agreed."""
        if self._choice.choose(self._completions, spoken=self.voice.spoken, between_lines=between_lines):
            self._screen = self._choice.screen
            self._changed()
            if self._name and self._choice.machine:
                self.packet(self._name)

    def _completions(self, text: str) -> Sequence[str]:
        """Return what the host offers; nothing new where Tabs come faster than fingers."""
        if not self._questions.grant(self._now()):
            return ()
        try:
            return self._user.complete(text)
        except Exception:
            log.exception("a line could not be completed")
            return ()
