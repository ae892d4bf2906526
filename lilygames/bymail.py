"""Wizard by mail: a line of pbmserv's, `wizard move BOARD USERID PASSWORD MOVE`, of which board and move are read.

Nobody here needs the user's name and the password. They are never said, shown, logged, remembered or completed.
"""

from __future__ import annotations

import re

_START = re.compile(r"[\s/.\\]*wiz(?:ard?|a)?\s+move(?![^\s])", re.IGNORECASE)
_WHOLE = re.compile(r"\s+#?(\d{1,9})\s+\S+\s+\S+\s+((?:(?:bid|play|trump)\s+)?[^\s/]{1,8})\s*", re.IGNORECASE)
_SECRETS = re.compile(r"(\s+\S+\s+)\S+(?:\s+\S+)?")
USAGE = "a move by mail is like: wizard move 12 ID PASSWORD KH. Here /at 12 KH is enough, without them."


def is_move(text: str) -> bool:
    """Whether a line is such a move, whole or not, with or without a slash."""
    return "ove" in text[:64].casefold() and _START.match(text) is not None


def read(text: str) -> str:
    """Return the command that a move by mail is, without its slash: `at 12 KH`; empty if it can't be read."""
    start = _START.match(text)
    found = _WHOLE.fullmatch(text, start.end()) if start else None
    return f"at {found[1]} {found[2]}" if found else ""


def to_remember(text: str) -> str:
    """Return what of a typed line may be kept: a move by mail as the command that it is, any other line as it is."""
    if not is_move(text):
        return text
    command = read(text)
    return f"/{command}" if command else ""


def hidden(text: str) -> str:
    """Return what is being typed with a star for each letter of a user's name and password."""
    return "\n".join(map(_hidden, text.split("\n"))) if "ove" in text.casefold() else text


def _hidden(line: str) -> str:
    start = _START.match(line)
    found = _SECRETS.match(line, start.end()) if start else None
    if not found:
        return line
    secret = re.sub(r"\S", "*", line[found.end(1) : found.end()])
    return f"{line[: found.end(1)]}{secret}{line[found.end() :]}"
