"""Tools for authors of games: `check_game` tests a game's contract; `play` and `position` give positions.

def test_pig_keeps_its_promises():
    check_game(GAME, hide=hide, bound=500)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from lilygames.game import Game, Strategy
from lilygames.gametest.bots import BOTS
from lilygames.gametest.plays import Broken, Check, Hide, Spot, Turn, luck_of
from lilygames.gametest.promises import PROMISES, TOGETHER
from lilygames.gametest.turns import TURNS
from lilygames.gametest.wording import WORDS
from lilygames_rules.kit import Luck, Refused

__all__ = ["Broken", "Check", "Hide", "Spot", "Turn", "at_random", "check_game", "luck_of", "play", "position"]


def check_game(
    game: Game,
    *,
    hide: Hide | None,
    bound: int,
    options: Sequence[Any] = (),
    sizes: Sequence[int] | None = None,
    deals: int = 2,
    purses: Sequence[int] = (),
    rare: Collection[type] = (),
    zero_sum: bool = False,
) -> None:
    """Play the game at random and check everything in `lilygames.gametest.promises`. Raises `Broken`.

    `hide(state, seat, luck)` returns a state that differs only in what `seat` (None: a spectator) can't know; None if
    nothing is hidden. Write it from the rules, never with `view` or `sample`. A play may take at most `bound` moves.
    Each of `options` (default: the game's own) is played with `sizes` seats (the fewest, the usual, the most). It is
    played `deals` times each, except for sizes that it refuses. `purses` are what seats bring; small tables use the
    first ones. `rare` are event classes that such plays may miss.
    """
    usual = sorted({game.rules.SEATS[0], game.quick, game.rules.SEATS[-1]})
    checks = [
        Check(
            game=game,
            options=chosen,
            seats=seats,
            seed=seed,
            purses=tuple(purses[:seats]),
            turns=_played(game, seats, chosen, seed, purses[:seats], bound=bound),
            hide=hide,
            zero_sum=zero_sum,
        )
        for chosen in options or (game.rules.Options(),)
        for seats in _fitting(game, chosen, sizes or usual, purses)
        for seed in range(deals)
    ]
    for check in checks:
        for promise in (*WORDS, *PROMISES, *TURNS, *BOTS):
            _hold(promise.__name__, _place(game, check.seats, check.seed, check.options), promise, check)
    for promise_of_all in TOGETHER:
        _hold(promise_of_all.__name__, f"all {len(checks)} plays of {game.name}", promise_of_all, checks, rare)


def _fitting(game: Game, options: Any, sizes: Sequence[int], purses: Sequence[int]) -> list[int]:
    fitting = [seats for seats in sizes if _starts(game, options, seats, purses)]
    if not fitting:
        raise Broken("options_can_be_played", f"{options} are refused with {', '.join(map(str, sizes))} seats")
    return fitting


def _starts(game: Game, options: Any, seats: int, purses: Sequence[int]) -> bool:
    try:
        game.rules.start(seats, options, purses[:seats], luck_of(0, 0))
    except Refused:
        return False
    return True


def _played(game: Game, seats: int, options: Any, seed: int, purses: Sequence[int], *, bound: int) -> tuple[Turn, ...]:
    try:
        return tuple(play(game, seats, options, seed, purses=purses, bound=bound))
    except Broken:
        raise
    except Exception as error:
        raise Broken("play_ends", f"{type(error).__name__}: {error} [{_place(game, seats, seed, options)}]") from error


def _place(game: Game, seats: int, seed: int, options: Any) -> str:
    return f"{game.name}, {seats} seats, seed {seed}, {options}"


def _hold(name: str, place: str, promise: Callable[..., Iterator[str]], *about: Any) -> None:
    try:
        happened = next(promise(*about), "")
    except Exception as error:
        raise Broken(name, f"{type(error).__name__}: {error} [{place}]") from error
    if happened:
        raise Broken(name, f"{happened} [{place}]")


def at_random(view: Any, moves: Sequence[Any], luck: Luck) -> Any:  # noqa: ARG001 - a strategy that looks at nothing
    """Return a random move, each with the same chance: the simplest strategy."""
    return luck.choice(moves)


def play(
    game: Game,
    seats: int,
    options: Any = None,
    seed: int = 0,
    choose: Strategy = at_random,
    *,
    purses: Sequence[int] = (),
    bound: int = 10_000,
) -> list[Turn]:
    """Return a whole play. Each turn is `(state, seat, move, events)` with the state after it; the first is the start.

    `choose` makes every seat's moves. If several seats may move, luck decides who does. `seed` determines everything.
    Raises `Broken` if a chosen move is refused, or if the game isn't over after `bound` moves.
    """
    rules = game.rules
    options = options or rules.Options()
    step = rules.start(seats, options, purses, luck_of(seed, 0))
    turns = [Turn(step.state, None, None, step.events)]
    while ready := [seat for seat in range(seats) if len(rules.moves(step.state, seat))]:
        if len(turns) > bound:
            raise Broken(
                "play_ends", f"not over after {bound} moves [{game.name}, {seats} seats, seed {seed}, {options}]"
            )
        chance = luck_of(seed, len(turns), "choose")
        seat = chance.choice(ready)
        move = choose(rules.view(step.state, seat), rules.moves(step.state, seat), chance)
        try:
            step = rules.apply(step.state, seat, move, luck_of(seed, len(turns)))
        except Refused as refused:
            where = f"after {len(turns) - 1} moves, seat {seat} [{_place(game, seats, seed, options)}]"
            raise Broken("listed_moves_are_accepted", f"{move} is refused ({refused.code}) {where}") from refused
        turns.append(Turn(step.state, seat, move, step.events))
    return turns


def position(
    game: Game, seats: int, wanted: Callable[[Any], bool], options: Any = None, *, purses: Sequence[int] = ()
) -> Any:
    """Return the first `wanted` state in random plays, for positions that take long to reach by hand.

    Raises `LookupError` if there is none in a hundred plays.
    """
    for seed in range(100):
        for turn in play(game, seats, options, seed, purses=purses):
            if wanted(turn.state):
                return turn.state
    raise LookupError(f"no such position in a hundred plays of {game.name} with {seats} seats")
