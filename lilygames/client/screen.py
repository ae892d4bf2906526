"""The client's screen: one line to type on, and the server's output above it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.clipboard import InMemoryClipboard
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, FormattedText, StyleAndTextTuples, to_formatted_text
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.shortcuts import print_formatted_text

from lilygames.client.memory import TypedLines
from lilygames.text import columns

Completions = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the full lines that complete a partial one."""

LISTED = 200
"""Maximum completions listed."""


class Screen:
    """Shows rows and reads lines. New rows don't disturb the typed line."""

    def __init__(self, history: TypedLines, completions: Completions, resized: Callable[[], None]) -> None:
        self.question = ""
        """The prompt before the typed line."""
        self.secret = False
        """Whether the typed line is a secret."""
        self._completions = completions
        self._resized = resized
        self._rows: list[str] = []
        self._printing: asyncio.Task[None] | None = None
        keys = KeyBindings()
        keys.add("tab")(self._tab)
        self._session: PromptSession[str] = PromptSession(
            lambda: self.question,
            is_password=Condition(lambda: self.secret),
            history=history,
            key_bindings=keys,
            enable_suspend=True,
            complete_while_typing=False,
            enable_history_search=True,
        )
        self._size = self.size
        self._session.app.before_render += lambda _: self._measure()

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        size = self._session.app.output.get_size()
        return size.rows, size.columns

    def _measure(self) -> None:
        if self._size != self.size:
            self._size = self.size
            self._resized()

    async def read(self) -> str:
        """Return the next line typed; raises `EOFError` for Ctrl-D, `KeyboardInterrupt` for Ctrl-C."""
        secret = self.secret
        line = await self._session.prompt_async()
        if secret or self.secret:
            self._session.clipboard = InMemoryClipboard()  # a part of it may have been cut
        return line

    def give_back(self, text: str) -> None:
        """Put a text before what is being typed."""
        buffer = self._session.default_buffer
        buffer.set_document(Document("\n".join(filter(None, (text, buffer.text)))))

    def leave(self) -> None:
        """End `read`, as with Ctrl-D."""
        if self._session.app.is_running and not self._session.app.is_done:
            self._session.app.exit(exception=EOFError)

    def ask(self, question: str, *, secret: bool) -> None:
        """Set the prompt before the typed line; the answer to a secret one isn't shown."""
        self.question, self.secret = question, secret
        if not self._rows:  # it is drawn below them anyway
            self._session.app.invalidate()

    def ring(self) -> None:
        """Ring the bell."""
        self._session.app.output.bell()
        self._session.app.output.flush()

    def show(self, *rows: str) -> None:
        """Print rows above the typed line, all those of one turn together."""
        self._rows += rows
        if self._rows and (self._printing is None or self._printing.done()):
            self._printing = asyncio.get_running_loop().create_task(self._print())

    async def printed(self) -> None:
        """Wait until everything is printed."""
        if self._printing:
            await self._printing

    async def _print(self) -> None:
        while self._rows:
            await run_in_terminal(self._put)

    def _put(self) -> None:
        rows, self._rows = self._rows, []
        painted: StyleAndTextTuples = []
        for row in rows:
            painted += [*to_formatted_text(ANSI(row)), ("", "\n")]
        print_formatted_text(FormattedText(painted), end="", output=self._session.app.output)

    async def _tab(self, _: KeyPressEvent) -> None:
        """Complete the unambiguous part of the line, or list the choices."""
        buffer = self._session.default_buffer
        if self.secret:
            return
        begun = buffer.document.text_before_cursor
        lines = await self._completions(begun)
        if not lines or begun != buffer.document.text_before_cursor:
            return
        common = in_common(lines)
        if len(lines) == 1 or len(common) > len(begun):
            end = " " if len(lines) == 1 and not lines[0].endswith(";") else ""
            buffer.delete_before_cursor(len(begun))
            buffer.insert_text(common + end)
        else:
            self.show(*in_columns(lines[:LISTED], self.size[1]))


def in_common(lines: Sequence[str]) -> str:
    """Return the common prefix of all lines, ignoring case, as the first line spells it."""
    places = zip(*lines, strict=False)
    alike = itertools.takewhile(lambda letters: len({letter.casefold() for letter in letters}) == 1, places)
    return "".join(letters[0] for letters in alike)


def in_columns(words: Sequence[str], width: int) -> list[str]:
    """Arrange words in columns, read across."""
    widest = max(map(columns, words)) + 2
    fit = max(1, width // widest)
    lines = [words[first : first + fit] for first in range(0, len(words), fit)]
    return ["".join(word + " " * (widest - columns(word)) for word in line).rstrip() for line in lines]
