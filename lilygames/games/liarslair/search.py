"""Search for Liar's Lair: simulate each move on the same possible deals up to the end of the round."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from lilygames.game import Budget, Memory
from lilygames.games.liarslair.prospect import Going, prospect
from lilygames.games.liarslair.worlds import Ledger, World, imagined, ledger
from lilygames_rules.kit import Luck, Seat
from lilygames_rules.lair.moves import Declare, Expose, Pass, Play, Reclaim, Take
from lilygames_rules.lair.table import Match, View

_DARES = 0.5
"""Probability that a seat exposes a card without knowing whether it is true."""


@attrs.frozen(eq=False)
class Place:
    """A decision: the public facts, the seat's own knowledge, the living seats, and luck."""

    match: Match
    here: Ledger
    living: tuple[Seat, ...]
    rng: random.Random

    def going(self, world: World) -> Going:
        """Return the round in a world, ready to simulate."""
        return Going(world.copy(), self.living, dict(self.here.played), self.rng)

    def prospect(self, going: Going) -> float:
        """Return the seat's probability of winning from there."""
        return prospect(going.world, self.here.me, going.living)


def best_move(
    view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, reads: bool, memory: Memory | None = None
) -> Any:
    """Return the move that wins most often; the budget counts simulations, `reads` turns inference from play on.

    The card a knocked-out player leaves to others doesn't matter and is chosen at random.
    """
    wins = chances(view, moves, luck, budget, reads=reads, memory=memory)
    return moves[max(range(len(moves)), key=wins.__getitem__)] if wins else moves[0]


def chances(
    view: View, moves: Sequence[Any], luck: Luck, budget: Budget, *, reads: bool, memory: Memory | None = None
) -> list[float]:
    """Return the seat's probability of winning with each move; empty if there is nothing to try."""
    try_out = _TRIES.get(type(moves[-1]))
    if try_out is None:
        return []
    rng = random.Random(luck.roll(2**62))  # noqa: S311 - seeded by its own luck
    place = Place(view.match, ledger(view, reads=reads, memory=memory), view.match.living(), rng)
    worlds = [imagined(place.here, rng) for _ in range(max(1, budget.iterations // len(moves)))]
    return [sum([try_out(place, world, move) for world in worlds]) / len(worlds) for move in moves]


def _playing(place: Place, world: World, move: Play) -> float:
    """Return the probability of winning after playing a card; stop if the seat is knocked out."""
    going = place.going(world)
    victors = (*place.match.round.victors, *going.play(place.here.me, place.here.numbers[move.card]))
    if place.here.me in going.living:
        going.play_on(place.match.phase.waiting[1:], victors)
    return place.prospect(going)


def _taking(place: Place, world: World, move: Take) -> float:
    """Return the probability of winning after taking a card from the knocked-out hand."""
    phase: Any = place.match.phase
    going = place.going(world.without(phase.victim))
    going.world.places[place.here.numbers[move.card]] = place.here.me
    going.play_on(phase.after, place.match.round.victors)
    return place.prospect(going)


def _reclaiming(place: Place, world: World, move: Reclaim) -> float:
    """Return the probability of winning after reclaiming a card."""
    going = place.going(world)
    going.world.places[place.here.numbers[move.card]] = place.here.me
    going.reclaim(place.match.phase.waiting[1:])
    return place.prospect(going)


def _declaring(place: Place, world: World, move: Pass | Declare) -> float:
    """Return the probability of winning after declaring, or not declaring.

    Special declarations are made only when they are certain, and aren't simulated.
    """
    me = place.here.me
    if isinstance(move, Pass):
        return prospect(world, me, place.living)
    return _stands(world, me, place.living) if move.way == "honest" else 0.0


def _proving(place: Place, world: World, move: Pass | Expose) -> float:
    """Return the probability of winning after exposing a card or none; the seat needs the declarer proven a liar."""
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
    """Return the probability that nobody proves the declarer a liar; with both cards of a pair it is 0."""
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
"""The simulation for each kind of move."""
