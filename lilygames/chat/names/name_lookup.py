"""Look up things by name: the full name, a prefix, initials or any part."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from lilygames.chat.names.names import skeleton

T = TypeVar("T")
_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_MANY = 9
"""Maximum matches collected; an error message names eight."""


def initials(name: str) -> str:
    """Return the folded initials of a name: `sn` for `SourNomad` and `sour-nomad`; empty if there is only one."""
    if name.isalnum() and name.islower():  # one word, as most names are: an eighth of the time of looking for more
        return ""
    letters = "".join(word[0] for word in _WORDS.findall(name))
    return letters.casefold() if len(letters) > 1 else ""


class Names(dict[str, T], Generic[T]):
    """A dictionary of things by folded name, with a prefix lookup in logarithmic time.

    Each thing has an attribute `name` with the spelling of its name.
    """

    def __init__(self) -> None:
        super().__init__()
        self._sorted: list[str] = []
        self._initials: dict[str, set[str]] = {}
        self._skeletons: dict[str, set[str]] = {}
        self._text: str | None = None

    def __setitem__(self, key: str, thing: T) -> None:
        if key not in self:
            insort(self._sorted, key)
            self._skeletons.setdefault(skeleton(key), set()).add(key)
            if short := initials(_written(thing)):
                self._initials.setdefault(short, set()).add(key)
            self._text = None
        super().__setitem__(key, thing)

    def setdefault(self, key: str, thing: T) -> T:
        """Return the thing of this name, adding `thing` if there was none."""
        if key not in self:
            self[key] = thing
        return self[key]

    def pop(self, key: str, default: Any = None) -> Any:
        """Remove the thing of this name, and return it or the default."""
        if key not in self:
            return default
        thing = super().pop(key)
        del self._sorted[bisect_left(self._sorted, key)]
        _drop(self._skeletons, skeleton(key), key)
        if short := initials(_written(thing)):
            _drop(self._initials, short, key)
        self._text = None
        return thing

    def __delitem__(self, key: str) -> None:
        if key not in self:
            raise KeyError(key)
        self.pop(key)

    def keys_in_order(self, beginning: str = "") -> Iterator[str]:
        """Yield the folded names that begin so, sorted."""
        return self._beginning(beginning) if beginning else iter(self._sorted)

    def matching(self, folded: str, accept: Callable[[T], bool] = lambda _: True) -> Iterator[list[T]]:
        """Yield groups of accepted things that `folded` may mean: full name, prefix, initials, any part."""
        short = sorted(self._initials.get(folded, ())) if folded else ()
        kinds = ((folded,), self._beginning(folded), short, self._containing(folded))
        for keys in kinds:
            found = (self[key] for key in keys if key in self)
            yield [*islice(filter(accept, found), _MANY)]

    def twins(self, name: str) -> list[T]:
        """Return the things whose names equal this one or look like it."""
        return [self[key] for key in sorted(self._skeletons.get(skeleton(name), ()))]

    def _beginning(self, folded: str) -> Iterator[str]:
        place = bisect_left(self._sorted, folded)
        while folded and place < len(self._sorted) and self._sorted[place].startswith(folded):
            yield self._sorted[place]
            place += 1

    def _containing(self, folded: str) -> Iterator[str]:
        if self._text is None:
            self._text = "\n" + "\n".join(self._sorted) + "\n"
        text = self._text
        place = text.find(folded) if folded and "\n" not in folded else -1
        while place >= 0:
            start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
            yield text[start:end]
            place = text.find(folded, end)


def _drop(index: dict[str, set[str]], mark: str, key: str) -> None:
    """Remove a name from an index."""
    index[mark].discard(key)
    if not index[mark]:
        del index[mark]


def _written(thing: object) -> str:
    return str(getattr(thing, "name", ""))
