"""Two whole games that an observer cannot tell apart: the same to their eyes at each move, but otherwise different.

The second game is found by chance. Some draws of luck, and some moves that depended on hidden cards or dice, are
changed. A change stays if the observer knows the same after every single move by the rules (`known`). So the rules
themselves make both games, with their events, and nothing is edited afterwards.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs

from lilygames.game import Game
from lilygames.gametest.stage import secrets_from
from lilygames_rules.kit import KeyedLuck, Leave, Luck, Refused, Seat
from tests.secrecy.known import KNOWN

SEATS = 3
START = SEATS + 1
"""The number of the log's entry that deals the first card: everyone has sat down before it."""
PROPOSALS = 120
"""Changes that are tried to find another world."""
ENOUGH = 8
"""Changes that make it different enough."""
LOW = 10
"""Moves of a kind to choose from: high claims end a game too soon."""
ENDING, SELDOM = ("Fold", "Challenge"), 0.3
"""Kinds of moves that end a hand, and their probability."""
Change = tuple[int, ...]
"""The change of one draw: the two places of a shuffle to swap, or the distance to move a value."""


class Unfit(Exception):
    """A change does not fit its draw, since other draws came before it."""


class ChangedLuck:
    """The luck of one entry with some draws changed, and the sizes of its draws."""

    def __init__(self, luck: Luck, changes: Mapping[int, Sequence[Change]], sizes: list[int] | None = None) -> None:
        self.sizes: list[int] = [] if sizes is None else sizes
        """The number of items of each shuffle; negative for other draws: the number of values."""
        self._luck = luck
        self._changes = changes

    def shuffle(self, items: Any) -> tuple[Any, ...]:
        """Return the items in the order drawn, with the places swapped."""
        shuffled = list(self._luck.shuffle(items))
        for change in self._next(len(shuffled)):
            if len(change) == 1 or max(change) >= len(shuffled):
                raise Unfit
            one, other = change
            shuffled[one], shuffled[other] = shuffled[other], shuffled[one]
        return tuple(shuffled)

    def roll(self, sides: int) -> int:
        """Return the number drawn, moved on."""
        return (self._luck.roll(sides) - 1 + self._moved(sides)) % sides + 1

    def choice(self, items: Any) -> Any:
        """Return the item drawn, moved on."""
        return items[(self._luck.choice(range(len(items))) + self._moved(len(items))) % len(items)]

    def coin(self) -> bool:
        """Return the side drawn, or the other."""
        return self._luck.coin() != bool(self._moved(2) % 2)

    def for_(self, *purpose: Any) -> ChangedLuck:
        """Return the luck for a purpose. The changes are counted in the order of all draws of the entry."""
        return ChangedLuck(self._luck.for_(*purpose), self._changes, self.sizes)

    def pick(self, items: Any, allowed: Any = None) -> Any:
        """Return the item drawn, moved on among the allowed ones."""
        return self.choice(items if allowed is None else allowed)

    def order(self, _: Any, present: Any) -> tuple[Any, ...]:
        """Return the items that are present, with the places swapped."""
        return self.shuffle(present)

    def _moved(self, values: int) -> int:
        changes = self._next(-values)
        if any(len(change) > 1 for change in changes):
            raise Unfit
        return sum(step for (step,) in changes)

    def _next(self, size: int) -> Sequence[Change]:
        self.sizes.append(size)
        return self._changes.get(len(self.sizes) - 1, ())


@attrs.frozen(slots=False)
class Play:
    """A game so far: its moves, the changes to the luck of each, and each state; the deal comes first."""

    game: Game
    options: Any
    seed: str
    moves: tuple[tuple[Seat, Any], ...] = ()
    changes: Mapping[int, Mapping[int, tuple[Change, ...]]] = attrs.field(factory=dict)
    states: tuple[Any, ...] = ()

    @cached_property
    def secret(self) -> bytes:
        """The secret of the first table of a stage with this seed."""
        return secrets_from(self.seed)()

    @property
    def over(self) -> bool:
        """Whether nobody has a move left."""
        return self.game.rules.outcome(self.states[-1]) is not None

    def step(self, number: int, state: Any) -> tuple[Any, list[int]]:
        """Return the state after move `number` (0: after the deal) is made in `state`, and the sizes of its draws."""
        rules, changed = self.game.rules, self.luck(number)
        if not number:
            purse = self.game.purse
            purses = (purse.brings(self.options, purse.first),) * SEATS if purse else ()
            return rules.start(SEATS, self.options, purses, changed).state, changed.sizes
        seat, move = self.moves[number - 1]
        return rules.apply(state, seat, move, changed).state, changed.sizes

    def luck(self, number: int) -> ChangedLuck:
        """Return the luck of move `number` (0: of the deal), with its changes. A table of this play gets it, too."""
        return ChangedLuck(KeyedLuck(b"%b %d" % (self.secret, START + number)), self.changes.get(number, {}))

    def number_of(self, state: Any, seat: Seat, move: Any) -> int | None:
        """Return the number of a move in this play, None for any other move."""
        numbers = range(1, len(self.moves) + 1)
        return next((n for n in numbers if self.moves[n - 1] == (seat, move) and self.states[n - 1] == state), None)

    def draws(self) -> list[tuple[int, int, int]]:
        """Return every draw: the number of its move, its index in that move, and its size."""
        found = []
        for number in range(len(self.states)):
            _, sizes = self.step(number, self.states[number - 1] if number else None)
            found += [(number, place, size) for place, size in enumerate(sizes) if abs(size) > 1]
        return found


