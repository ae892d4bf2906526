"""The line editor for terminals: other people's lines appear above the line being typed, never in it.

The terminal sends each key and shows what we send. The typed line has the last row to itself and scrolls sideways, so
one escape sequence clears it and the same bytes restore it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from lilygames import bymail
from lilygames.chat.people.terminal import Completer
from lilygames.edge.screens.keys import Key, Keyboard
from lilygames.edge.screens.line_buffer import LineBuffer
from lilygames.edge.screens.screen import Screen
from lilygames.edge.wire.capabilities import Peer
from lilygames.edge.wire.cells import Row, row
from lilygames.edge.wire.render import Look, encoded, rendered
from lilygames.edge.wire.wire import Wire
from lilygames.text import Line, Prompt, clean, count, wrap

COLUMNS = 80
"""Columns of a terminal that hasn't reported its width."""

LISTED = 60
"""Maximum completions listed."""

_AWAY = b"\r\x1b[J"
_BELL = b"\a"
_CLEAR = b"\x1b[H\x1b[2J"
_PASTES, _PASTES_NO_MORE = b"\x1b[?2004h", b"\x1b[?2004l"

_EDITING: Mapping[Key, Callable[[LineBuffer], object]] = {
    "c-a": LineBuffer.home, "home": LineBuffer.home, "c-e": LineBuffer.end, "end": LineBuffer.end,
    "c-b": LineBuffer.left, "left": LineBuffer.left, "c-f": LineBuffer.right, "right": LineBuffer.right,
    ("escape", "b"): LineBuffer.word_left, "c-left": LineBuffer.word_left, ("escape", "left"): LineBuffer.word_left,
    ("escape", "f"): LineBuffer.word_right, "c-right": LineBuffer.word_right,
    ("escape", "right"): LineBuffer.word_right,
    "c-h": LineBuffer.rub_out, "delete": LineBuffer.delete, "c-w": LineBuffer.cut_word_before,
    ("escape", "c-h"): LineBuffer.cut_part_before, ("escape", "d"): LineBuffer.cut_word_after,
    "c-u": LineBuffer.cut_before, "c-k": LineBuffer.cut_after, "c-y": LineBuffer.yank,
    "c-t": LineBuffer.swap, "c-c": LineBuffer.clear,
    "up": LineBuffer.older, "c-p": LineBuffer.older, "down": LineBuffer.newer, "c-n": LineBuffer.newer,
}  # fmt: skip
"""Key bindings as in Emacs and shells. If an action returns False, it couldn't be done and the bell rings."""


