"""Help pages as data, for lily's clients: `?lsindex`, `?ls INDEX` and `?gethelp INDEX "TOPIC"`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lilygames.errors import UserError
from lilygames.help import Pages
from lilygames.text import Line

INDEX = "lily"
"""The only index."""
_WORDS = re.compile(r'\?(gethelp|lsindex|ls|sethelp|rmhelp)\b([^"]*)(?:"([^"]*)(?:"\s*)?)?', re.IGNORECASE)
"""The command, the words before a quotation mark, and those after it. No character can belong to two of them."""
is_asked = _WORDS.fullmatch
"""Returns whether a line asks for help as data, or wants to change it."""


def answered(pages: Pages, asked: str) -> Sequence[Line]:
    """Return the rows for a line that asks for help as data; raises `UserError`.

    A page begins with the line that would store it, and ends with a dot.
    """
    found = _WORDS.fullmatch(asked)
    word, plain, quoted = (part.casefold() for part in found.groups("")) if found else ("", "", "")
    index, _, more = plain.strip().partition(" ")
    topic = f"{more}{quoted}".strip()
    if word in ("sethelp", "rmhelp", ""):
        raise UserError("help pages can't be changed here. Type /help TOPIC to read one.")
    if word == "lsindex":
        return [Line(INDEX)]
    if index != INDEX:
        raise UserError(f"there's no such help index. The only one is {INDEX}: ?ls {INDEX}")
    if word == "ls":
        return [Line(name) for name in pages.rows]
    if not pages.has(topic):
        raise UserError(f"there's no such page. Type ?ls {INDEX} to list them.")
    return [Line(f'?sethelp {INDEX} "{topic}"'), *map(Line, pages.rows[pages.find(topic)]), Line(".")]
