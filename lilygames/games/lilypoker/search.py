"""Search for poker: simulate each option on the same deals, to the showdown."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from operator import sub
from typing import Any

from lilygames.game import Budget
from lilygames.games.lilypoker import holes
from lilygames.games.lilypoker.chips import CALL, FOLD, OWN, RAISE, Chips
from lilygames.games.lilypoker.draw import value
from lilygames.games.lilypoker.worlds import World, draws, situation, stretched, worlds
from rules.kit import Seat
from rules.poker import hands
from rules.poker.bets import Bet, Fold, Raise
from rules.poker.cards import known
from rules.poker.deal import Deal, Discard
from rules.poker.table import STREETS, Options

_MOVES = 2
"""Moves other than bets and raises come first."""
_CLEARLY = 1.0
"""Standard errors by which an option must beat the usual one."""
_DRAWS = 2
"""Simulated deals for a draw, as a multiple of those for a bet."""


def best_move(
    options: Options, deal: Deal, seat: Seat, moves: Sequence[Any], usual: Any, *, rng: random.Random, budget: Budget
) -> Any:
    """Return the usual move, or one that is clearly better; the budget counts deals."""
    if deal.phase == "draw":
        return _best_draw(options, deal, seat, [*worlds(options, deal, seat, rng, _DRAWS * budget.iterations)])
    if deal.betting.bring_in:
        return usual
    tried = [*worlds(options, deal, seat, rng, budget.iterations)]
    course = _Course(options, deal, seat, situation(deal), _good(deal, seat, tried))
    found = _found(situation(deal), moves, usual)
    what, to = found[_clearly_best([course.worths(tried, what, to, rng) for what, to in found])]
    return moves[{CALL: 0, FOLD: 1}.get(what, _MOVES + to - (moves[_MOVES].to if len(moves) > _MOVES else 0))]


def _clearly_best(worths: Sequence[Sequence[float]]) -> int:
    """Return the index of the best option by its results per deal; the first is beaten only by a clearly better one."""
    number, best, ahead = len(worths[0]), 0, 0.0
    for place, row in enumerate(worths):
        gaps = list(map(sub, row, worths[0]))
        mean = sum(gaps) / number
        spread = math.sqrt(sum([(gap - mean) ** 2 for gap in gaps])) / number
        if mean - _CLEARLY * spread > ahead:
            best, ahead = place, mean - _CLEARLY * spread
    return best


def _found(now: Chips, moves: Sequence[Any], usual: Any) -> list[tuple[int, int]]:
    """Return the options to simulate, the usual one first: a call, a fold if there is something to call, some raises.

    A hand that is usually folded isn't raised: among many bluffs some look good by chance.
    """
    found = [(CALL, 0)]
    if max(now.bets) > now.bets[now.waiting[0]]:
        found.append((FOLD, 0))
    if len(moves) > _MOVES and not isinstance(usual, Fold):
        least, most = moves[_MOVES].to, moves[len(moves) - 1].to
        found += [(RAISE, to) for to in sorted({least, min(most, max(least, now.usual())), most})]
    first = (FOLD, 0) if isinstance(usual, Fold) else (RAISE, usual.to) if isinstance(usual, Bet | Raise) else (CALL, 0)
    return [first, *(one for one in found if one != first)]


def _good(deal: Deal, seat: Seat, tried: Sequence[World]) -> float:
    """Return the strength of the seat's hand."""
    if deal.variant == "draw":
        return tried[0].final[seat] if deal.street else value(known(deal.layout.hands[seat]))
    if deal.variant == "holdem" and not deal.layout.board:
        return holes.good(known(deal.layout.hands[seat]))
    return stretched(deal, seat, sum(world.final[seat] for world in tried) / len(tried))


class _Course:
    """The simulation of a hand for a seat."""

    def __init__(self, options: Options, deal: Deal, seat: Seat, now: Chips, good: float) -> None:
        self._seat = seat
        self._now = now
        self._good = good
        self._order = deal.betting.order
        self._later = [options.least(street) for street in STREETS[deal.variant][deal.street + 1 :]]

    def worths(self, tried: Sequence[World], what: int, to: int, rng: random.Random) -> list[float]:
        """Return the result of a move in chips, for each deal."""
        if what == FOLD:
            return [0.0] * len(tried)
        paid, found = self._now.paid[self._seat], []
        for number, world in enumerate(tried):
            rng.seed(number)
            now = self._now.copy()
            self._play(now, world, what, to, rng)
            found.append(self._share(now, world) - (now.paid[self._seat] - paid))
        return found

    def _play(self, now: Chips, world: World, what: int, to: int, rng: random.Random) -> None:
        tempers, good = {**world.tempers, self._seat: OWN}, {**world.now, self._seat: self._good}
        now.act(what, to)
        now.bet_on(good, tempers, rng)
        for number, least in enumerate(self._later, 1):
            if len(now.living) == 1:
                return
            part = number / len(self._later)
            now.street(self._order, least)
            now.bet_on({one: good[one] + part * (world.final[one] - good[one]) for one in now.living}, tempers, rng)

    def _share(self, now: Chips, world: World) -> float:
        """Return the seat's share of the pot."""
        if self._seat not in now.living:
            return 0.0
        best = max(world.strength[seat] for seat in now.living)
        winners = sum(world.strength[seat] == best for seat in now.living)
        return now.pot / winners if world.strength[self._seat] == best else 0.0


def showdown(options: Options, deal: Deal, seat: Seat, *, rng: random.Random, number: int) -> float:
    """Return the seat's average share of the pot at a showdown of all seats in, in deals that fit their play."""
    won = 0.0
    for world in worlds(options, deal, seat, rng, number):
        best = max(world.strength.values())
        winners = sum(strength == best for strength in world.strength.values())
        won += (world.strength[seat] == best) / winners
    return won / number


def _best_draw(options: Options, deal: Deal, seat: Seat, tried: Sequence[World]) -> Any:
    """Return the usual draw, or one that wins clearly more often; all are dealt the same cards from the same stock."""
    hand = hands.by_rank(known(deal.layout.hands[seat]))
    found = draws(hand, options.max_draw)
    kept = [[card for card in hand if card not in away] for away in found]
    worths = [[_wins(world, seat, [*one, *world.stock[: len(hand) - len(one)]]) for world in tried] for one in kept]
    return Discard(found[_clearly_best(worths)])


def _wins(world: World, seat: Seat, cards: Sequence[Any]) -> float:
    strength = hands.strength(cards)
    return float(all(strength > other for one, other in world.strength.items() if one != seat))