class EditorScreen(Screen):
    """Edits one line at the bottom. After Enter, keys wait until that line is read, so that secrets aren't shown."""

    def __init__(self, wire: Wire, look: Look, question: Prompt | None, completer: Completer) -> None:
        super().__init__(wire, look, completer)
        self.question: Prompt | None = None
        self._longest = wire.limits.line_bytes
        self._typed = LineBuffer(self._longest)
        self._keyboard = Keyboard(_input_charset(look))
        self._columns = wire.peer.columns or COLUMNS
        self._before = ""
        self._row = Row()
        self._bytes = b""
        self._end = 0
        self._drawn: tuple[str, int] | None = ("", 0)
        self._listed: str | None = None
        self._busy = False
        wire.send(_PASTES, "turn")
        if question is not None:
            self._put(question)
        self._draw()

    # called by the terminal

    @property
    def full(self) -> bool:
        """Whether the keys waiting for a reader fill a whole line."""
        return self._keyboard.waiting > self._longest

    @property
    def idle(self) -> bool:
        """Whether the typed line is empty."""
        return not self._typed.text

    @property
    def partial_line(self) -> str:
        """The unfinished line; empty if it is a secret."""
        return "" if self._secret else self._typed.text

    @property
    def history(self) -> Sequence[str]:
        """The line history."""
        return self._typed.history.lines

    def remember(self, lines: Sequence[str]) -> None:
        """Add lines to the line history."""
        for line in lines:
            self._typed.history.remember(line)

    def feed(self, data: bytes) -> Sequence[str]:
        """Handle typed bytes, update the screen, and return the completed lines."""
        keys = self._keyboard.decoded(data)
        if self._busy:
            self._keyboard.put_back(keys)
            return ()
        if self._keyboard.plain(keys) and self._append(keys):
            return ()
        return self._type(keys)

    def more(self) -> Sequence[str]:
        """Handle the keys typed since the last line, now that it has been read and answered."""
        self._busy = False
        return self._type(self._keyboard.decoded(b""))

    def ask(self, prompt: Prompt) -> None:
        """Show a prompt before the typed line; any part that doesn't fit goes above."""
        above = self._put(prompt)
        self.show(*map(Line, above))
        if prompt.begun and not self._typed.text:
            self._typed.insert(clean(prompt.begun))
        self._draw()

    def _put(self, prompt: Prompt) -> list[str]:
        self.question = prompt
        asked = clean(prompt.text)
        words = asked.rstrip(" ")
        *above, last = wrap(words, self.look.width)
        self._before = last + asked[len(words) :]
        return above

    def answered(self, line: str) -> None:
        """Add the line to the history, unless it was a secret."""
        if self.question is None or not self.question.secret:
            self._typed.history.remember(bymail.to_remember(line))
        self.question = None

    def learned(self, peer: Peer, look: Look) -> None:
        """Redraw the row if the window has changed."""
        self.look = look
        if self._keyboard.charset != _input_charset(look):
            self._keyboard.read_in(_input_charset(look))
        if self._columns != (peer.columns or COLUMNS):
            self._columns = peer.columns or COLUMNS
            self._draw()

    def close(self) -> None:
        """Leave the editor's row and turn off bracketed paste."""
        self._wire.send((b"\r\n" if self._bytes else b"") + _PASTES_NO_MORE, "turn")
        self._set_row(b"")

    # keys

    def _type(self, typed: str) -> Sequence[str]:
        for word, key, place in self._keyboard.keys(typed):
            if word:
                self._insert(clean(word) if "\n" not in word else word)
            elif key in ("c-m", "c-j"):
                self._keyboard.put_back(typed[place:])
                return self._enter()
            elif key == "c-d" and not self._typed.text:
                if not self._secret:
                    self._typed.insert("/bye")
                    self._keyboard.put_back(typed[place:])
                    return self._enter()
            else:
                self._press(key)
        self._redraw()
        return ()

    @property
    def _secret(self) -> bool:
        return self.question is not None and self.question.secret

    def _insert(self, text: str) -> None:
        if self._typed.insert(text):
            return
        self._ring()
        if len(text) > 1:
            self.show(Line(f"(Your text is too long: a line can have {self._longest} bytes. Paste it in parts.)"))

    def _press(self, key: Key) -> None:
        if key == "c-i":
            self._complete()
        elif key == "c-l":
            self._wire.send(_CLEAR, "turn")
            self._drawn = None
        elif key == "c-d":
            self._typed.delete()
        elif (action := _EDITING.get(key)) and action(self._typed) is False:
            self._ring()

    def _ring(self) -> None:
        self._wire.send(_BELL, "turn")

    def _enter(self) -> Sequence[str]:
        """Leave the typed line on the screen and return it; a paste may return several lines."""
        self._redraw()
        if not self._row.whole:
            line = Line((self._before + self._visible).replace("\n", " "), margin="")
            self._wire.send(_AWAY + rendered(line, self.look).removesuffix(b"\r\n"), "turn")
        self._wire.send(b"\r\n", "turn")
        self._before, self._row, self._end = "", Row(), 0
        self._set_row(b"")
        self._drawn = ("", 0)
        self._busy = True
        return [clean(line) for line in self._typed.clear().split("\n")]

    # completion

    def _complete(self) -> None:
        """Insert the common part of all completions; if there is none, list them on the second Tab."""
        before = self._typed.before
        found = [] if self._secret else [*self._completer(before)]
        shared = _shared(found)
        if len(shared) > len(before):
            self._typed.replace(shared)
        elif self._listed == before and found:
            self._list(found)
        else:
            self._ring()
        self._listed = self._typed.before

    def _list(self, found: Sequence[str]) -> None:
        more = [f"({count(len(found) - LISTED, 'more')})"] if len(found) > LISTED else []
        self.show(Line("  " + "  ".join([*found[:LISTED], *more])))

    # the row

    @property
    def _visible(self) -> str:
        """The typed line as shown: nothing of a secret, and no password of a move by mail."""
        return "" if self._secret else bymail.hidden(self._typed.text)

    def _append(self, letters: str) -> bool:
        """Append plain letters and send only those; return False if a redraw is needed."""
        end = self._end + len(letters)
        hides = self._secret or bymail.is_move(self._typed.text + letters) is not None
        if end >= self._columns or self._drawn is None or hides or not self._typed.append(letters):
            return False
        self._end = end
        self._drawn = (self._typed.text, self._typed.cursor)
        data = letters.encode()
        self._wire.send(data, "turn")
        self._set_row(self._bytes + data)
        return True

    def _redraw(self) -> None:
        """Redraw the row if it has changed."""
        now = ("", 0) if self._secret else (self._visible, self._typed.cursor)
        if self._drawn != now:
            self._draw()

    def _draw(self) -> None:
        """Redraw the row."""
        typed = self._visible
        cursor = len(self._before) + (self._typed.cursor if typed else 0)
        self._row = row(self._before + typed, cursor, self._columns - 1, self.look.charset, self._row.start)
        drawn = encoded(self._row.text, self.look.charset)
        self._end = self._row.columns
        if self._row.cursor < self._row.columns:
            drawn += b"\r" + (b"\x1b[%dC" % self._row.cursor if self._row.cursor else b"")
        self._drawn = (typed, self._typed.cursor if typed else 0)
        self._wire.send(_AWAY + drawn, "turn")
        self._set_row(drawn)

    def _set_row(self, drawn: bytes) -> None:
        """Record the bytes that redraw the current row."""
        self._bytes = drawn
        self._wire.set_last_row(_AWAY, drawn)


def _shared(found: Sequence[str]) -> str:
    """Return the common prefix of the completions, ignoring case; a single one is returned whole, with a space."""
    if len(found) == 1:
        return found[0] if found[0].endswith(";") else f"{found[0]} "
    folded = [one.casefold() for one in found]
    first, last = min(folded, default=""), max(folded, default="")
    alike = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return found[0][:alike] if found else ""


def _input_charset(look: Look) -> str:
    return "utf-8" if look.charset == "ascii" else look.charset
