"""Our rules as games of OpenSpiel, so that its algorithms can solve the small ones.

Only the contract of a rules module is used. Its draws of luck become chance nodes: a move is repeated with more draws
until it needs no further one. A seat remembers everything it has seen and done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar

import attrs
import pytest

from lilygames.game import Strategy
from lilygames_rules.kit import KeyedLuck, Luck

pyspiel = pytest.importorskip("pyspiel")


class Undrawn(Exception):
    """A draw is needed, with this number of equally likely results."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class Drawn:
    """Luck with scripted draws, counted from 0; raises `Undrawn` after the last one."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = iter(draws)

    def below(self, ways: int) -> int:
        """Return the next draw; a draw with only one result is none."""
        if ways == 1:
            return 0
        drawn = next(self._draws, None)
        if drawn is None:
            raise Undrawn(ways)
        return drawn

    def roll(self, sides: int) -> int:
        return self.below(sides) + 1

    def choice(self, items: Sequence[Any]) -> Any:
        return items[self.below(len(items))]

    def coin(self) -> bool:
        return self.below(2) == 1

    def shuffle(self, items: Any) -> Sequence[Any]:
        return Shuffled(list(items), self)

    def for_(self, *_: Any) -> Drawn:
        return self

    def pick(self, items: Any, allowed: Any = None) -> Any:
        return self.choice(items if allowed is None else allowed)

    def order(self, _: Any, present: Any) -> Sequence[Any]:
        return self.shuffle(present)


class Shuffled(Sequence[Any]):
    """A pack that draws each card when it is read, from the top, so that unread cards cost nothing."""

    def __init__(self, left: list[Any], luck: Drawn) -> None:
        self._left, self._luck, self._top = left, luck, []

    def __len__(self) -> int:
        return len(self._left) + len(self._top)

    def __getitem__(self, place: Any) -> Any:
        wanted = range(len(self))[place]
        deepest = wanted if isinstance(wanted, int) else max(wanted, default=-1)
        while len(self._top) <= deepest:
            self._top.append(self._left.pop(self._luck.below(len(self._left))))
        return self._top[wanted] if isinstance(wanted, int) else tuple(self._top[one] for one in wanted)


@attrs.frozen
class Variant:
    """A game to solve: how it begins, and each seat's result once it is over (None before)."""

    rules: Any
    seats: int
    begin: Callable[[Luck], Any]
    scores: Callable[[Any], Sequence[float] | None]
    allows: Callable[[Any], bool] = lambda _: True
    """The legal moves that are tried: all, unless several have the same effect."""
    longest: int = 1000
    """An upper bound on the number of moves and draws."""


Memory = tuple[Any, ...]
"""A seat's memory: pairs of a view and the index of the move that it made then."""


@attrs.frozen(slots=False, eq=False)
class Node:
    """A node of the game: a state, or a move that needs more draws."""

    variant: Variant
    state: Any
    memories: tuple[Memory, ...]
    making: Callable[[Luck], Any] | None = None
    draws: tuple[int, ...] = ()
    ways: int = 0
    """The number of equally likely draws; 0 if a seat moves, or the game is over."""

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    @cached_property
    def scores(self) -> Sequence[float] | None:
        return None if self.ways else self.variant.scores(self.state)

    @cached_property
    def seat(self) -> int:
        """The seat to move."""
        seats = range(self.variant.seats)
        return next(seat for seat in seats if len(self.variant.rules.moves(self.state, seat)))

    @cached_property
    def moves(self) -> Sequence[Any]:
        return tuple(filter(self.variant.allows, self.variant.rules.moves(self.state, self.seat)))

    @cached_property
    def view(self) -> Any:
        return self.variant.rules.view(self.state, self.seat)

    @property
    def known(self) -> Memory:
        """The information of the seat to move: its memory, and its view now."""
        return (*self.memories[self.seat], self.view)

    def child(self, action: int) -> Node:
        """Return the node after the move with this index, or after this draw."""
        if self.ways:
            return made(self.variant, self.state, self.memories, self.making, (*self.draws, action))
        seat, move, memories = self.seat, self.moves[action], list(self.memories)
        memories[seat] = (*memories[seat], self.view, action)

        def making(luck: Luck) -> Any:
            return self.variant.rules.apply(self.state, seat, move, luck).state

        return made(self.variant, self.state, tuple(memories), making)


def made(variant: Variant, state: Any, memories: Any, making: Any, draws: tuple[int, ...] = ()) -> Node:
    """Return the node after a move, or the one where it needs another draw."""
    try:
        return Node(variant, making(Drawn(draws)), memories)
    except Undrawn as wanted:
        return Node(variant, state, memories, making, draws, wanted.ways)


def root(variant: Variant) -> Node:
    """Return the first node of a game."""
    return made(variant, None, ((),) * variant.seats, variant.begin)


