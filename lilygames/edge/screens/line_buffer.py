"""The line being typed, the line history, and what each editing key does. No bytes, no screen."""

from __future__ import annotations

from collections import deque

from prompt_toolkit.document import Document

from lilygames.edge.wire.cells import cells
from lilygames.edge.wire.limits import LONGEST

REMEMBERED = 100
"""Maximum lines in the history."""

MEMORY = 16 * 1024
"""Maximum characters in the history."""


class LineHistory:
    """The line history and the position in it."""

    __slots__ = ("_begun", "_lines", "_place", "_shown")

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=REMEMBERED)
        self._shown: str | None = None
        self._begun = ""
        self._place = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines, oldest first."""
        return tuple(self._lines)

    def remember(self, line: str) -> None:
        """Add a line, unless it is empty or the same as the last."""
        self._shown = None
        if line and (not self._lines or self._lines[-1] != line):
            self._lines.append(line)
            while sum(map(len, self._lines)) > MEMORY:
                self._lines.popleft()

    def older(self, text: str, cursor: int) -> str | None:
        """Return the previous line that starts with the text before the cursor; None if there is none.

        If the text was edited, the search starts again at the newest line.
        """
        if text != self._shown:
            self._begun, self._place = text[:cursor], len(self._lines)
        return self._found(range(self._place - 1, -1, -1), text)

    def newer(self, text: str) -> str | None:
        """Return the next line, and after the newest the unfinished one; None if the history isn't shown."""
        if text != self._shown:
            return None
        line = self._found(range(self._place + 1, len(self._lines)), text)
        if line is None:
            self._shown = None
        return self._begun if line is None else line

    def _found(self, places: range, text: str) -> str | None:
        for place in places:
            line = self._lines[place]
            if line.startswith(self._begun) and line != text:
                self._place, self._shown = place, line
                return line
        return None


class LineBuffer:
    """A line with its cursor, the last cut text, and the history; the keys are those of Emacs.

    The cursor is always before a letter, never between a letter and its marks. No line starts with a mark.
    """

    __slots__ = ("_cut", "_longest", "cursor", "history", "text")

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self.text = ""
        self.cursor = 0
        self._cut = ""
        self.history = LineHistory()

    @property
    def before(self) -> str:
        """The text before the cursor."""
        return self.text[: self.cursor]

    def insert(self, text: str) -> bool:
        """Insert text at the cursor; return False and change nothing if the line would be too long."""
        if len(self.text) + len(text) > self._longest // 4 and len((self.text + text).encode()) > self._longest:
            return False
        self._put(self.before + text, self.text[self.cursor :])
        return True

    def append(self, letters: str) -> bool:
        """Append plain letters; return False if the cursor isn't at the end or there is little room."""
        text = self.text
        if self.cursor < len(text) or len(text) + len(letters) > self._longest // 4:
            return False
        self.text = text = text + letters
        self.cursor = len(text)
        return True

    def replace(self, before: str) -> None:
        """Replace the text before the cursor with `before`."""
        self._put(before, self.text[self.cursor :])

    def clear(self) -> str:
        """Return the line, and start an empty one."""
        text = self.text
        self._put("", "")
        return text

    def _put(self, before: str, after: str) -> None:
        if not (after.isascii() and before.isascii()):
            text = before + after
            dropped = next((place for place, letter in enumerate(text) if cells(letter)), len(text))
            before, after = before[dropped:], after[max(0, dropped - len(before)) :]
        self.text = before + after
        self._go(len(before))

    def _go(self, place: int) -> None:
        place = min(max(place, 0), len(self.text))
        while 0 < place < len(self.text) and not cells(self.text[place]):
            place -= 1
        self.cursor = place

    # moving

    def left(self) -> None:
        """Move one letter left."""
        self._go(self.cursor - 1)

    def right(self) -> None:
        """Move one letter right."""
        self.cursor = self._after_letter

    def home(self) -> None:
        """Move to the start."""
        self._go(0)

    def end(self) -> None:
        """Move to the end."""
        self._go(len(self.text))

    def word_left(self) -> None:
        """Move to the start of this word or the previous one."""
        self._go(self._word_begins())

    def word_right(self) -> None:
        """Move to the end of this word or the next one."""
        self._go(self._word_ends)

    @property
    def _after_letter(self) -> int:
        place = min(self.cursor + 1, len(self.text))
        while place < len(self.text) and not cells(self.text[place]):
            place += 1
        return place

    def _word_begins(self, *, by_spaces: bool = False) -> int:
        found = Document(self.text, self.cursor).find_start_of_previous_word(WORD=by_spaces)
        return self.cursor + (found if found is not None else -self.cursor)

    @property
    def _word_ends(self) -> int:
        found = Document(self.text, self.cursor).find_next_word_ending(include_current_position=False)
        return self.cursor + found if found else len(self.text)

    # deleting

    def rub_out(self) -> None:
        """Delete the letter before the cursor, with its marks."""
        end = self.cursor
        self.left()
        self._put(self.before, self.text[end:])

    def delete(self) -> None:
        """Delete the letter at the cursor, with its marks."""
        self._put(self.before, self.text[self._after_letter :])

    def cut_word_before(self) -> None:
        """Cut back to the last space."""
        self._cut_out(self._word_begins(by_spaces=True), self.cursor)

    def cut_part_before(self) -> None:
        """Cut back to the start of the word."""
        self._cut_out(self._word_begins(), self.cursor)

    def cut_word_after(self) -> None:
        """Cut to the end of the word."""
        self._cut_out(self.cursor, self._word_ends)

    def cut_before(self) -> None:
        """Cut everything before the cursor."""
        self._cut_out(0, self.cursor)

    def cut_after(self) -> None:
        """Cut everything after the cursor."""
        self._cut_out(self.cursor, len(self.text))

    def _cut_out(self, begin: int, end: int) -> None:
        if begin < end:
            self._cut = self.text[begin:end]
            self._put(self.text[:begin], self.text[end:])

    def yank(self) -> bool:
        """Insert the last cut text; return False if it doesn't fit."""
        return self.insert(self._cut)

    def swap(self) -> None:
        """Swap the letters around the cursor, or the last two at the end, and move right."""
        if self.cursor == len(self.text):
            self.left()
        middle, end = self.cursor, self._after_letter
        self.left()
        begin = self.cursor
        if begin < middle < end:
            self._put(self.text[:begin] + self.text[middle:end] + self.text[begin:middle], self.text[end:])

    # line history

    def older(self) -> bool:
        """Show the previous line that starts with the text before the cursor; return False if there is none."""
        return self._recall(self.history.older(self.text, self.cursor))

    def newer(self) -> bool:
        """Show the next line, and after the newest the unfinished one."""
        return self._recall(self.history.newer(self.text))

    def _recall(self, line: str | None) -> bool:
        if line is not None:
            self._put(line, "")
        return line is not None
