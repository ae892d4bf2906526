"""Parser for claims about poker dice: `pair 9 + K`, `KK99A`, `two pair kings`, `a pair and a nine`.

A reading has a category, the faces right after it, and the faces added by `+`, `and`, `with` or an article. The word
`a` is an article or the ace; if both make sense, there are several readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import attrs

FACES = "9TJQKA"
NAMES = ("nine", "ten", "jack", "queen", "king", "ace")
PLURALS = tuple(name + "s" for name in NAMES)


@attrs.frozen
class Reading:
    """One way to read a text; without a category, the faces are the dice themselves."""

    category: str | None
    first: tuple[int, ...]
    then: tuple[int, ...]


_CATEGORIES: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "low straight": ("straight", (5,)),
    "high straight": ("straight", (6,)),
    **dict.fromkeys(("two pair", "two pairs", "2 pair", "2 pairs"), ("two pair", ())),
    **dict.fromkeys(("full house", "full", "boat"), ("full", ())),
    **dict.fromkeys(("one pair", "1 pair", "pair"), ("pair", ())),
    **dict.fromkeys(("high card", "high"), ("high", ())),
    **dict.fromkeys(("three", "3", "trips"), ("three", ())),
    **dict.fromkeys(("four", "4", "quads"), ("four", ())),
    **dict.fromkeys(("five", "5"), ("five", ())),
    "straight": ("straight", ()),
}
_PLUS = frozenset({"+", "&", "and", "with"})
_SILENT = frozenset({"of", "the", "over", "on", "up", "kind"})
_PLURAL = frozenset(PLURALS)
_WORDS = {word: face for words in (NAMES, PLURALS) for face, word in enumerate(words, 1)}
_LETTERS = {letter.casefold(): face for face, letter in enumerate(FACES, 1)} | {"10": 2}
_TOKEN = re.compile(r"[+&,]|[^\s+&,]+")
_DICE = re.compile(r"((?:10|[9tjqka])+)(?:'?s)?")
_MANY = 3
"""Most times that `a` may be ambiguous in a claim; with more, the text isn't read."""


def faces(word: str) -> tuple[int, ...]:
    """Return the faces that a word names: `kings`, `KK9`, `10`, `9s`; empty for other words."""
    if word in _WORDS:
        return (_WORDS[word],)
    match = _DICE.fullmatch(word)
    return tuple(_LETTERS[die] for die in re.findall("10|.", match[1])) if match else ()


def readings(text: str) -> Iterator[Reading]:
    """Yield every reading of the text; none if it has unknown words."""
    words = _TOKEN.findall(text.casefold().replace("of a kind", " "))
    choices = [tuple(_meanings(words, place)) for place in range(len(words))]
    if sum(len(meanings) > 1 for meanings in choices) <= _MANY:
        for meant in product(*choices):
            yield from _read([word for word in meant if word])


def _meanings(words: Sequence[str], place: int) -> Iterator[str]:
    """Yield the meanings of a word: itself, `+` if it adds a die, empty if it's filler."""
    word, after = words[place], words[place + 1] if place + 1 < len(words) else ""
    before = words[place - 1] if place else ""
    if word == "and" and after in _PLURAL:
        yield ""  # kings and nines are two pairs
    elif word in _PLUS:
        yield "+"
    elif word in _SILENT:
        yield ""
    elif word == "an" or (word == "a" and (after in _WORDS or after in _STARTS)):
        yield "+"
        if (word, after) == ("a", "high"):
            yield word
    elif word == "a" and after != "a" and faces(after):
        yield "+"
        if before not in ("and", "with"):
            yield word
    else:
        yield word


_STARTS = frozenset(phrase.split()[0] for phrase in _CATEGORIES)


def _read(words: list[str]) -> Iterator[Reading]:
    while words[:1] == ["+"]:
        del words[0]
    if words[1:2] == ["high"] and faces(words[0]):
        words[:2] = ["high", words[0]]
    for size in (2, 1):
        phrase = " ".join(words[:size])
        if phrase in _CATEGORIES:
            category, ranks = _CATEGORIES[phrase]
            rest = words[size:]
            yield from _named(category, ranks, rest[1:] if rest[:1] == [","] else rest)
            return
    if not _PLURAL.intersection(words):  # kings alone could be a pair or more
        yield from _named(None, (), words)


def _named(category: str | None, ranks: tuple[int, ...], words: Sequence[str]) -> Iterator[Reading]:
    """Yield the reading with the faces before and after the first `+`; nothing if a word isn't a face."""
    words = ["+" if word == "," else word for word in words]
    if (category or words) and all(word == "+" or faces(word) for word in words):
        split = words.index("+") if "+" in words else len(words)
        first, then = (tuple(face for word in part for face in faces(word)) for part in (words[:split], words[split:]))
        yield Reading(category, (*ranks, *first), then)
