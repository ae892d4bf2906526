"""Passwords and return words: which passwords may be chosen, and how return words are drawn."""

from __future__ import annotations

import re
import secrets
from importlib import resources

from lilygames.chat.names import fold
from lilygames.errors import UserError

SHORTEST = 6
"""Characters of the shortest password."""

_HERE = resources.files("lilygames.chat")
_WORDS = _HERE.joinpath("words.txt").read_text().split()
_COMMON = frozenset(row for row in _HERE.joinpath("common-passwords.txt").read_text().split("\n") if row[:1] != "#")


class Weak(UserError):
    """A password that would be guessed; the text says what to type instead."""


def checked(word: str, name: str) -> str:
    """Return a password that somebody has chosen for a name; raises `Weak` for one that would be guessed early.

    Refused are short ones, the thousand most common, and the name itself, in any case.
    """
    if len(word) < SHORTEST:
        raise Weak(f"a password has at least {SHORTEST} characters.")
    if fold(word) == fold(name):
        raise Weak("your name can't be your password.")
    if fold(word) in _COMMON:
        raise Weak("that is one of the most common passwords.")
    return word


def return_word() -> str:
    """Return a fresh word by which a guest comes back, easy to say and to type: `3742-plum-otter-0915`.

    It begins with a digit, as no name does, so that it never becomes one. It has 41 bits of chance.
    """
    plain = "-".join(secrets.choice(_WORDS) for _ in range(2))
    return f"{secrets.randbelow(9000) + 1000}-{plain}-{secrets.randbelow(10_000):04}"


is_return_word = re.compile(r"[1-9]\d{3}-[a-z]+-[a-z]+-\d{4}", re.ASCII | re.IGNORECASE).fullmatch
"""Whether a text has the shape of a return word, in any case: somebody may type one with Caps Lock on."""
