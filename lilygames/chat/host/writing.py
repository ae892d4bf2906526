"""Write a text of several lines at the prompt `* `."""

from __future__ import annotations

from collections.abc import Sequence

from lilygames.chat.host.own_texts import LINES
from lilygames.chat.people.terminal import Terminal
from lilygames.text import Line, Prompt, quoted

END = "."
"""The line that ends the text."""


async def edited(terminal: Terminal, before: Sequence[str], about: str, writer: str) -> tuple[str, ...] | None:
    """Return the text that someone writes, line after line; None if they wrote nothing, so that the old text stays.

    The old text is shown first. A screen that edits lines begins each with what stood there before. Raises `Gone`.
    """
    terminal.show(*[quoted(writer, line, f"Your {about}:") for line in before])
    terminal.show(Line(f"(Type your {about}, up to {LINES} lines. End with a line that has only a dot.)"))
    lines: list[str] = []
    while True:
        terminal.ask(Prompt("* ", begun=before[len(lines)] if len(lines) < len(before) else ""))
        line = await terminal.read()
        if line.strip() == END:
            return tuple(lines) or None
        if len(lines) < LINES:
            lines.append(line)
        else:
            terminal.show(Line(f"(There's no room for that line: {LINES} is the limit. Type a dot to end.)"))
