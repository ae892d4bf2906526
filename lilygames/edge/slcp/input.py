"""Lines from an SLCP client: commands, each in a leaf of its own, and the client's own control lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lilygames.chat.host.own_texts import LINES
from lilygames.chat.people.terminal import NOBODY, AtOnce, TerminalUser, unheard
from lilygames.edge.slcp.screen import Gathering, SlcpScreen
from lilygames.edge.slcp.text import place_name, plain
from lilygames.text import Line

CONTROL = "#$#"
"""The start of a client's control line."""
OPTIONS = f"{CONTROL} options"
"""The line with which a client says that it speaks SLCP."""
_VERSION = "2.6.4"
"""The version of lily whose protocol this is. Clients compute with it, so it has only digits and dots."""
_KNOWN = frozenset(("version", "prompt", "prompt2", "leaf-notify", "leaf-cmd", "connected", "usertype"))


class SlcpInput:
    """Reads the lines of a client for its screen."""

    begins = False
    """A leaf ends with the answer to its line."""

    def __init__(self, screen: SlcpScreen, user: TerminalUser = NOBODY) -> None:
        self._screen = screen
        self._user = user

    def begin(self, place: str, options: str) -> None:
        """Begin to speak SLCP after the login prompt of a place, with a client that has named its options.

        These are answered first, because clients take `%options` anywhere in a row. Ours has a telnet option before it,
        sent when we didn't know the client; any other row would show that as an X. Clients add the name of the place to
        recipients, so it can't have all signs; if it has others, it is told again.
        """
        name = place_name(place)
        self._control(options.removeprefix(CONTROL).strip())
        self._screen.put(*([f"Welcome to lily at {name}"] if name != place else []))
        self._screen.put(f"%server name={name} version={_VERSION}")

    def end(self, at_once: AtOnce) -> None:
        """End the leaf of the last command. The question of a command is part of its leaf."""
        if at_once is not unheard:
            if self._screen.in_command:
                self._screen.introduce(f"-{name}" for name in self._user.directory.joined())
            self._screen.end()

    def begun(self, typed: str, at_once: AtOnce) -> str | None:
        """Begin a command and return its line; return None if it was a control line, which has been answered here.

        The answer to a command's question belongs to that command: only a session reads with a function for talk.
        """
        if text := self._screen.gathering:
            if text.take(typed):
                self._store(text)
            return None
        if typed.lstrip().startswith(CONTROL):
            self._control(typed.lstrip().removeprefix(CONTROL).strip())
            return None
        if at_once is not unheard:
            self._screen.begin(typed)
        return typed

    def at_once(self, at_once: AtOnce) -> AtOnce:
        """Return a function that handles control lines and talk at once."""
        if at_once is unheard:
            return unheard

        def handled(typed: str) -> bool:
            if self._screen.gathering or typed.lstrip().startswith(CONTROL):
                return False
            self._screen.begin(typed)
            if not at_once(typed):
                return False
            self._screen.end()
            return True

        return handled

    def refuse(self, typed: str, line: Line) -> None:  # noqa: ARG002 - it has been shown
        """Close the leaf of a line that came too fast."""
        if not self._screen.in_command:
            self._screen.begin(typed)
            self._screen.end()

    def _control(self, line: str) -> None:
        """Answer a control line. Unknown ones are ignored, because later clients have more of them."""
        word, _, rest = line.partition(" ")
        match word:
            case "options":
                if "+usertype" in rest.split() and self._user.directory.is_staff:
                    self._screen.put("%user_type a")
                self._screen.put(" ".join(["%options", *_switched(rest)]))
            case "ping":
                said = plain(rest.removeprefix("echo").strip())
                self._screen.put(f"%pong {said}".rstrip())
            case "slcp-sync" if self._screen.entered:
                self._screen.sync()
            case "what" if self._screen.entered and rest.removeprefix("#").isdecimal():
                self._screen.members(int(rest.removeprefix("#")[:9]))
            case "export_file" if self._screen.entered:
                self._gather(rest.split())

    def _gather(self, words: Sequence[str]) -> None:
        """Begin to take a text: `info LINES`, or `memo BYTES LINES NAME`. Texts of rooms and of others are refused."""
        match words:
            case ["info", lines] if lines.isdecimal() and int(lines[:9]) <= LINES:
                text = Gathering("info", "", int(lines))
            case ["memo", _, lines, name] if lines.isdecimal() and int(lines[:9]) <= LINES:
                text = Gathering("memo", name, int(lines))
            case _:
                self._screen.put("%export_file NO")
                return
        self._screen.gather(text)
        self._screen.put("%export_file OKAY")
        if not text.missing:
            self._store(text)

    def _store(self, text: Gathering) -> None:
        self._screen.gather(None)
        self._screen.show(self._user.store(text.what, text.name, text.lines))


def _switched(options: str) -> Iterator[str]:
    """Yield each option that a client asked for: with + if it is known here, else with -."""
    for option in options.split():
        name = plain(option.lstrip("+-"))
        yield f"{'+' if name in _KNOWN else '-'}{name}"
