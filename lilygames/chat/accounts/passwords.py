"""Passwords and return words: check chosen passwords and generate return words."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from importlib import resources

from lilygames.chat.names.names import fold
from lilygames.errors import UserError

SHORTEST = 6
"""Minimum length of a password in characters."""

_HERE = resources.files("lilygames.chat.accounts")
_WORDS = _HERE.joinpath("words.txt").read_text().split()
_COMMON = frozenset(row for row in _HERE.joinpath("common-passwords.txt").read_text().split("\n") if row[:1] != "#")


class Weak(UserError):
    """A password that is easy to guess. The message says what to type instead."""

    code = "weak-password"


def checked(word: str, name: str) -> str:
    """Return a password chosen for a name; raises `Weak` if it is easy to guess.

    Short passwords, the thousand most common ones and the name itself are refused, in any case.
    """
    if len(word) < SHORTEST:
        raise Weak(f"that's too short: a password needs at least {SHORTEST} characters.")
    if fold(word) == fold(name):
        raise Weak("your name can't be your password.")
    if fold(word) in _COMMON:
        raise Weak("that's one of the most common passwords, so it's easy to guess.")
    return word


def return_word(below: Callable[[int], int] = secrets.randbelow) -> str:
    """Return a new return word for a guest, easy to say and type: `3742-plum-otter-0915`.

    It starts with a digit, unlike any name, so that it never becomes a name. It has 41 bits of entropy. `below(n)`
    chooses a number from 0 to n - 1.
    """
    plain = "-".join(_WORDS[below(len(_WORDS))] for _ in range(2))
    return f"{below(9000) + 1000}-{plain}-{below(10_000):04}"


_PASTED = re.compile(
    r"[\W_]*+(?:(?P<name>[a-z][\w-]*+)\W++)?"
    r"(?P<word>[1-9]\d{3}[\W_]++[a-z]++[\W_]++[a-z]++[\W_]++\d{4})[\W_]*+",
    re.ASCII | re.IGNORECASE,
)
"""A return word as people copy it, after its name or alone: with quotes, brackets, spaces or other dashes."""
_BETWEEN = re.compile(r"[\W_]+", re.ASCII)


def pasted_return_word(text: str) -> tuple[str, str]:
    """Return the name and the return word in a line that has nothing else; the name, or both, may be empty."""
    found = _PASTED.fullmatch(text)
    return (found["name"] or "", _BETWEEN.sub("-", found["word"]).lower()) if found else ("", "")
