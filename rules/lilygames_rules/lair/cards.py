"""Card sets of Liar's Lair: read one from text, and choose the pairs for a game.

A set has one pair per line: two statements with `|` between them. Empty lines and lines that start with `#` are
ignored. WHO in a statement stands for a player; a set uses it in all of its statements or in none.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

from lilygames_rules.kit import Luck, Malformed
from lilygames_rules.lair.card_set import CAST, CLAIMS, PEOPLE, STANDARD, SUBJECTS, THINGS

Statements = tuple[str, str]
"""Two statements that contradict each other; which one is true is decided in the game."""

OURS = ("standard", "generated")
"""The built-in sets: our own, and one that is generated for each game."""
LONGEST = 58
"""Most characters in a statement, so that it fits in a row with its number."""
MOST = 500
"""Most pairs in a set."""
WHO = "WHO"
"""The placeholder for a character's name."""
_ROOM = max(map(len, CAST)) - len(WHO)
"""How much longer a name can be than its placeholder."""


def read(text: str) -> tuple[Statements, ...]:
    """Parse a card set into pairs; raises `Malformed` with a sentence that names the line."""
    rows = enumerate(unicodedata.normalize("NFC", text).splitlines(), 1)
    found: dict[str, int] = {}
    pairs = {number: _pair(number, row, found) for number, row in rows if row.strip() and not row.startswith("#")}
    if not 1 <= len(pairs) <= MOST:
        raise Malformed(f"a set has 1 to {MOST} pairs; this one has {len(pairs)}")
    speaking = [number for number, (statement, _) in pairs.items() if WHO in statement]
    if 0 < len(speaking) < len(pairs):
        raise Malformed(f"line {speaking[0]}: use {WHO} in every statement of the set or in none")
    return tuple(pairs.values())


def _pair(number: int, row: str, found: dict[str, int]) -> Statements:
    """Parse a line into a pair; `found` records the line of each statement."""
    statements = [" ".join(part.split()) for part in row.split("|")]
    if len(statements) != 2:
        raise Malformed(f"line {number}: a pair needs two statements with one | between them")
    for statement in statements:
        reason = _flaw(statement, statements) or (
            f"“{statement}” is already on line {found[statement.casefold()]}" if statement.casefold() in found else ""
        )
        if reason:
            raise Malformed(f"line {number}: {reason}")
        found[statement.casefold()] = number
    return statements[0], statements[1]


def _flaw(statement: str, statements: Sequence[str]) -> str:
    """Return the error in a statement, empty if there is none."""
    length = len(statement) + (_ROOM if WHO in statement else 0)
    if not statement:
        return "a statement is missing next to the |"
    if not statement.isprintable():
        return "a statement has a character that can't be shown"
    if length > LONGEST:
        named = " with the longest name" if WHO in statement else ""
        return f"a statement can have {LONGEST} characters; “{statement[:20]}...” has {length}{named}"
    if (WHO in statements[0]) != (WHO in statements[1]):
        return f"use {WHO} in both statements of a pair or in neither"
    return ""


def speaks_of_people(pairs: Sequence[Statements]) -> bool:
    """Tell whether the statements of a set are about people."""
    return any(WHO in first for first, _ in pairs)


@cache
def shipped(*, people: bool) -> tuple[Statements, ...]:
    """Return the standard set, or the standard statements about people."""
    return read(PEOPLE if people else STANDARD)


def room(pairs: Sequence[Statements] | None, names: int) -> int:
    """Return the number of pairs in a set (None: generated), or the number per person."""
    if pairs is None:
        return len(THINGS) * names if names else len(SUBJECTS)
    return len(pairs) * (names or 1)


def drawn(pairs: Sequence[Statements] | None, wanted: int, luck: Luck) -> list[Statements]:
    """Draw `count` pairs that aren't about people: the first of a shuffled set, or generated ones for None.

    Each generated pair has its own subject: one shuffle of the subjects, then a choice of verb and object for each.
    """
    if pairs is not None:
        return list(luck.for_("pairs").shuffle(pairs)[:wanted])
    subjects = luck.for_("subjects").shuffle(SUBJECTS)[:wanted]
    return [_made(subject, luck.for_("made", number)) for number, subject in enumerate(subjects, 1)]


def _made(subject: str, luck: Luck) -> Statements:
    claim = luck.choice(CLAIMS)
    return _claimed(subject, claim, luck.choice(THINGS))


def drawn_about(
    pairs: Sequence[Statements] | None, people: Sequence[str], wanted: int, luck: Luck
) -> list[tuple[str, Statements]]:
    """Draw pairs about these people, spread evenly with the extra ones for the first; return each with its person.

    Each person takes one shuffle of the set. For generated pairs it is one shuffle of the objects, and a choice of
    verb for each.
    """
    return list(_about(pairs, people, wanted, luck))


def _about(
    pairs: Sequence[Statements] | None, people: Sequence[str], wanted: int, luck: Luck
) -> Iterator[tuple[str, Statements]]:
    for place, name in enumerate(people):
        share, own = len(range(place, wanted, len(people))), luck.for_("about", place + 1)
        if pairs is None:
            for thing in own.shuffle(THINGS)[:share]:
                yield name, _claimed(name, own.choice(CLAIMS), thing)
        else:
            for one, other in own.shuffle(pairs)[:share]:
                yield name, (one.replace(WHO, name), other.replace(WHO, name))


def _claimed(subject: str, claim: Statements, thing: str) -> Statements:
    yes, no = claim
    return f"{subject} {yes} {thing}.", f"{subject} {no} {thing}."
