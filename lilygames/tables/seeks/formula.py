"""Formulas: which players and games someone accepts, such as `rating>30 registered !unrated`. Pure.

    formula     conditions, all of which must hold; `or` between two alternatives
    condition   `!CONDITION` or `not CONDITION`, `(FORMULA)`, a comparison such as `rating>=30`, a word or a game

A formula is parsed here and evaluated on `Facts`. Nothing else can be named in it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

import attrs

from lilygames.errors import UserError
from lilygames.text import listing, shortened

LONGEST = 100
"""Maximum characters of a formula."""
DEEPEST = 10
"""Maximum brackets and negations around a condition."""
NUMBERS = ("rating", "games")
WORDS = ("registered", "guest", "friend", "rated", "unrated")
"""The numbers that a formula can compare, and its words, apart from games."""
_OTHER_SPELLINGS = {"guests": "guest", "friends": "friend"}
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}
_TOKEN = re.compile(r"\s*(>=|<=|!=|[><=()!|&,]|-?\d{1,6}(?:\.\d{1,3})?|[a-z][a-z0-9'-]*)")


@attrs.frozen
class Facts:
    """The facts about a player and a table that a formula decides on.

    `rating` and `games` are the player's in this game with as many seats. `friend` is whether they are a friend of the
    formula's owner.
    """

    game: str
    rated: bool
    registered: bool
    rating: float
    games: int
    friend: bool

    @property
    def words(self) -> frozenset[str]:
        """The words that are true."""
        true = {
            "registered": self.registered,
            "guest": not self.registered,
            "friend": self.friend,
            "rated": self.rated,
            "unrated": not self.rated,
            self.game: True,
        }
        return frozenset(word for word, holds in true.items() if holds)


Formula = Callable[[Facts], bool]
"""A parsed formula: whether it accepts a player and a table."""


def accepts(text: str, facts: Facts) -> bool:
    """Return whether a stored formula accepts a player and a table. An empty one accepts everything."""
    return not text or _parsed(text, None)(facts)


def compares_numbers(text: str) -> bool:
    """Return whether a stored formula may compare a rating or a number of games."""
    return any(number in text for number in NUMBERS)


def checked(text: str, games: Collection[str]) -> str:
    """Return a formula as it is stored and shown; raises `UserError` with what is wrong with it."""
    shown = joined(text)
    if len(shown) > LONGEST:
        raise UserError(f"that formula has {len(shown)} characters. Use at most {LONGEST}.")
    _parsed(shown, frozenset(games))
    return shown


def joined(text: str) -> str:
    """Return a formula with single spaces, and none in comparisons, so that each of them is one word."""
    return re.sub(r"\s*(>=|<=|!=|[><])\s*", r"\1", " ".join(text.casefold().split()))


def looks_like_condition(word: str) -> bool:
    """Whether a word of a `/seek` belongs to a condition, rather than being a number, an option or a name."""
    folded = word.casefold()
    return bool(set(folded) & set("<>!()|&")) or folded in (*WORDS, *_OTHER_SPELLINGS, "and", "or", "not")


@lru_cache(maxsize=1024)
def _parsed(text: str, games: frozenset[str] | None) -> Formula:
    parser = _Parser(_tokens(text), games)
    found = parser.alternatives(0)
    if parser.left:
        raise UserError("there's a “)” without a “(” in your formula. Type /help formula for examples.")
    return found


def _tokens(text: str) -> list[str]:
    tokens, end = [], 0
    while text[end:].strip():
        found = _TOKEN.match(text, end)
        if not found:
            raise UserError(f"I can't read “{text[end:].strip()[:10]}” in a formula. Type /help formula for examples.")
        tokens.append(found[1])
        end = found.end()
    return tokens


class _Parser:
    """Parses tokens from the left. `games` are the games that may be named; None allows any word."""

    def __init__(self, tokens: list[str], games: frozenset[str] | None) -> None:
        self.left = tokens
        self._games = games
        self._last = ""

    def _next(self) -> str:
        self._last = self.left.pop(0)
        return self._last

    def alternatives(self, depth: int) -> Formula:
        """Parse conditions with `or` between them."""
        found = [self._conditions(depth)]
        while self.left and self.left[0] in ("or", "|"):
            self._next()
            found.append(self._conditions(depth))
        return lambda facts: any(one(facts) for one in found)

    def _conditions(self, depth: int) -> Formula:
        """Parse conditions that must all hold, up to `or`, a closing bracket or the end."""
        found = [self._condition(depth)]
        while self.left and self.left[0] not in ("or", "|", ")"):
            if self.left[0] in ("and", "&", ","):
                self._next()
            found.append(self._condition(depth))
        return lambda facts: all(one(facts) for one in found)

    def _condition(self, depth: int) -> Formula:
        if not self.left:
            after = f" after “{self._last}”" if self._last else ""
            raise UserError(f"something is missing{after} in your formula. Type /help formula for examples.")
        if depth > DEEPEST:
            raise UserError(f"that formula has more than {DEEPEST} brackets in each other. Make it simpler.")
        match token := self._next():
            case "!" | "not":
                negated = self._condition(depth + 1)
                return lambda facts: not negated(facts)
            case "(":
                inner = self.alternatives(depth + 1)
                if not self.left:
                    raise UserError("a “(” is never closed in your formula. Add a “)”.")
                self._next()
                return inner
        if self.left and self.left[0] in _COMPARE:
            return self._comparison(token)
        return self._word(token)

    def _comparison(self, name: str) -> Formula:
        if name not in NUMBERS:
            raise UserError(f"a formula can't compare “{name}”. It can compare rating and games, as in rating>30.")
        compare = _COMPARE[sign := self._next()]
        try:
            number = float(self._next())
        except (IndexError, ValueError):
            raise UserError(f"“{name}{sign}” needs a number after it, as in {name}{sign}30.") from None
        return lambda facts: compare(getattr(facts, name), number)

    def _word(self, token: str) -> Formula:
        word = _OTHER_SPELLINGS.get(token, token)
        if word in NUMBERS:
            raise UserError(f"“{word}” needs a comparison, as in {word}>30.")
        if self._games is not None and word not in (*WORDS, *self._games):
            known = listing([*(f"{name}>30" for name in NUMBERS), *WORDS, "a game"], "or")
            raise UserError(f"a formula can't contain “{shortened(token, 20)}”. Use {known}.")
        return lambda facts: word in facts.words
