"""The terminal of a connection: its queue of typed lines, and the screen that suits the client."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import starmap, zip_longest
from typing import Protocol

import attrs
import structlog

from lilygames import log_events
from lilygames.chat.input import current_line
from lilygames.chat.input.current_line import Sent
from lilygames.chat.people.events import ChatEvent
from lilygames.chat.people.hears import Hears
from lilygames.chat.people.terminal import NOBODY, AtOnce, Begin, Gone, TerminalUser, never, unheard
from lilygames.edge.screens.line import too_long
from lilygames.edge.screens.tags import Tags
from lilygames.edge.slcp.input import SlcpInput
from lilygames.edge.slcp.notices import Notices
from lilygames.edge.terminal import lines_by_gmcp
from lilygames.edge.terminal.gmcp import GOODBYE, Gmcp, asked
from lilygames.edge.terminal.program_input import TOO_FAST
from lilygames.edge.terminal.screen_choice import ScreenChoice
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.connection_state import TerminalState
from lilygames.edge.wire.limits import Allowance, LineRate, fair_queue
from lilygames.edge.wire.outbox import Outbox
from lilygames.edge.wire.render import Look, is_lost
from lilygames.edge.wire.screen_reader import ScreenReader
from lilygames.edge.wire.wire import Wire
from lilygames.limits.quota import COMPLETIONS
from lilygames.text import Line, Packet, Prompt, Voice, count
from lilygames_rules.changed import maker

log = structlog.get_logger()

LAST_WORDS = 4
"""Typed lines still handled after a disconnect: a move, and then the window was closed."""

INBOX = 64
"""Waiting lines beyond which no more input is read."""

AT_A_TIME = 0.001
"""Seconds of handling waiting lines before others get a turn."""

CLASSIFIED = 0.6
"""Seconds in which the client's reports may change the screen under the first prompt. Later ones wait for a line."""

_TITLE, _KEEP, _RESTORE = b"%b\x1b]2;%b\x1b\\", b"\x1b[22;2t", b"\x1b[23;2t"
"""Sequences of xterm for a window's title (ctlseqs, OSC 2 and XTWINOPS 22 and 23)."""

_TOO_FAST = Line("Refused: you're sending lines too fast. Wait a few seconds, then continue.", problem=TOO_FAST)
_TOO_MANY = Line("(disconnected: you sent too many lines too fast)")

_LETTERS = Line("(Some letters show as ?. If your terminal has them, type /set ascii off.)")


@attrs.frozen
class TypedLine:
    """A typed line, and how it was sent."""

    text: str
    sent: Sent | None = None
    """None if that isn't known, as after a handover."""
    acknowledged: bool = False
    """Whether the client is told when the line has been handled."""


_typed_line, _sent = maker(TypedLine), maker(Sent)


def _carried_line(text: str, once: str) -> TypedLine:
    """Return a line that was typed ahead before a handover."""
    return TypedLine(text, Sent(once=once) if once else None, acknowledged=bool(once))


class Source(Protocol):
    """The terminal that the lines come from."""

    @property
    def address(self) -> str:
        """The network address it connects from."""

    def answered(self, line: str, *, too_fast: bool = False) -> None:
        """Record that a line is being handled, or refused because it came too fast."""

    def acknowledge(self, line: TypedLine) -> None:
        """Tell the client that a line has been handled or refused, if it wants to know."""

    def add_held_lines(self) -> None:
        """Add the lines that were held back until the last one was handled."""

    def show(self, *lines: Line) -> None:
        """Show lines on the screen."""

    def close(self) -> None:
        """Disconnect."""


