"""The numbers of a question: each is one complete legal move, the same in the prompt, in /moves and for /pick."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

import attrs

from lilygames.game import Game

PAGE, FEW = 20, 4
"""Rows of a list that are shown at once, and how many of a kind where there are more moves than rows."""
_PROMPTED = 64
"""How many moves a prompt numbers in a game that doesn't say which."""
_VERB_AND_NUMBER = re.compile(r"(\w+) (\d+)")


def number_verb(spelled: Iterable[str]) -> str | None:
    """Return the verb if each move is that verb and a number (`bid 0`, `bid 1`), so that a number means itself.

    One move may be `pass`, which is 0 then, unless 0 means something else.
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


@attrs.frozen(eq=False)
class Menu:
    """The legal moves of one question with their numbers.

    `offers` are 1, 2, 3 and so on, the moves that the prompt numbers; the other moves follow in the rules' order.
    Without offers a number is itself if the answer is a number (a bid, a card of the Lair), else a place in the list.
    """

    moves: Sequence[Any]
    offers: Sequence[Any]
    spell: Callable[[Any], str]
    _spelled: list[str] = attrs.field(init=False, factory=list)
    """The words that have been made so far, in the order of their numbers."""

    @classmethod
    def of(cls, game: Game, view: Any, moves: Sequence[Any]) -> Menu:
        """Return the menu of a question that a seat is asked: of its view and its legal moves."""
        offers = game.offers(view, moves) if game.offers and len(moves) else ()
        return cls(moves, tuple(move for move in offers if move in moves), game.spell)

    @cached_property
    def listed(self) -> Sequence[Any]:
        """All moves in the order of their numbers."""
        if not self.offers:
            return self.moves
        offered = {self.moves.index(move) for move in self.offers}
        return (*self.offers, *(move for place, move in enumerate(self.moves) if place not in offered))

    def spelling(self) -> Iterator[str]:
        """Make the words one by one, so that whoever has time in between can do something else; they are kept."""
        while len(self._spelled) < len(self.listed):
            self._spelled.append(self.spell(self.listed[len(self._spelled)]))
            yield self._spelled[-1]

    @property
    def words(self) -> Sequence[str]:
        """All moves in that order, as they are typed."""
        for _ in self.spelling():
            pass
        return self._spelled

    @cached_property
    def verb(self) -> str | None:
        """The verb of every move if the answer itself is a number."""
        return None if self.offers else number_verb(self.words)

    @property
    def prompted(self) -> frozenset[int]:
        """The numbers that the prompt shows."""
        if self.verb:
            return frozenset(map(self._number, range(len(self.moves))))
        return frozenset(range(1, 1 + (len(self.offers) or min(len(self.moves), _PROMPTED))))

    def _number(self, place: int) -> int:
        if self.verb is None:
            return place + 1
        _, _, number = self.words[place].partition(" ")
        return int(number or 0)

    def move(self, number: int) -> Any:
        """Return the move of a number, None if there is none."""
        if self.verb:
            places = (place for place in range(len(self.moves)) if self._number(place) == number)
            place = next(places, -1)
        elif 0 < number <= len(self.offers):
            return self.offers[number - 1]  # the rest need not be listed for it
        else:
            place = number - 1
        return self.listed[place] if 0 <= place < len(self.listed) else None

    def rows(self, first: int = 0) -> Iterator[tuple[int | None, str]]:
        """Yield the rows of `/moves`, each with its number (None: a row that numbers no move).

        Without `first` those are all moves, or the offers and of each other kind the first few, if there are more than
        fit. Else they are the moves from that place in the list on.
        """
        places = range(len(self.listed))
        if first:
            places = range(first - 1, min(first - 1 + PAGE, len(self.listed)))
            yield from map(self._row, places)
            if more := len(self.listed) - places.stop:
                yield self._more(more, places.stop, len(self.listed) - 1)
        elif len(places) <= PAGE:
            yield from map(self._row, places)
        else:
            yield from self._overview()

    def _overview(self) -> Iterator[tuple[int | None, str]]:
        yield from map(self._row, range(len(self.offers)))
        others = range(len(self.offers), len(self.listed))
        for _, group in groupby(others, key=lambda place: self.words[place].partition(" ")[0]):
            kind = [*group]
            yield from map(self._row, kind[:FEW])
            if kind[FEW:]:
                yield self._more(len(kind) - FEW, kind[FEW], kind[-1])

    def _row(self, place: int) -> tuple[int, str]:
        number = self._number(place)
        return number, f"{number}. {self.words[place]}"

    def _more(self, count: int, first: int, last: int) -> tuple[None, str]:
        return None, f"   ... {count} more, the last is {self.words[last]} (/moves {first + 1})"