def played(game: Game, options: Any, seed: str, moves: int) -> Play:
    """Return a game of at most this many random moves."""
    luck, play = random.Random(seed), Play(game, options, seed)
    play = attrs.evolve(play, states=(play.step(0, None)[0],))
    while len(play.moves) < moves and not play.over:
        state = play.states[-1]
        seat = luck.choice([seat for seat in range(SEATS) if len(game.rules.moves(state, seat))])
        play = attrs.evolve(play, moves=(*play.moves, (seat, _chosen(game.rules.moves(state, seat), luck))))
        play = attrs.evolve(play, states=(*play.states, play.step(len(play.moves), state)[0]))
    return play


def _chosen(moves: Sequence[Any], luck: random.Random) -> Any:
    """Return a random move: first its kind, rarely one that ends a hand, then one of the first of that kind."""
    kinds: dict[type, list[Any]] = {}
    for move in itertools.islice(moves, 400):
        if not isinstance(move, Leave):
            kinds.setdefault(type(move), []).append(move)
    lasting = [kind for kind in kinds if kind.__name__ not in ENDING or luck.random() < SELDOM]
    return luck.choice(kinds[luck.choice(lasting or [*kinds])][:LOW])


def cut(play: Play, moves: int) -> Play:
    """Return a play as it was after this many moves."""
    return attrs.evolve(play, moves=play.moves[:moves], states=play.states[: moves + 1])


def another(play: Play, observer: Seat | None) -> Play:
    """Return a game that the observer cannot tell from this one, as different as was found, or else the same one."""
    known = [KNOWN[play.game.name](state, observer) for state in play.states]
    luck, draws, found = random.Random(f"another {play.seed}"), play.draws(), 0
    now = play
    for _ in range(PROPOSALS):
        if found == ENOUGH:
            break
        proposed = _replayed(_proposed(now, draws, observer, luck), now, known, observer)
        if proposed is not None and proposed.states != now.states:
            now, found = proposed, found + 1
    return now


def _proposed(play: Play, draws: Sequence[tuple[int, int, int]], observer: Seat | None, luck: random.Random) -> Play:
    """Return the play with one to eight changes: of draws, or of one move that was not the observer's."""
    others = [number for number, (seat, _) in enumerate(play.moves, 1) if seat != observer]
    if others and luck.random() < 0.25:
        number = luck.choice(others)
        seat, made = play.moves[number - 1]
        alike = [
            move
            for move in itertools.islice(play.game.rules.moves(play.states[number - 1], seat), 400)
            if type(move) is type(made)
        ]
        moves = list(play.moves)
        moves[number - 1] = (seat, luck.choice(alike))
        return attrs.evolve(play, moves=tuple(moves))
    changes = {number: dict(places) for number, places in play.changes.items()}
    for number, place, size in luck.choices(draws, k=luck.choice((1, 1, 2, 4, 8))) if draws else ():
        change = (luck.randrange(size), luck.randrange(size)) if size > 0 else (luck.randrange(1, -size),)
        of_move = changes.setdefault(number, {})
        of_move[place] = (*of_move.get(place, ()), change)
    return attrs.evolve(play, changes=changes)


def _replayed(play: Play, before: Play, known: Sequence[Any], observer: Seat | None) -> Play | None:
    """Return the play with its states; None if a move is refused, or the observer ever knows anything else."""
    first = next(
        number
        for number in range(len(known) + 1)
        if number == len(known)
        or play.changes.get(number) != before.changes.get(number)
        or (number and play.moves[number - 1] != before.moves[number - 1])
    )
    states = list(before.states[:first])
    for number in range(first, len(known)):
        try:
            state, _ = play.step(number, states[-1] if states else None)
        except (Refused, Unfit):
            return None
        if known[number] != KNOWN[play.game.name](state, observer):
            return None
        states.append(state)
    return attrs.evolve(play, states=tuple(states))
