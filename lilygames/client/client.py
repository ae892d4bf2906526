"""The client's session: connect, talk, reconnect after a disconnect, and log out."""

from __future__ import annotations

import asyncio
import random
import ssl
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lilygames.client.address import Address
from lilygames.client.commit_reveal import CommitReveal
from lilygames.client.delivery import LINE, Delivery
from lilygames.client.host_state import Known, Return
from lilygames.client.memory import TypedLines, folder
from lilygames.client.receipts import Receipts
from lilygames.client.return_word import Guest, ReturnWord
from lilygames.client.rows import Rows
from lilygames.client.screen import Screen
from lilygames.client.trust import Pin, Untrusted, fingerprint, shown_by, vouched
from lilygames.client.wire import Wire
from lilygames.text import clean

PATIENCE = 2.0
"""Seconds to wait for the server's goodbye before closing the connection."""

AFTER_PROMPT = 1.0
"""Seconds after a prompt before the client types lines of its own: the server may ask again."""

FRESH = 0.5
"""Seconds that Tab waits for the server's list of who is here."""

REFUSED = ("login:", "word:", "press Enter to play as a guest:")
"""Endings of the prompts that refuse a guest whose seat wasn't kept."""

GOODBYES = frozenset({"bye", "quit", "exit", "logout"})
"""Words that people type to leave for good. The guest's return word is dropped then."""

QUIET = 5.0
"""Seconds of silence until the server is asked whether it's there, and then until the connection is given up."""

LONGEST = 60.0
"""Maximum seconds between two attempts to reconnect."""


def pauses() -> Iterator[float]:
    """Yield the pause before each attempt to reconnect: longer each time, with jitter."""
    pause = 1.0
    while True:
        yield pause * random.uniform(0.5, 1)  # noqa: S311 - no secret is made of it
        pause = min(2 * pause, LONGEST)


async def visit(address: Address, *, reader: bool = False) -> None:
    """Run a session with a server on this process's terminal; raises `OSError`, `Untrusted`."""
    await Client(address, folder(), reader=reader).visit()


