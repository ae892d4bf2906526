"""The line being typed, and those typed before it: what each editing key does to them. No bytes, no screen."""

from __future__ import annotations

from collections import deque

from prompt_toolkit.document import Document

from lilygames.edge.cells import cells
from lilygames.edge.limits import LONGEST

REMEMBERED = 100
"""Lines that can be had back."""

MEMORY = 16 * 1024
"""Characters that all of them may have together."""


class LineHistory:
    """The lines typed before, and which of them is shown."""

    __slots__ = ("_begun", "_lines", "_place", "_shown")

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=REMEMBERED)
        self._shown: str | None = None
        self._begun = ""
        self._place = 0

    @property
    def lines(self) -> tuple[str, ...]:
        """All of them, the oldest first."""
        return tuple(self._lines)

    def remember(self, line: str) -> None:
        """Keep a line that was typed, unless it is empty or the same as the last."""
        self._shown = None
        if line and (not self._lines or self._lines[-1] != line):
            self._lines.append(line)
            while sum(map(len, self._lines)) > MEMORY:
                self._lines.popleft()

    def older(self, text: str, cursor: int) -> str | None:
        """Return the line before the shown one that begins as the text does up to the cursor; None where none does.

        Where the text is not the line that was shown last, the search begins anew with the newest.
        """
        if text != self._shown:
            self._begun, self._place = text[:cursor], len(self._lines)
        return self._found(range(self._place - 1, -1, -1), text)

    def newer(self, text: str) -> str | None:
        """Return the line after the shown one, and after the newest what was begun; None where no line is shown."""
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
    """A line, the place of the cursor in it, what was cut last, and the lines before; the keys are those of Emacs.

    The cursor stands before a letter, never between a letter and its marks, and no line begins with a mark.
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
        """What stands before the cursor."""
        return self.text[: self.cursor]

    def insert(self, text: str) -> bool:
        """Put text in at the cursor; return False where the line would be too long, and then it is as it was."""
        if len(self.text) + len(text) > self._longest // 4 and len((self.text + text).encode()) > self._longest:
            return False
        self._put(self.before + text, self.text[self.cursor :])
        return True

    def append(self, letters: str) -> bool:
        """Put plain letters at the end; return False where the cursor is not there, or there is little room."""
        text = self.text
        if self.cursor < len(text) or len(text) + len(letters) > self._longest // 4:
            return False
        self.text = text = text + letters
        self.cursor = len(text)
        return True

    def replace(self, before: str) -> None:
        """Have `before` stand before the cursor."""
        self._put(before, self.text[self.cursor :])

    def clear(self) -> str:
        """Return the line, and begin an empty one."""
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
        """Go one letter back."""
        self._go(self.cursor - 1)

    def right(self) -> None:
        """Go one letter on."""
        self.cursor = self._after_letter

    def home(self) -> None:
        """Go to the beginning."""
        self._go(0)

    def end(self) -> None:
        """Go to the end."""
        self._go(len(self.text))

    def word_left(self) -> None:
        """Go to the beginning of this word, or of the one before."""
        self._go(self._word_begins())

    def word_right(self) -> None:
        """Go to the end of this word, or of the next."""
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

    # taking away

    def rub_out(self) -> None:
        """Take away the letter before the cursor, with its marks."""
        end = self.cursor
        self.left()
        self._put(self.before, self.text[end:])

    def delete(self) -> None:
        """Take away the letter at the cursor, with its marks."""
        self._put(self.before, self.text[self._after_letter :])

    def cut_word_before(self) -> None:
        """Cut back to the last space."""
        self._cut_out(self._word_begins(by_spaces=True), self.cursor)

    def cut_part_before(self) -> None:
        """Cut back to the beginning of the word."""
        self._cut_out(self._word_begins(), self.cursor)

    def cut_word_after(self) -> None:
        """Cut up to the end of the word."""
        self._cut_out(self.cursor, self._word_ends)

    def cut_before(self) -> None:
        """Cut all that stands before the cursor."""
        self._cut_out(0, self.cursor)

    def cut_after(self) -> None:
        """Cut all that stands after the cursor."""
        self._cut_out(self.cursor, len(self.text))

    def _cut_out(self, begin: int, end: int) -> None:
        if begin < end:
            self._cut = self.text[begin:end]
            self._put(self.text[:begin], self.text[end:])

    def yank(self) -> bool:
        """Put in what was cut last; return False where it does not fit."""
        return self.insert(self._cut)

    def swap(self) -> None:
        """Swap the letters around the cursor, or the last two at the end, and go on."""
        if self.cursor == len(self.text):
            self.left()
        middle, end = self.cursor, self._after_letter
        self.left()
        begin = self.cursor
        if begin < middle < end:
            self._put(self.text[:begin] + self.text[middle:end] + self.text[begin:middle], self.text[end:])

    # lines before

    def older(self) -> bool:
        """Show the last line before this one that begins as this one does up to the cursor; False where none does."""
        return self._recall(self.history.older(self.text, self.cursor))

    def newer(self) -> bool:
        """Go the other way; after the newest comes again what was begun."""
        return self._recall(self.history.newer(self.text))

    def _recall(self, line: str | None) -> bool:
        if line is not None:
            self._put(line, "")
        return line is not None
