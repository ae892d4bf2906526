"""Our rules as games of OpenSpiel, for its own algorithms: whatever is small enough can be solved by them.

Of a rules module nothing but the contract is asked. What it draws from its luck becomes chance nodes: a move is made
again and again with more draws, until it wants no more of them. A seat remembers all that it has seen and done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar

import attrs
import pytest

from lilygames.game import Strategy
from rules.kit import KeyedLuck, Luck

pyspiel = pytest.importorskip("pyspiel")


class Undrawn(Exception):
    """A draw is wanted of so many that are alike."""

    def __init__(self, ways: int) -> None:
        super().__init__(ways)
        self.ways = ways


class Drawn:
    """Luck that hands out the draws it is given, counted from 0; raises `Undrawn` where they are used up."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = iter(draws)

    def below(self, ways: int) -> int:
        """Return the next draw; where there is but one way it is no draw."""
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


class Shuffled(Sequence[Any]):
    """A pack of which each card is drawn when it is looked at, from the top, so that the rest of it costs nothing."""

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
    """A game to be solved: how it begins, and what each seat has won once it is over (None while it is not)."""

    rules: Any
    seats: int
    begin: Callable[[Luck], Any]
    scores: Callable[[Any], Sequence[float] | None]
    allows: Callable[[Any], bool] = lambda _: True
    """Which legal moves may be made; any, unless several come to the same."""
    longest: int = 1000
    """A bound on the number of moves and draws."""


Memory = tuple[Any, ...]
"""What a seat has seen and done: pairs of a view and the place of the move that it made then."""


@attrs.frozen(slots=False, eq=False)
class Node:
    """A place in the game: a state, or a move that wants more draws."""

    variant: Variant
    state: Any
    memories: tuple[Memory, ...]
    making: Callable[[Luck], Any] | None = None
    draws: tuple[int, ...] = ()
    ways: int = 0
    """How many draws are alike; 0 where a seat is to move, or nobody."""

    def __deepcopy__(self, memo: Any) -> Node:
        return self

    @cached_property
    def scores(self) -> Sequence[float] | None:
        return None if self.ways else self.variant.scores(self.state)

    @cached_property
    def seat(self) -> int:
        """Who is to move."""
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
        """What the seat to move goes by: all that it has seen and done, and what it sees now."""
        return (*self.memories[self.seat], self.view)

    def child(self, action: int) -> Node:
        """Return what follows when the seat makes the move of that place, or that draw is drawn."""
        if self.ways:
            return made(self.variant, self.state, self.memories, self.making, (*self.draws, action))
        seat, move, memories = self.seat, self.moves[action], list(self.memories)
        memories[seat] = (*memories[seat], self.view, action)

        def making(luck: Luck) -> Any:
            return self.variant.rules.apply(self.state, seat, move, luck).state

        return made(self.variant, self.state, tuple(memories), making)


def made(variant: Variant, state: Any, memories: Any, making: Any, draws: tuple[int, ...] = ()) -> Node:
    """Return the node after a move, or the one at which it wants another draw."""
    try:
        return Node(variant, making(Drawn(draws)), memories)
    except Undrawn as wanted:
        return Node(variant, state, memories, making, draws, wanted.ways)


def root(variant: Variant) -> Node:
    """Return where a game begins."""
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
    """What OpenSpiel asks for besides: all that a seat knows, in words."""

    tensor = None
    dict: ClassVar = {}

    def set_from(self, state: Any, player: int) -> None:
        """Say nothing in numbers."""

    def string_from(self, state: Any, player: int) -> str:
        return state.information_state_string(player)


class Position(pyspiel.State):
    """A node as a state that OpenSpiel knows its way in."""

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
    """A variant written out, which OpenSpiel walks without asking us; `asked` is a node for each thing to know."""

    game: Any
    asked: dict[str, Node]


def written(variant: Variant) -> Tree:
    """Return the whole tree of a variant (in Gambit's format)."""
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
"""Of draws with more ways than that, so many evenly spaced ones stand for all."""


def mixed(strategy: Strategy, node: Node) -> Counter[Any]:
    """Return how often a house player makes each move: its small draws are followed every way, so that it is exact."""
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
    """Return how often it does by its own account, for one that draws too much to follow it."""
    lucks = (KeyedLuck(b"asked %d" % number) for number in range(tries))
    return Counter(strategy(node.view, node.moves, luck) for luck in lucks)


def policy(tree: Tree, strategy: Strategy, asks: Callable[[Strategy, Node], Counter[Any]] = mixed) -> Any:
    """Return what a house player does at every place of a tree, for OpenSpiel."""
    table = {}
    for name, node in tree.asked.items():
        shares = asks(strategy, node)
        table[name] = [(action, shares[move] / shares.total()) for action, move in enumerate(node.moves)]
    return pyspiel.TabularPolicy(table)


def solved(tree: Tree, rounds: int) -> Any:
    """Return the policy that CFR+ comes to."""
    solver = pyspiel.CFRPlusSolver(tree.game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    return solver.tabular_average_policy()


def values(tree: Tree, played: Any) -> list[float]:
    """Return what each seat wins where all play by that policy."""
    by_its_name, whole = True, -1
    return pyspiel.expected_returns(tree.game.new_initial_state(), played, whole, by_its_name)


def gains(tree: Tree, played: Any) -> list[float]:
    """Return what each seat would win more than it does if it alone knew the policy that all play by."""
    start = tree.game.new_initial_state()
    best = (pyspiel.TabularBestResponse(tree.game, seat, played) for seat in range(tree.game.num_players()))
    return [one.value_from_state(start) - value for one, value in zip(best, values(tree, played), strict=True)]