class Client:
    """One person's session with one server: a `Listener` to its wire."""

    def __init__(
        self,
        address: Address,
        folder: Path,
        *,
        reader: bool = False,
        waits: Callable[[], Iterator[float]] = pauses,
        quiet: float = QUIET,
    ) -> None:
        self.known = Known()
        self.screen = Screen(TypedLines(folder / "typed", self._unkept), self._completions, self._resized)
        self._address = address
        self._folder = folder
        self._reader = reader
        self._waits = waits
        self._quiet = quiet
        self._wire: Wire | None = None
        self._rows = Rows()
        self._back = Return(Known())
        self._kept = ReturnWord(folder, address)
        self._delivery = Delivery()
        self._seals = CommitReveal(Receipts(folder, address))
        self._own_lines: list[str] = []
        """Lines that the client itself types as soon as no prompt is open."""
        self._prompted = -AFTER_PROMPT
        """When a prompt was last open, by the event loop's clock."""
        self._guest: Guest | None = None
        """The guest to reconnect as, until the server has answered."""
        self._typed_word = False
        """Whether that guest's return word has been sent."""
        self._leaves = False
        """Whether the last line typed says goodbye."""
        self._hides = False
        self._in = False
        self._fresh = asyncio.Event()

    # the session

    async def visit(self) -> None:
        """Run until either side says goodbye; raises `OSError`, `Untrusted` if the first connection fails."""
        self._wire = await self._connected()
        self._guest = self._kept.find()
        calling = asyncio.create_task(self._call(self._wire))
        typing = asyncio.create_task(self._type())
        watching = asyncio.create_task(self._watch())
        try:
            await asyncio.wait({calling, typing}, return_when=asyncio.FIRST_COMPLETED)
            calling.cancel()
            await self._say_goodbye()
            await self.screen.printed()
            self.screen.leave()
            await asyncio.wait({typing}, timeout=PATIENCE)
        finally:
            for task in (calling, typing, watching):
                task.cancel()
            await asyncio.gather(calling, typing, watching, return_exceptions=True)
            if self._wire:
                self._wire.hang_up()
        if not calling.cancelled():
            calling.result()

    async def _type(self) -> None:
        while True:
            try:
                line = await self.screen.read()
            except (EOFError, KeyboardInterrupt):
                return
            for part in line.split("\n"):
                self._typed(clean(part))

    def _typed(self, line: str) -> None:
        if self._wire is None:
            self.screen.show(f"(not sent: you aren't connected to {self._address.words} right now)")
            return
        self._leaves = not self._hides and line.strip().lstrip("/.").casefold() in GOODBYES
        if not self._hides:
            self._seals.typed(line)
        self._type_own_lines()
        acknowledged = self._delivery.offered and self._in and not (self._hides or self._rows.partial_row)
        self._rows.answered(secret=self._hides)
        if acknowledged:
            self._wire.send(LINE, self._delivery.sent(line, self.known.seen))
        else:
            self._wire.type(line)
        self._ask()

    def _type_own_lines(self) -> None:
        """Type the client's own lines, unless the server would read them as the answer to a prompt."""
        loop = asyncio.get_running_loop()
        if self._hides or self._rows.prompts:
            self._prompted = loop.time()
        if not (self._own_lines and self._wire and self._in) or self._hides or self._rows.partial_row:
            return
        wait = self._prompted + AFTER_PROMPT - loop.time()
        if wait > 0:
            loop.call_later(wait, self._type_own_lines)
            return
        for line in self._own_lines:
            self._wire.type(line)
        self._own_lines.clear()

    async def _say_goodbye(self) -> None:
        """Log out politely: the seat is kept, and the others are told."""
        wire = self._wire
        if wire is None:
            return
        if self._in and not self._hides:
            wire.type("/bye")
            await asyncio.wait({wire.lost}, timeout=PATIENCE)
            self._kept.forget()
        wire.hang_up()

    async def _watch(self) -> None:
        """Close a connection whose server has said nothing for long, not even that it is there."""
        loop, asked = asyncio.get_running_loop(), 0.0
        while True:
            await asyncio.sleep(self._quiet / 5)
            wire, now = self._wire, loop.time()
            if wire is None or not wire.speaks_gmcp or now - wire.heard_at < self._quiet:
                continue
            if asked <= wire.heard_at:
                asked = now
                wire.ask("Core.Ping")
            elif now - asked > self._quiet:
                self.screen.show("(the server doesn't answer)")
                wire.abort()

    # one connection after the other

    async def _call(self, wire: Wire) -> None:
        """Serve one connection until goodbye, or a disconnect before login; reconnect otherwise."""
        while True:
            await wire.lost
            was_in, self._in, self._wire = self._in, False, None
            self._own_lines.clear()
            self._hidden(typing=False)
            returned = self._delivery.lost()
            if self.known.over or not was_in:
                self.screen.show(f"(the connection to {self._address.words} is closed)")
                return
            wire = self._wire = await self._regained(returned)

    async def _regained(self, returned: Sequence[str]) -> Wire:
        self.screen.show("(connection lost)")
        if returned:
            self.screen.show("(your line may not have arrived, so it's back; press Enter to send it again)")
            self.screen.give_back("\n".join(returned))
        for pause in self._waits():
            self.screen.show(f"(trying again in {pause:.0f} s; press Ctrl-D to give up)")
            await asyncio.sleep(pause)
            try:
                return await self._connected()
            except OSError:
                continue
        raise ConnectionError("gave up reconnecting")

    async def _connected(self) -> Wire:
        self._rows, self._back = Rows(), Return(self.known)
        if not self._address.tls:
            return await self._dialled(None)
        pin = Pin(self._folder / "certificates" / f"{self._address.host}_{self._address.port}.pem")
        try:
            return await self._dialled(pin.context if pin.kept else vouched())
        except ssl.SSLCertVerificationError as problem:
            return await self._dialled(await self._trusted(pin, problem.verify_message))

    async def _dialled(self, tls: ssl.SSLContext | None) -> Wire:
        name = self._address.host if tls else None
        _, wire = await asyncio.get_running_loop().create_connection(
            lambda: Wire(self, lambda: self.screen.size, reader=self._reader),
            self._address.host,
            self._address.port,
            ssl=tls,
            server_hostname=name,
        )
        return wire

    async def _trusted(self, pin: Pin, why: str) -> ssl.SSLContext:
        """Return a context that trusts an unknown server, if the person wants that; raises `Untrusted`, `OSError`."""
        if pin.kept:
            return self._otherwise(pin, why)
        shown = await shown_by(self._address.host, self._address.port)
        mark = fingerprint(shown)
        if not self._address.pin:
            raise Untrusted(
                f"can't verify {self._address.words} ({why}). If its sysop has told you the fingerprint {mark},"
                " connect with --tls-pin"
            )
        pin.keep(shown)
        self.screen.show(f"(from now on, {self._address.words} must show the certificate with the fingerprint {mark})")
        return pin.context

    def _otherwise(self, pin: Pin, why: str) -> ssl.SSLContext:
        raise Untrusted(
            f"{self._address.words} shows a different certificate than before ({why})."
            f" If you know why, delete {pin.file} and connect again"
        )

    # called by the wire

    def heard(self, data: bytes) -> None:
        """Show output from the server."""
        if b"\a" in data:
            self.screen.ring()
        rows = self._rows.feed(data)
        for row in rows:
            self._read(row)
        self.screen.show(*rows)
        self._answer(self._rows.partial_row)
        self._type_own_lines()
        self._ask()

    def _read(self, row: str) -> None:
        """Read a row of output, and save a guest's new return word."""
        before = self.known.word
        self.known.read(row)
        if self.known.word != before and self.known.guest:
            self._kept.keep(self.known.name, self.known.word)

    def _answer(self, question: str) -> None:
        answer = self._back.answer(question) if question and self._wire else None
        if question and self._guest and not self._in:
            answer = self._come_back_as(self._guest, question) or answer
        if answer is not None and self._wire:
            self.screen.show(question + answer.partition(" ")[0])
            self._rows.answered(secret=self._hides)
            self._wire.type(answer)

    def _come_back_as(self, guest: Guest, question: str) -> str:
        """Return the guest's name and word at the first prompt; empty at the next one, because they were refused."""
        asked = question.rstrip()
        if self._typed_word and asked.endswith(REFUSED):
            self._guest, self._typed_word = None, False
            self._kept.forget()
            self.screen.show(f"({guest.name}'s seat is no longer kept)")
            return ""
        if self._typed_word or not asked.endswith("login:"):
            return ""
        self._typed_word = True
        return f"{guest.name} {guest.word}"

    def asked(self) -> None:
        """Handle a prompt."""
        self._rows.asked()

    def told(self, package: str, value: Any) -> None:
        """Handle a GMCP message from the server."""
        self.known.told(package, value)
        self._delivery.told(package, value)
        self._seal(package, value)
        if package == "Char.Name":
            self._in, self._back, self._prompted = True, Return(Known()), -AFTER_PROMPT
            self._came_back()
            self._refresh()
        elif self.known.over and self._leaves:
            self._kept.forget()
        elif package == "Comm.Channel.Players":
            self._fresh.set()

    def _seal(self, package: str, value: Any) -> None:
        """Take part in sealing a deck, without asking; warn if the host cheats."""
        answer = self._seals.told(package, value, self.known.name)
        if answer.warnings:
            self.screen.show(*answer.warnings)
        self._own_lines += answer.lines
        self._type_own_lines()

    def _came_back(self) -> None:
        """Save the return word that the guest has just used, for as long again."""
        guest, self._guest = self._guest, None
        if guest and guest.name == self.known.name and self.known.guest:
            self.known.came_back_by(guest.word)
            self._kept.keep(guest.name, guest.word)

    def hides(self, typing: bool) -> None:  # noqa: FBT001 - it is the state asked for
        """Hide or show what is typed."""
        self._hidden(typing=typing)

    def _hidden(self, *, typing: bool) -> None:
        self._hides = typing
        self._type_own_lines()
        self._ask()

    def _ask(self) -> None:
        self.screen.ask(self._rows.partial_row, secret=self._hides)

    # called by the screen

    def _unkept(self) -> bool:
        """Whether to keep the current line out of the history: it may be a secret, or an answer to a prompt."""
        return self._hides or not self._in or bool(self._rows.partial_row)

    def _resized(self) -> None:
        if self._wire:
            self._wire.resized()

    def _refresh(self) -> None:
        self._fresh.clear()
        if self._wire:
            self._wire.ask("Comm.Channel.Players")

    async def _completions(self, text: str) -> Sequence[str]:
        """Return the completions of `text`; ask the server who is here if nothing else matches."""
        if lines := self.known.lines(text):
            return lines
        self._refresh()
        try:
            async with asyncio.timeout(FRESH):
                await self._fresh.wait()
        except TimeoutError:
            return ()
        return self.known.lines(text)