class LineQueue:
    """A queue of typed lines: each is handled or read in turn, within the rate limit."""

    __slots__ = (
        "_at_once", "_begin", "_begun", "_due", "_ended", "_last", "_more", "_news", "_now", "_pace", "_refusing",
        "_slice_began", "_source", "_turns", "typed",
    )  # fmt: skip

    def __init__(self, pace: LineRate, more: Callable[[], object]) -> None:
        self.typed: list[TypedLine] = []  # a few lines; an empty deque takes 760 bytes
        """The lines that wait."""
        self._pace = pace
        self._more = more
        self._now = asyncio.get_running_loop().time
        self._news: asyncio.Future[None] | None = None
        """Done when there are lines to read, or no more will come; only while someone waits for that."""
        self._ended = False
        self._at_once: AtOnce | None = None
        self._begin: Begin = never
        self._begun: tuple[TypedLine, Source] | None = None
        """The line whose handling has begun and isn't finished; the next lines wait for that."""
        self._source: Source | None = None
        self._due = False
        self._slice_began: float | None = None
        self._turns = fair_queue()
        self._last = float("-inf")
        self._refusing = False

    def give_back(self) -> None:
        """Don't count the line that is being handled against the rate limit."""
        self._pace.give_back(self._now())

    def extend(self, lines: Iterable[TypedLine]) -> None:
        """Add lines, to be handled when someone reads."""
        self.typed.extend(lines)

    def put(self, lines: Iterable[TypedLine]) -> None:
        """Add newly typed lines, and handle at once those that can be."""
        idle = not self.typed
        self.typed.extend(lines)
        if idle and self._source:
            self._slice_began = None
            self._take_lines(self._source)
        if self.typed:
            self._wake()

    def _wake(self) -> None:
        if self._news and not self._news.done():
            self._news.set_result(None)

    def shorten(self, most: int) -> None:
        """Drop all but the first lines."""
        del self.typed[most:]

    def clear(self) -> None:
        """Drop all lines."""
        self.typed.clear()
        self._due = False

    def taken(self) -> Sequence[TypedLine]:
        """Return the lines that haven't been read, and keep none."""
        lines = [*self.typed]
        self.clear()
        return lines

    def end(self) -> None:
        """Mark the end of the input."""
        self._ended = True
        self._wake()

    async def read(self, at_once: AtOnce, source: Source, begin: Begin = never) -> TypedLine:
        """Return the next line that neither `at_once` nor `begin` handles; raises `Gone`."""
        self._at_once, self._begin, self._source = at_once, begin, source
        try:
            await self._line_due(source)
            if not self._turns.free():
                await self._turns.turn(self._last)
                await self._line_due(source)  # it may have been dropped in the meantime
        finally:
            self._at_once, self._begin, self._source = None, never, None
        self._due, self._last = False, self._now()
        line = self._take_line(source)
        if not self.typed:
            self._more()
        return line

    async def _line_due(self, source: Source) -> None:
        """Wait until a line is due; raises `Gone`."""
        wait: float | None = None
        while True:
            any_typed = bool(self.typed)
            wait = self._take_lines(source, waited=wait is not None)
            if self._due:
                return
            if any_typed and not self.typed:
                self._more()
                continue
            if wait is not None:
                await asyncio.sleep(wait)
            elif self._ended and not self._begun:
                raise Gone
            else:
                self._news = asyncio.get_running_loop().create_future()
                try:
                    await self._news
                finally:
                    self._news = None
            if not self._turns.free():
                await self._turns.turn(self._last)
            self._slice_began, self._last = None, self._now()

    def _take_lines(self, source: Source, *, waited: bool = False) -> float | None:
        """Handle lines until one is due for `read` or none is left: return None.

        If a line has to wait, return the seconds until the rate limit allows it, or 0 if it is others' turn. `waited`
        says that the first line has waited. Lines that `at_once` handles are done in the call that brings them, without
        waking a task. That allows 1.1 times as much talk per second of processor time; to remove it, let `put` only set
        `_news`.
        """
        while self._at_once and not (self._due or self._begun):
            if not self.typed:
                source.add_held_lines()
                if not self.typed:
                    return None
            now = self._now()
            if not waited and (free_at := self._pace.allowance.free_at) > now:
                return free_at - now
            waited = False
            if self._slice_began is None:
                self._slice_began = now
            elif now - self._slice_began > AT_A_TIME:
                return 0.0
            self._take_next(self._at_once, source, now)
        return None

    def _take_next(self, at_once: AtOnce, source: Source, now: float) -> None:
        """Handle the next line at once, mark it as due, or refuse it if there are too many."""
        match self._pace.take(now, more=len(self.typed) > 1):
            case "heard":
                self._refusing = False
                current_line.set_to(self.typed[0].sent)
                text = self.typed[0].text
                if at_once(text):
                    source.acknowledge(self._take_line(source))
                elif self._begin(text, self):
                    self._begun = (self._take_line(source), source)
                else:
                    self._due = True
            case "refused":
                if not self._refusing:
                    self._refusing = True
                    log_events.limit("lines_per_second", address=source.address)
                    source.show(_TOO_FAST)
                line = self.typed.pop(0)
                source.answered(line.text, too_fast=True)
                source.acknowledge(line)
            case "cut":
                self._take_line(source)
                source.show(_TOO_MANY)
                source.close()

    def finished(self) -> None:
        """Go on with the next lines: the one that was begun is answered."""
        if not self._begun:
            return
        (line, source), self._begun, self._slice_began = self._begun, None, None
        source.acknowledge(line)
        if self._source:
            self._take_lines(source)
        if self.typed or self._ended:
            self._wake()
        elif not self._begun:
            self._more()

    def _take_line(self, source: Source) -> TypedLine:
        line = self.typed.pop(0)
        source.answered(line.text)
        return line


