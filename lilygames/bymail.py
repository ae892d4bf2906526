"""Moves in the format of pbmserv mail, `GAME move BOARD USERID PASSWORD MOVE`. Only the board and the move are used.

The user's name and password are never needed, shown, logged, stored or completed.

A game that was played by mail has a file `by_mail.toml` in its folder. It has the words before `move` (`names`), the
optional names of its moves (`moves`), and a typical move (`example`). It is a file because the client, which has no
games, reads it too.
"""

from __future__ import annotations

import re
import tomllib
from importlib import resources

import attrs


@attrs.frozen
class _Form:
    """The mail format of one game's moves."""

    names: tuple[str, ...]
    moves: tuple[str, ...]
    example: str


def _declared() -> list[_Form]:
    """Return the formats of all installed games. Imports none of them."""
    files = [folder / "by_mail.toml" for folder in (resources.files("lilygames") / "games").iterdir()]
    texts = [tomllib.loads(file.read_text("utf-8")) for file in files if file.is_file()]
    return [_Form(tuple(text["names"]), tuple(text["moves"]), text["example"]) for text in texts]


_FORMS = _declared()
_NAMES = "|".join(re.escape(name) for form in _FORMS for name in form.names) or "(?!)"
_MOVES = "|".join(re.escape(move) for form in _FORMS for move in form.moves) or "(?!)"
_NEARLY = r"(?:mo?|\w?move|mo?v?e|ove|omve|mvoe|moev|mov\w?|moves|m\wove|mo\wve|mov\we|move\w|\wove|m\wve|mo\we)"
"""The word `move` cut off, or with one wrong, missing, doubled or swapped letter."""
BEGINNING = rf"[\s/.\\]*(?:{_NAMES})\s+(?:move(?!\S)|{_NEARLY}(?=\s+#?\d+\s+\S+\s+\S))"
"""A regular expression, to use ignoring case, for the start of such a line.

If `move` is mistyped, a number and two words have to follow: they may be a user's name and password.
"""
_START = re.compile(BEGINNING, re.IGNORECASE)
_RIGHT = re.compile(r".*\bmove", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(rf"\s+#?(\d{{1,9}})\s+\S+\s+\S+\s+((?:(?:{_MOVES})\s+)?[^\s/]{{1,8}})\s*", re.IGNORECASE)
_SECRETS = re.compile(r"(\s+\S+\s+)\S+(?:\s+\S+)?")


is_move = _START.match
"""Match a line that is such a move, complete or not, with or without a slash; None for any other line."""


def read(text: str) -> tuple[str, str] | None:
    """Return the number of the table and the move of a move by mail; None if it can't be read."""
    start = _START.match(text)
    found = _WHOLE.fullmatch(text, start.end()) if start and _RIGHT.fullmatch(start[0]) else None
    return (found[1], found[2]) if found else None


def usage(text: str) -> str:
    """Return how to type such a line, for one that can't be read."""
    name = text.lstrip(" \t/.\\").partition(" ")[0].casefold()
    form = next((form for form in _FORMS if name in form.names), _FORMS[0])
    return (
        f"a move by mail is like: {form.names[0]} move 12 ID PASSWORD {form.example}."
        f" Here /at 12 {form.example} is enough, without them."
    )


def to_remember(text: str) -> str:
    """Return the part of a typed line that may be stored: a move by mail becomes its command."""
    if not is_move(text):
        return text
    found = read(text)
    return "/at {} {}".format(*found) if found else ""


def hidden(text: str) -> str:
    """Return what is being typed, with stars for the letters of a user's name and password."""
    return "\n".join(map(_hidden, text.split("\n"))) if "ove" in text.casefold() else text


def _hidden(line: str) -> str:
    start = _START.match(line)
    found = _SECRETS.match(line, start.end()) if start else None
    if not found:
        return line
    secret = re.sub(r"\S", "*", line[found.end(1) : found.end()])
    return f"{line[: found.end(1)]}{secret}{line[found.end() :]}"
