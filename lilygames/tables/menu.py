"""The numbers of a question: each is one complete legal move, the same in the prompt, in /moves and for /pick."""

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
class _InOrder(Sequence[Any]):
    """The offers and behind them all other moves, none of them written out: there may be thousands."""

    moves: Sequence[Any]
    offers: Sequence[Any]
    offered: Sequence[int]
    """The places of the offers among the moves, from the first to the last."""

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
    """The legal moves of one question with their numbers.

    `offers` are 1, 2, 3 and so on, the moves that the prompt numbers; the other moves follow in the rules' order.
    Without offers a number is itself if the answer is a number (a bid, a card of the Lair), else a place in the list.
    """

    moves: Sequence[Any]
    offers: Sequence[Any]
    spell: Callable[[Any], str]

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
        return _InOrder(self.moves, self.offers, sorted({self.moves.index(move) for move in self.offers}))

    @property
    def words(self) -> Sequence[str]:
        """All moves in that order, as they are typed; not kept, since they may be thousands at each of many tables."""
        return tuple(map(self.spell, self.listed))

    def kinds(self) -> Iterator[str]:
        """Yield the verb of each move in that order, by which `rows` groups a long list."""
        return (self.spell(move).partition(" ")[0] for move in self.listed)

    @cached_property
    def verb(self) -> str | None:
        """The verb of every move if the answer itself is a number."""
        return None if self.offers else number_verb(map(self.spell, self.listed))

    @property
    def prompted(self) -> frozenset[int]:
        """The numbers that the prompt shows."""
        if self.verb:
            return frozenset(map(self._number, range(len(self.moves))))
        return frozenset(range(1, 1 + (len(self.offers) or min(len(self.moves), _PROMPTED))))

    def _number(self, place: int) -> int:
        if self.verb is None:
            return place + 1
        _, _, number = self.spell(self.listed[place]).partition(" ")
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

    def rows(self, first: int = 0, kinds: Iterable[str] | None = None) -> Iterator[tuple[int | None, str]]:
        """Yield the rows of `/moves`, each with its number (None: a row that numbers no move).

        Without `first` those are all moves, or the offers and of each other kind the first few, if there are more than
        fit. Else they are the moves from that place in the list on. `kinds` are given by who has them already.
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
            yield from self._overview(self.kinds() if kinds is None else kinds)

    def _overview(self, kinds: Iterable[str]) -> Iterator[tuple[int | None, str]]:
        yield from map(self._row, range(len(self.offers)))
        others = islice(enumerate(kinds), len(self.offers), None)
        for _, group in groupby(others, key=itemgetter(1)):
            places = [place for place, _ in group]
            yield from map(self._row, places[:FEW])
            if places[FEW:]:
                yield self._more(len(places) - FEW, places[FEW], places[-1])

    def _row(self, place: int) -> tuple[int, str]:
        return self._number(place), f"{self._number(place)}. {self.spell(self.listed[place])}"

    def _more(self, count: int, first: int, last: int) -> tuple[None, str]:
        return None, f"   ... {count} more, the last is {self.spell(self.listed[last])} (/moves {first + 1})"
