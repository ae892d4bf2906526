"""Numbered moves of a question.

Each number is one complete legal move, the same in the prompt, in /moves and for /pick.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import attrs

from lilygames.game import Game

PAGE, FEW = 20, 4
"""Maximum rows shown of a list, and moves shown of each kind if the list is longer."""
_PROMPTED = 64
"""Maximum moves numbered in a prompt if the game doesn't choose them."""
_VERB_AND_NUMBER = re.compile(r"(\w+) (\d+)")
_KEPT = 100
"""Moves up to which a menu keeps them as they are typed."""


def number_verb(spelled: Iterable[str]) -> str | None:
    """Return the verb if every move is that verb and a number (`bid 0`, `bid 1`).

    Numbers then mean themselves. One move may be `pass`; it is 0 unless another move is.
    """
    verb, taken = None, set[int]()
    for move in spelled:
        match = _VERB_AND_NUMBER.fullmatch(move)
        number = int(match[2]) if match else 0
        verb = verb or (match and match[1])
        if number in taken or (match[1] != verb if match else move != "pass"):
            return None
        taken.add(number)
    return verb


def _may_be_numbered(move: str) -> bool:
    """Return whether a move is spelled as one of those. Most menus begin with another, so no others are spelled."""
    return move == "pass" or _VERB_AND_NUMBER.fullmatch(move) is not None


@attrs.frozen(eq=False)
class _InOrder(Sequence[Any]):
    """The offered moves followed by all others.

    The list is lazy, because there may be thousands of moves.
    """

    moves: Sequence[Any]
    offers: Sequence[Any]
    offered: Sequence[int]
    """Indexes of the offers among the moves, in order."""

    def __len__(self) -> int:
        return len(self.offers) + len(self.moves) - len(self.offered)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        place = range(len(self))[place]
        if place < len(self.offers):
            return self.offers[place]
        place -= len(self.offers)
        for offered in self.offered:
            place += offered <= place
        return self.moves[place]

    def __iter__(self) -> Iterator[Any]:
        yield from self.offers
        yield from (move for place, move in enumerate(self.moves) if place not in self.offered)


@attrs.frozen(eq=False)
class Menu:
    """The legal moves of one question, with their numbers.

    `offers` are the moves that the prompt numbers from 1, None where a number is left out; the other moves follow in
    the rules' order. Without offers, a number stands for itself if the answer is a number (a bid, a card of the Lair).
    Otherwise it is an index in the list.
    """

    moves: Sequence[Any]
    offers: Sequence[Any]
    spell: Callable[[Any], str]

    @classmethod
    def of(cls, game: Game, view: Any, moves: Sequence[Any]) -> Menu:
        """Return the menu for a seat's view and its legal moves."""
        offers = game.offers(view, moves) if game.offers and len(moves) else ()
        return cls(moves, tuple(move for move in offers if move is None or move in moves), game.spell)

    @cached_property
    def _numbers(self) -> Sequence[int]:
        """The numbers of the offers."""
        return [number for number, move in enumerate(self.offers, 1) if move is not None]

    @property
    def _left_out(self) -> int:
        return len(self.offers) - len(self._numbers)

    @cached_property
    def listed(self) -> Sequence[Any]:
        """All moves in numerical order."""
        offered = [move for move in self.offers if move is not None]
        if not offered:
            return self.moves
        return _InOrder(self.moves, offered, sorted({self.moves.index(move) for move in offered}))

    @property
    def words(self) -> Sequence[str]:
        """All moves in that order, as typed.

        Only a short list is kept: there may be thousands of moves at each of many tables.
        """
        return self._kept_words if len(self.listed) <= _KEPT else tuple(map(self.spell, self.listed))

    @cached_property
    def _kept_words(self) -> Sequence[str]:
        return (self._first_word, *map(self.spell, islice(self.listed, 1, None))) if len(self.listed) else ()

    @cached_property
    def _first_word(self) -> str:
        return self.spell(self.listed[0])

    def _word(self, place: int) -> str:
        return self._kept_words[place] if len(self.listed) <= _KEPT else self.spell(self.listed[place])

    def kinds(self) -> Iterator[str]:
        """Yield the verb of each move in order; `rows` uses them to group a long list."""
        return (self._word(place).partition(" ")[0] for place in range(len(self.listed)))

    @cached_property
    def verb(self) -> str | None:
        """The verb of every move if numbers mean themselves, else None."""
        if self.offers or not len(self.moves) or not _may_be_numbered(self._first_word):
            return None
        return number_verb(map(self._word, range(len(self.listed))))

    @property
    def prompted(self) -> frozenset[int]:
        """The numbers shown in the prompt."""
        if self.verb:
            return frozenset(map(self.number, range(len(self.moves))))
        return frozenset(self._numbers if self.offers else range(1, 1 + min(len(self.moves), _PROMPTED)))

    def number(self, place: int) -> int:
        """Return the number of the move at a place of the list."""
        if self.verb is None:
            return self._numbers[place] if place < len(self._numbers) else place + 1 + self._left_out
        _, _, number = self._word(place).partition(" ")
        return int(number or 0)

    def move(self, number: int) -> Any:
        """Return the move with this number, or None."""
        if self.verb:
            places = (place for place in range(len(self.moves)) if self.number(place) == number)
            place = next(places, -1)
        elif 0 < number <= len(self.offers):
            return self.offers[number - 1]  # avoids listing all the moves
        else:
            place = number - 1 - self._left_out
        return self.listed[place] if 0 <= place < len(self.listed) else None

    def rows(self, first: int = 0, kinds: Iterable[str] | None = None) -> Iterator[tuple[int | None, str]]:
        """Yield the rows of `/moves`, each with its number (None for a row without a move).

        Without `first`, these are all moves. If they don't fit, they are the offers and the first few of each other
        kind. With `first`, they are the moves from that index. Pass `kinds` if you have them already.
        """
        places = range(len(self.listed))
        if first:
            places = self._page(first)
            yield from map(self._row, places)
            if more := len(self.listed) - places.stop:
                yield self._more(more, places.stop, len(self.listed) - 1)
        elif len(places) <= PAGE:
            yield from map(self._row, places)
        else:
            yield from self._overview(self.kinds() if kinds is None else kinds)

    def _page(self, number: int) -> range:
        """Return the places of the moves from this number on, as many as fit."""
        offered = number <= len(self.offers)
        first = sum(other < number for other in self._numbers) if offered else number - 1 - self._left_out
        return range(first, min(first + PAGE, len(self.listed)))

    def _overview(self, kinds: Iterable[str]) -> Iterator[tuple[int | None, str]]:
        yield from map(self._row, range(len(self._numbers)))
        others = islice(enumerate(kinds), len(self._numbers), None)
        for _, group in groupby(others, key=itemgetter(1)):
            places = [place for place, _ in group]
            yield from map(self._row, places[:FEW])
            if places[FEW:]:
                yield self._more(len(places) - FEW, places[FEW], places[-1])

    def _row(self, place: int) -> tuple[int, str]:
        return self.number(place), f"{self.number(place)}. {self._word(place)}"

    def _more(self, count: int, first: int, last: int) -> tuple[None, str]:
        return None, f"   ... {count} more, the last is {self._word(last)} (/moves {first + 1 + self._left_out})"
