"""Card sets of Liar's Lair: how one is read from a text, and which pairs of it a game is played with.

A set is a text of one pair a line, two statements with `|` between them; empty lines and lines that begin with `#` are
left out. A statement with the word WHO in it speaks of a person; a set has WHO in all of its statements or in none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

from rules.kit import Luck, Malformed
from rules.lair.card_set import CAST, CLAIMS, PEOPLE, STANDARD, SUBJECTS, THINGS

Statements = tuple[str, str]
"""A pair: two statements that contradict each other; nothing says which one is true."""

OURS = ("standard", "generated")
"""The sets that need no text: our own, and what is made up for each game."""
LONGEST = 58
"""Characters of a statement, so that it stands in one row with its number."""
MOST = 500
"""Pairs of a set."""
WHO = "WHO"
"""Stands for a person's name."""
_ROOM = max(map(len, CAST)) - len(WHO)
"""How much longer a name may be than the word that stands for it."""


def read(text: str) -> tuple[Statements, ...]:
    """Return the pairs of a card set; raises `Malformed` with a sentence that names the line."""
    rows = enumerate(unicodedata.normalize("NFC", text).splitlines(), 1)
    found: dict[str, int] = {}
    pairs = {number: _pair(number, row, found) for number, row in rows if row.strip() and not row.startswith("#")}
    if not 1 <= len(pairs) <= MOST:
        raise Malformed(f"a set has 1 to {MOST} pairs; this one has {len(pairs)}")
    speaking = [number for number, (statement, _) in pairs.items() if WHO in statement]
    if 0 < len(speaking) < len(pairs):
        raise Malformed(f"line {speaking[0]}: {WHO} stands in every statement of a set or in none")
    return tuple(pairs.values())


def _pair(number: int, row: str, found: dict[str, int]) -> Statements:
    """Return the pair of a row; `found` keeps on which line each statement was found."""
    statements = [" ".join(part.split()) for part in row.split("|")]
    if len(statements) != 2:
        raise Malformed(f"line {number}: a pair is two statements with one | between them")
    for statement in statements:
        reason = _flaw(statement, statements) or (
            f"“{statement}” stands on line {found[statement.casefold()]} already"
            if statement.casefold() in found
            else ""
        )
        if reason:
            raise Malformed(f"line {number}: {reason}")
        found[statement.casefold()] = number
    return statements[0], statements[1]


def _flaw(statement: str, statements: Sequence[str]) -> str:
    """Return what is wrong with a statement, "" for nothing."""
    length = len(statement) + (_ROOM if WHO in statement else 0)
    if not statement:
        return "a statement is missing beside the |"
    if not statement.isprintable():
        return "a statement has a character that cannot be shown"
    if length > LONGEST:
        named = " with the longest name" if WHO in statement else ""
        return f"a statement has at most {LONGEST} characters; “{statement[:20]}...” has {length}{named}"
    if (WHO in statements[0]) != (WHO in statements[1]):
        return f"{WHO} stands in both statements of a pair or in neither"
    return ""


def speaks_of_people(pairs: Sequence[Statements]) -> bool:
    """Whether the statements of a set are about people."""
    return any(WHO in first for first, _ in pairs)


@cache
def shipped(*, people: bool) -> tuple[Statements, ...]:
    """Return our own set, or our own statements about people."""
    return read(PEOPLE if people else STANDARD)


def room(pairs: Sequence[Statements] | None, names: int) -> int:
    """Return how many pairs a set (None: the generator) gives, or gives about each of so many people."""
    if pairs is None:
        return len(THINGS) * names if names else len(SUBJECTS)
    return len(pairs) * (names or 1)


def drawn(pairs: Sequence[Statements] | None, wanted: int, luck: Luck) -> list[Statements]:
    """Return so many pairs about nobody: the first of a shuffle of the set; None has them made up.

    Made up, each has a subject of its own: one shuffle of the subjects, then for each a choice of claim and of thing.
    """
    if pairs is not None:
        return list(luck.shuffle(pairs)[:wanted])
    subjects = luck.shuffle(SUBJECTS)[:wanted]
    return [_claimed(subject, luck.choice(CLAIMS), luck.choice(THINGS)) for subject in subjects]


def drawn_about(
    pairs: Sequence[Statements] | None, people: Sequence[str], wanted: int, luck: Luck
) -> list[tuple[str, Statements]]:
    """Return so many pairs about these people, as many about each or one more about the first, each with its person.

    For each person in turn one shuffle of the set; made up, one shuffle of the things and a choice of claim for each.
    """
    return list(_about(pairs, people, wanted, luck))


def _about(
    pairs: Sequence[Statements] | None, people: Sequence[str], wanted: int, luck: Luck
) -> Iterator[tuple[str, Statements]]:
    for place, name in enumerate(people):
        share = len(range(place, wanted, len(people)))
        if pairs is None:
            for thing in luck.shuffle(THINGS)[:share]:
                yield name, _claimed(name, luck.choice(CLAIMS), thing)
        else:
            for one, other in luck.shuffle(pairs)[:share]:
                yield name, (one.replace(WHO, name), other.replace(WHO, name))


def _claimed(subject: str, claim: Statements, thing: str) -> Statements:
    yes, no = claim
    return f"{subject} {yes} {thing}.", f"{subject} {no} {thing}."