class Completions:
    """The completions of a terminal's user, within the rate limit for Tab."""

    def __init__(self, allowed: Allowance) -> None:
        self._allowed = allowed
        self._now = asyncio.get_running_loop().time
        self._user: TerminalUser = NOBODY

    def attach(self, user: TerminalUser) -> None:
        """Set the user."""
        self._user = user

    def __call__(self, text: str) -> Sequence[str]:
        """Return the full lines that complete a text."""
        if not self._allowed.grant(self._now()):
            return ()
        try:
            return self._user.complete(text)
        except Exception:
            log.exception("completion failed")
            return ()


class TelnetTerminal:
    """A terminal on a connection: a queue of lines, and a screen (the editor for terminals, else lines)."""

    def __init__(self, wire: Wire, notices: Notices | None = None, *, program: bool = False) -> None:
        """Begin a terminal; one for a `program` has JSON from its first byte.

        `notices` are the same for all terminals of a node, so that an event is encoded once for all clients of lily.
        """
        self._notices = notices or Notices()
        self.address = wire.address
        self._user: TerminalUser = NOBODY
        self.voice = Voice()
        """How lines are worded for this person."""
        self._aloud = ScreenReader()
        self._tags = Tags()
        self._wire = wire
        asks = COMPLETIONS.limits[0]
        self._questions = Allowance(1 / asks.per, asks.most)
        self._completions = Completions(self._questions)
        self._choice = ScreenChoice(wire, self._completions, program=program)
        self._screen = self._choice.screen
        self._lines = LineQueue(LineRate(wire.limits.lines_per_second, wire.share.lines), wire.more)
        self._heard = False
        self._now = asyncio.get_running_loop().time
        self._new_until = self._now() + CLASSIFIED
        self._reader = False
        self._gmcp = Gmcp()
        self._introduced: dict[str, Packet] = {}
        """The last packets about the server and the person, for a client that asks for packets later."""
        self._entitled = False
        self._told_of_letters = False
        self._begun_at: Mapping[int, int] | None = None
        """The positions on the screen when the unfinished line was begun; None if there is none."""
        self._handled: TypedLine | None = None
        """The line that is being handled."""

    # called by the host

    def attach(self, user: TerminalUser) -> None:
        """Set the user of this terminal, who has taken their places."""
        self._user = user
        self._completions.attach(user)
        self._screen.enter(user.directory)

    def tell(self, event: ChatEvent, hears: Hears) -> bool:
        """Tell the client about an event; return False if it has to be shown as lines."""
        return self._screen.tell(event, hears)

    def set_voice(self, voice: Voice) -> None:
        """Change how lines are worded. From now on, a program's voice (`each`) gets only JSON, whatever is set."""
        if voice.each:
            self.show(Line(""))  # a prompt is open in the last row, and JSON begins in a row of its own
            self._choice.for_program()
        self.voice = self._choice.voice(voice)
        self._choose()
        self.changed()

    @property
    def width(self) -> int:
        """The columns of the screen."""
        return self._screen.look.width

    @property
    def sent(self) -> int:
        """Bytes sent so far."""
        return self._wire.outbox.total if self._wire.outbox else 0

    @property
    def suits_guessed(self) -> bool:
        """Whether nobody has said that this screen shows suits as signs, but its terminal type."""
        return self._choice.suits_guessed and not self.voice.spoken

    @property
    def takes_lines(self) -> bool:
        """Whether moves and questions at a table are shown in lines. If not, the table's packets have their words."""
        return self._screen.takes_lines

    @property
    def takes_packets(self) -> bool:
        """Whether the client wants packets: in machine mode, or by GMCP with modules it supports."""
        return self._screen.takes_packets or bool(self._gmcp.supports)

    @property
    def takes_picture(self) -> bool:
        """Whether the client is a page, which shows tables as pictures."""
        return self._screen.takes_picture

    @property
    def follows_tables(self) -> bool:
        """Whether the client is a program that asked for news of the list of tables."""
        return self._screen.follows_tables

    @property
    def keeps_up(self) -> bool:
        """Whether the client reads about as fast as it is sent something."""
        return self._wire.outbox is None or self._wire.outbox.keeps_up

    @property
    def takes_events(self) -> bool:
        """Whether the client words events itself."""
        return self._screen.takes_events

    def supports(self, packet: str) -> bool:
        """Return whether the client wants packets of this name: any in machine mode, or by GMCP if a module has it."""
        return self._screen.takes_packets or self._gmcp.has(packet)

    async def read(self, at_once: AtOnce = unheard, begin: Begin = never) -> str:
        """Return the next line that neither handles; raises `Gone` when no lines are left after the end.

        Lines over the rate limit are first slowed down, then refused, and finally the connection is closed.
        """
        line: str | None = None
        while line is None:
            reading = self._choice.input(self._user)
            reading.end(at_once)
            if self._handled:
                self.acknowledge(self._handled)
            self._handled = await self._lines.read(reading.at_once(at_once), self, begin if reading.begins else never)
            typed = self._handled.text
            current_line.set_to(self._handled.sent)
            if not self.logged_in and self._choice.begins_lily(typed):
                self._screen = lily = self._choice.for_lily(self._notices)
                SlcpInput(lily, self._user).begin(str(self._introduced["hello"].value["place"]), typed)
                continue
            line = self._choice.input(self._user).begun(typed, at_once)
        return line

    def answered(self, line: str, *, too_fast: bool = False) -> None:
        """Record that a line is being handled; it answers any prompt. A program is told of each that came too fast."""
        self._screen.answered(line)
        if too_fast:
            self._choice.input(self._user).refuse(line, _TOO_FAST)

    def give_back(self) -> None:
        """Don't count the line that is being handled against the rate limit: it only waits for a yes."""
        self._lines.give_back()

    def acknowledge(self, line: TypedLine) -> None:
        """Tell a client that sends lines by GMCP that one has been handled or refused."""
        if line.acknowledged and line.sent:
            self._wire.gmcp(lines_by_gmcp.handled(line.sent.once))
        self._handled = None

    def add_held_lines(self) -> None:
        """Change screens at a line end if needed, and handle input that was held back."""
        if self._heard and self._choice.change_due:
            self._choose(between_lines=self._screen.idle)
        was_full = self._screen.full
        if lines := self._screen.more():
            self._lines.extend(self._typed_now(lines))
        if was_full and not self._screen.full:
            self._wire.more()

    def show(self, *lines: Line) -> None:
        """Show lines; a screen reader gets only the words."""
        if self._screen.names_tables:
            self._screen.show(*lines)
        else:
            if self.voice.spoken:
                self._screen.show(*self._aloud.said(lines))
            else:
                self._screen.show(*self._tags.named(lines, always=self._choice.tags, narrow=self.voice.narrow))
            for line in lines:
                if not line.text.isascii():
                    self.tell_of_letters(line.text)

    def tell_of_letters(self, text: str) -> None:
        """Tell the person once how to see letters like those of a text, if they are shown as `?` by a guess."""
        if self._told_of_letters or not (self.logged_in and self._choice.letters_guessed and is_lost(text)):
            return
        self._told_of_letters = True
        self.show(_LETTERS)

    @property
    def shared(self) -> tuple[Look, Outbox] | None:
        """The look and outbox shared with other such screens; None if lines need `show`, or events `tell`."""
        if self._wire.outbox is None or not self._wire.outbox.keeps_up:
            return None
        if self.voice.spoken and not self._screen.names_tables:
            return None
        return self._screen.shared_look, self._wire.outbox

    def last_lines(self) -> Sequence[str]:
        """Return the last lines shown here as plain text, not wrapped, without secrets."""
        return self._screen.last_lines()

    def packet(self, *packets: Packet) -> None:
        """Send packets to the client if it wants them; your own arrival packet is kept for a client that asks later."""
        for packet in packets:
            if packet.name in ("hello", "name"):
                self._introduced[packet.name] = packet
            self._screen.packet(packet)
            for message in () if self._screen.takes_picture else self._gmcp.messages(packet):
                self._wire.gmcp(message)

    def ring(self) -> None:
        """Ring the bell."""
        self._screen.ring()

    def entitle(self, text: str) -> None:
        """Change the title of a terminal's window; an empty text restores it.

        Terminals that can't restore the title that they had keep the place's name.
        """
        if text and self._choice.titles and not self.voice.spoken:
            self._wire.send(_TITLE % (b"" if self._entitled else _KEEP, text.encode("ascii", "replace")), "talk")
            self._entitled = True
        elif self._entitled and not text:
            self._wire.send(_TITLE % (b"", b"lilygames") + _RESTORE, "talk")
            self._entitled = False

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt."""
        self._screen.ask(prompt)

    def prefer(self, settings: Mapping[str, str]) -> None:
        """Apply the person's display settings from now on."""
        self._choice.prefer(settings)
        if self._choice.spoken is not None:
            self.voice = attrs.evolve(self.voice, spoken=self._choice.spoken)
        self.voice = self._choice.voice(self.voice)
        self._choose()
        self.changed()

    def close(self) -> None:
        """Disconnect after everything shown has been sent."""
        self._screen.close()
        if self._gmcp.supports:
            self._wire.gmcp(GOODBYE)
        self._wire.hang_up()
        self._lines.clear()
        self.gone()

    # called by the wire

    @property
    def logged_in(self) -> bool:
        """Whether someone has logged in."""
        return self._user is not NOBODY

    def is_full(self) -> bool:
        """Whether too much is typed ahead to read more."""
        return len(self._lines.typed) >= INBOX or self._screen.full

    def feed(self, data: bytes) -> None:
        """Handle typed bytes."""
        self._heard = True
        look = self._screen.look
        if lines := self._screen.feed(data):
            self._lines.put(self._typed_now(lines))
        elif self._begun_at is None or self._screen.idle:
            self._begun_at = None if self._screen.idle else self._user.seen
        if self._screen.look is not look:
            self.voice = self._choice.voice(self.voice)
            self.changed()

    def _typed_now(self, lines: Sequence[str]) -> list[TypedLine]:
        """Return lines that are complete now. The first may have been begun at an earlier position of a table."""
        now = self._user.seen
        first = now if self._begun_at is None else self._begun_at
        self._begun_at = None if self._screen.idle else now
        if not (now or first):  # the usual case of talk
            return [_typed_line(line) for line in lines]
        return [_typed_line(line, _sent(now if number else first)) for number, line in enumerate(lines)]

    def learned(self, peer: Peer) -> None:
        """Update after the client has reported something; turn on spoken lines for a screen reader."""
        self._choice.learned(peer)
        self.voice = self._choice.voice(self.voice)
        if peer.screen_reader and not self._reader and self._choice.spoken is None:
            self.voice = attrs.evolve(self.voice, spoken=True)
            self.changed()
        self._reader = peer.screen_reader
        self._choose(between_lines=not self._heard and self._now() < self._new_until)
        self.changed()

    def gmcp(self, message: bytes) -> None:
        """Handle a GMCP message; raises `ValueError` if it is invalid."""
        if found := lines_by_gmcp.read(message):
            self._take_line(*found)
            return
        before = self._gmcp.supports
        if answer := self._gmcp.hear(message):
            self._wire.gmcp(answer)
        if self._gmcp.supports != before:
            if lines_by_gmcp.LINE.casefold() in self._gmcp.supports:
                self._wire.gmcp(lines_by_gmcp.OFFER)
            self.changed()
            if own := self._introduced.get("name"):
                self.packet(own)
        for name in asked(message):
            if self._questions.grant(self._now()):
                self._user.asked_for(name)

    def _take_line(self, line: str, sent: Sent) -> None:
        """Take a line that came by GMCP, as if it had been typed; before the login there are only questions."""
        if not self.logged_in:
            return
        typed = _typed_line(line, _sent(sent.seen or self._user.seen, sent.once), acknowledged=True)
        if len(line.encode()) <= self._wire.limits.line_bytes:
            self._lines.put([typed])
        else:
            self.show(too_long(self._wire.limits.line_bytes))
            self._wire.gmcp(lines_by_gmcp.handled(sent.once))

    def skipped(self, lines: int) -> None:
        """Tell the reader how many lines they missed."""
        self.show(Line(f"({count(lines, 'line')} of talk skipped, because your connection is too slow)"))

    def changed(self) -> None:
        """Tell the user that the look of lines, the reading speed, or whether packets are wanted has changed."""
        self._user.changed()

    def gone(self, *, lost: bool = False) -> None:
        """End the input. After a disconnect, drop most lines typed ahead, since nobody will read the results."""
        if lost:
            self._lines.shorten(LAST_WORDS)
        self._lines.end()

    # handover to another process

    def carry(self) -> TerminalState:
        """Return the unread input, which isn't read here any more, and the output settings."""
        before, lily = tuple(self._screen.history), self._screen.carry()
        supports = tuple(sorted(self._gmcp.supports))
        begun = self._screen.partial_line
        typed = self._lines.taken()
        sent_as = tuple(line.sent.once if line.sent and line.acknowledged else "" for line in typed)
        lines, page = tuple(line.text for line in typed), self._screen.takes_picture
        return TerminalState(
            lines,
            begun,
            before,
            self.voice.spoken,
            supports,
            lily,
            page,
            sent_as if any(sent_as) else (),
            self._screen.follows_tables,
        )

    def take_up(self, half: TerminalState, settings: Mapping[str, str], name: Packet) -> None:
        """Continue after a handover, without showing anything."""
        if half.page:
            self._choice.for_page()
        if half.lily:
            self._screen = lily = self._choice.for_lily(self._notices)
            lily.take_up(half.lily, self._user.directory)
        self._choice.take_up()
        self._reader, self.voice = self._wire.peer.screen_reader, Voice(spoken=half.spoken)
        self._gmcp = Gmcp(half.supports)
        self.prefer(settings)
        self._screen.follows_tables = half.follows_tables
        self._introduced["name"] = name
        self._screen.remember(half.before)
        self._lines.put(starmap(_carried_line, zip_longest(half.lines, half.sent_as, fillvalue="")))
        self.feed(half.begun.encode(self._screen.look.charset, "replace"))
        self._wire.more()  # bytes that were held back come after these lines

    def _choose(self, *, between_lines: bool = True) -> None:
        """Change screens if another is wanted and the client has agreed."""
        if self._choice.choose(spoken=self.voice.spoken, between_lines=between_lines):
            self._screen = self._choice.screen
            self.changed()
            if self._choice.machine:
                self.packet(*self._introduced.values())


def for_program(wire: Wire) -> TelnetTerminal:
    """Return the terminal of a program, which gets JSON from the first byte."""
    return TelnetTerminal(wire, program=True)