class Game(pyspiel.Game):
    """A variant as a game that OpenSpiel plays."""

    def __init__(self, variant: Variant) -> None:
        self.root = root(variant)
        kinds = pyspiel.GameType
        kind = kinds(
            short_name=f"lilygames_{variant.rules.NAME}",
            long_name=variant.rules.NAME,
            dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
            information=kinds.Information.IMPERFECT_INFORMATION,
            utility=kinds.Utility.ZERO_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=variant.seats,
            min_num_players=variant.seats,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=6000,
            max_chance_outcomes=1000,
            num_players=variant.seats,
            min_utility=-1000.0,
            max_utility=1000.0,
            utility_sum=0.0,
            max_game_length=variant.longest,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> Position:
        return Position(self)

    def make_py_observer(self, *_: Any) -> Observer:
        return Observer()


class Observer:
    """The observer that OpenSpiel also asks for: everything that a seat knows, in words."""

    tensor = None
    dict: ClassVar = {}

    def set_from(self, state: Any, player: int) -> None:
        """Give no tensor."""

    def string_from(self, state: Any, player: int) -> str:
        return state.information_state_string(player)


class Position(pyspiel.State):
    """A node as a state of OpenSpiel."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._node = game.root

    def current_player(self) -> int:
        if self._node.ways:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self._node.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self._node.moves))) if player == self._node.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(one, 1 / self._node.ways) for one in range(self._node.ways)]

    def _apply_action(self, action: int) -> None:
        self._node = self._node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player == pyspiel.PlayerId.CHANCE else str(self._node.moves[action])

    def information_state_string(self, player: int | None = None) -> str:
        seat = self._node.seat if player is None else player
        return f"{seat}: {(*self._node.memories[seat], self._node.variant.rules.view(self._node.state, seat))}"

    def is_terminal(self) -> bool:
        return self._node.scores is not None

    def returns(self) -> list[float]:
        return list(map(float, self._node.scores or [0] * self._node.variant.seats))

    def __str__(self) -> str:
        return f"{self._node.state} {self._node.draws}"


@attrs.frozen
class Tree:
    """A variant as a complete tree, which OpenSpiel traverses alone; `asked` has one node for each information set."""

    game: Any
    asked: dict[str, Node]


def written(variant: Variant) -> Tree:
    """Return the whole tree of a variant, in Gambit's format."""
    lines = ['EFG 2 R "" { ' + " ".join(f'"{seat}"' for seat in range(variant.seats)) + " }"]
    numbers, counts, asked = [{} for _ in range(variant.seats)], Counter(), {}
    ahead = [root(variant)]
    while ahead:
        node = ahead.pop()
        counts[node.ways > 0, node.scores is None] += 1
        place = counts[node.ways > 0, node.scores is None]
        if node.scores is not None:
            lines.append(f't "" {place} "" {{ {" ".join(map(str, node.scores))} }}')
            continue
        if node.ways:
            draws = " ".join(f'"{draw}" {1 / node.ways:.16f}' for draw in range(node.ways))
            lines.append(f'c "" {place} "" {{ {draws} }} 0')
        else:
            known = numbers[node.seat]
            number = known.setdefault(node.known, len(known) + 1)
            asked[f"{node.seat}-{node.seat}-{number}-"] = node
            actions = " ".join(f'"{action}"' for action in range(len(node.moves)))
            lines.append(f'p "" {node.seat + 1} {number} "" {{ {actions} }} 0')
        ahead += [node.child(action) for action in reversed(range(node.ways or len(node.moves)))]
    return Tree(pyspiel.load_efg_game("\n".join(lines) + "\n"), asked)


POINTS = 24
"""Draws with more results than this are represented by this many evenly spaced ones."""


def mixed(strategy: Strategy, node: Node) -> Counter[Any]:
    """Return the probability of each move of a bot, exactly, by following all of its small draws."""
    shares: Counter[Any] = Counter()

    def follow(draws: tuple[int, ...], weight: float) -> None:
        try:
            shares[strategy(node.view, node.moves, Drawn(draws))] += weight
        except Undrawn as wanted:
            some, ways = min(wanted.ways, POINTS), wanted.ways
            for place in range(some):
                follow((*draws, (2 * place + 1) * ways // (2 * some)), weight / some)

    follow((), 1.0)
    return shares


def by_lot(strategy: Strategy, node: Node, tries: int = 40) -> Counter[Any]:
    """Return the probabilities that a bot reports itself, if it draws too much to follow."""
    lucks = (KeyedLuck(b"asked %d" % number) for number in range(tries))
    return Counter(strategy(node.view, node.moves, luck) for luck in lucks)


def policy(tree: Tree, strategy: Strategy, asks: Callable[[Strategy, Node], Counter[Any]] = mixed) -> Any:
    """Return a bot's policy at every node of a tree, for OpenSpiel."""
    table = {}
    for name, node in tree.asked.items():
        shares = asks(strategy, node)
        table[name] = [(action, shares[move] / shares.total()) for action, move in enumerate(node.moves)]
    return pyspiel.TabularPolicy(table)


def solved(tree: Tree, rounds: int) -> Any:
    """Return the policy that CFR+ finds."""
    solver = pyspiel.CFRPlusSolver(tree.game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()


def values(tree: Tree, played: Any) -> list[float]:
    """Return each seat's result if all follow that policy."""
    by_its_name, whole = True, -1
    return pyspiel.expected_returns(tree.game.new_initial_state(), played, whole, by_its_name)


def gains(tree: Tree, played: Any) -> list[float]:
    """Return how much each seat could gain if it alone knew the policy that all follow."""
    start = tree.game.new_initial_state()
    best = (pyspiel.TabularBestResponse(tree.game, seat, played) for seat in range(tree.game.num_players()))
    return [one.value_from_state(start) - value for one, value in zip(best, values(tree, played), strict=True)]
