"""The search of house players for Liar's Lair: each move is tried in the same deals, up to the end of the round."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Budget
from lilygames.games.liarslair.prospect import Going, prospect
from lilygames.games.liarslair.worlds import Ledger, World, imagined, ledger
from rules.kit import Luck, Seat
from rules.lair.moves import Declare, Expose, Pass, Play, Reclaim, Take
from rules.lair.table import Match, View

_DARES = 0.5
"""How often somebody exposes a card against a declarer without knowing whether it is true."""


@attrs.frozen(eq=False)
class Place:
    """Where a seat has to move: what everybody knows, what it knows itself, who lives, and chance."""

    match: Match
    here: Ledger
    living: tuple[Seat, ...]
    rng: random.Random

    def going(self, world: World) -> Going:
        """Return the round in a world, to go on with."""
        return Going(world.copy(), self.living, dict(self.here.played), self.rng)

    def prospect(self, going: Going) -> float:
        """Return how likely the seat wins from there."""
        return prospect(going.world, self.here.me, going.living)


def best_move(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, reads: bool) -> Any:
    """Return the move that wins most often; the budget is counted in tries, `reads` says whether it reads people.

    What a departing player leaves to others is all the same to it.
    """
    wins = chances(view, moves, luck, budget, reads=reads)
    return moves[max(range(len(moves)), key=wins.__getitem__)] if wins else moves[0]


def chances(view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, reads: bool) -> list[float]:
    """Return how likely the seat wins with each move; nothing where none is tried."""
    try_out = _TRIES.get(type(moves[-1]))
    if try_out is None:
        return []
    rng = random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    place = Place(view.match, ledger(view, reads=reads), view.match.living(), rng)
    worlds = [imagined(place.here, rng) for _ in range(max(1, budget.iterations // len(moves)))]
    return [sum([try_out(place, world, move) for world in worlds]) / len(worlds) for move in moves]


def _playing(place: Place, world: World, move: Play) -> float:
    """Return how likely the seat wins that plays a card; there is no need to look on once it is out."""
    going = place.going(world)
    victors = (*place.match.round.victors, *going.play(place.here.me, place.here.numbers[move.card]))
    if place.here.me in going.living:
        going.play_on(place.match.phase.waiting[1:], victors)
    return place.prospect(going)


def _taking(place: Place, world: World, move: Take) -> float:
    """Return how likely the seat wins that takes a card of the hand of whom it has knocked out."""
    phase: Any = place.match.phase
    going = place.going(world.without(phase.victim))
    going.world.places[place.here.numbers[move.card]] = place.here.me
    going.play_on(phase.after, place.match.round.victors)
    return place.prospect(going)


def _reclaiming(place: Place, world: World, move: Reclaim) -> float:
    """Return how likely the seat wins that takes a card from the table."""
    going = place.going(world)
    going.world.places[place.here.numbers[move.card]] = place.here.me
    going.reclaim(place.match.phase.waiting[1:])
    return place.prospect(going)


def _declaring(place: Place, world: World, move: Pass | Declare) -> float:
    """Return how likely the seat wins that declares itself honest, or that does not declare.

    The other ways to declare are for who is sure of them, and not tried.
    """
    me = place.here.me
    if isinstance(move, Pass):
        return prospect(world, me, place.living)
    return _stands(world, me, place.living) if move.way == "honest" else 0.0


def _proving(place: Place, world: World, move: Pass | Expose) -> float:
    """Return how likely the seat wins that exposes a card or none: it does only if the declarer is proven a liar."""
    phase: Any = place.match.phase
    declarer = phase.declared[0][0]
    if isinstance(move, Pass):
        proven = 1 - _stands(world, declarer, phase.waiting[1:])
    else:
        number = place.here.numbers[move.card]
        proven = float(world.truths[number] and world.places[number ^ 1] == declarer)
    others = [seat for seat in place.living if seat != declarer]
    return proven * prospect(world.without(declarer), place.here.me, others)


def _stands(world: World, declarer: Seat, asked: Sequence[Seat]) -> float:
    """Return how likely nobody who is asked proves the declarer a liar; with both cards of a pair it falls at once."""
    chance = 1.0
    for number in world.at(declarer):
        holder = world.places[number ^ 1]
        if holder == declarer:
            return 0.0
        if holder in asked and not world.truths[number]:
            chance *= 0.0 if world.knowing(holder, number) else 1 - _DARES
    return chance


_TRIES: Mapping[type, Callable[[Place, World, Any], float]] = {
    Play: _playing,
    Take: _taking,
    Reclaim: _reclaiming,
    Declare: _declaring,
    Expose: _proving,
}
"""How a move is tried out, by what it is to be chosen from (a pass comes first)."""
