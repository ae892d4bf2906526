"""Search for poker: simulate each option on the same deals, to the showdown."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from operator import sub
from typing import Any

import attrs

from lilygames.game import Budget
from lilygames.games.lilypoker.bots.habits import Opponents, tempers
from lilygames.games.lilypoker.bots.worlds import World, draws, situation, stretched, worlds
from lilygames.games.lilypoker.solved import holes
from lilygames.games.lilypoker.views.chips import CALL, FOLD, OWN, RAISE, Chips
from lilygames.games.lilypoker.views.draw import value
from lilygames_rules.kit import Seat
from lilygames_rules.poker import hands
from lilygames_rules.poker.bets import Bet, Fold, Raise
from lilygames_rules.poker.cards import known
from lilygames_rules.poker.deal import Deal, Discard
from lilygames_rules.poker.table import STREETS, Options

_MOVES = 2
"""Moves other than bets and raises come first."""
_CLEARLY = 1.0
"""Standard errors by which an option must beat the usual one."""
_SURELY = 2.0
"""Standard errors by which an option must beat the move made to count as better."""
_FULL = 4
"""Up to this many players, a bet is simulated in as many deals as the budget has. With more, a deal takes longer."""
_DRAWS = 4 / 3
"""Simulated deals for a draw of two players, as a multiple of those for a bet."""


def deals_for(deal: Deal, budget: Budget) -> int:
    """Return the number of simulated deals that takes at most 50 ms for a budget of 120, from the players still in."""
    living = len(deal.betting.living)
    if deal.phase == "draw":
        return max(1, int(_DRAWS * budget.iterations * 2 / living))
    return max(1, budget.iterations * _FULL // max(_FULL, living))


def best_move(
    options: Options, deal: Deal, seat: Seat, moves: Sequence[Any], usual: Any,
    *, opponents: Opponents, rng: random.Random, deals: int,
) -> Any:  # fmt: skip
    """Return the usual move, or one that is clearly better in that many simulated deals of such opponents."""
    if deal.phase == "draw":
        found = _tried_draws(options, deal, seat, opponents=opponents, rng=rng, deals=deals)
    elif deal.betting.bring_in:
        return usual
    else:
        found = _tried_bets(options, deal, seat, moves, usual, opponents=opponents, rng=rng, deals=deals)
    return found[_clearly_best([row for _, row in found])][0]


@attrs.frozen
class Compared:
    """The best move and the one made: how much better it is, and the results of each on average."""

    move: Any
    ahead: float
    """Average difference, in chips or in shares of the showdowns won; 0 if it may be chance."""
    best: float
    made: float


def compared(
    options: Options, deal: Deal, seat: Seat, moves: Sequence[Any], usual: Any,
    *, made: Any, rng: random.Random, deals: int,
) -> Compared:  # fmt: skip
    """Compare a move with the best one on the same deals: a draw by the showdowns it wins, a bet by the chips."""
    if deal.phase == "draw":
        found = _tried_draws(options, deal, seat, made, opponents=Opponents(tempers(deal)), rng=rng, deals=deals)
    else:
        found = _tried_bets(
            options, deal, seat, moves, usual, made, opponents=Opponents(tempers(deal)), rng=rng, deals=deals
        )
    *others, (_, row) = found
    move, best = others[_clearly_best([results for _, results in others])]
    ahead, spread = _gap(best, row)
    sure = ahead > _SURELY * spread
    return Compared(move, ahead if sure else 0.0, sum(best) / len(best), sum(row) / len(row))


def _tried_bets(
    options: Options, deal: Deal, seat: Seat, moves: Sequence[Any], usual: Any, *made: Any,
    opponents: Opponents, rng: random.Random, deals: int,
) -> list[tuple[Any, Sequence[float]]]:  # fmt: skip
    """Return the moves to try, the usual one first and the move made last, with their results in chips."""
    tried = [*worlds(options, deal, seat, rng, deals, opponents=opponents)]
    course = _Course(options, deal, seat, situation(deal), _good(deal, seat, tried))
    found = [*_found(situation(deal), moves, usual), *map(_option, made)]
    least = moves[_MOVES].to if len(moves) > _MOVES else 0
    return [
        (moves[{CALL: 0, FOLD: 1}.get(what, _MOVES + to - least)], course.worths(tried, what, to, rng))
        for what, to in found
    ]


def _option(move: Any) -> tuple[int, int]:
    """Return a move as an option to simulate."""
    return (FOLD, 0) if isinstance(move, Fold) else (RAISE, move.to) if isinstance(move, Bet | Raise) else (CALL, 0)


def _gap(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Return the average difference of two rows of results, and its standard error."""
    gaps = list(map(sub, one, other))
    mean = sum(gaps) / len(gaps)
    return mean, math.sqrt(sum([(gap - mean) ** 2 for gap in gaps])) / len(gaps)


def _clearly_best(worths: Sequence[Sequence[float]]) -> int:
    """Return the index of the best option by its results per deal; the first is beaten only by a clearly better one."""
    best, ahead = 0, 0.0
    for place, row in enumerate(worths):
        mean, spread = _gap(row, worths[0])
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
    first = _option(usual)
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
    for world in worlds(options, deal, seat, rng, number, opponents=Opponents(tempers(deal))):
        best = max(world.strength.values())
        winners = sum(strength == best for strength in world.strength.values())
        won += (world.strength[seat] == best) / winners
    return won / number


def _tried_draws(
    options: Options, deal: Deal, seat: Seat, *made: Discard, opponents: Opponents, rng: random.Random, deals: int
) -> list[tuple[Any, Sequence[float]]]:
    """Return the usual draw and others, the draw made last, with the showdowns won.

    All are dealt the same cards from the same stock.
    """
    tried = [*worlds(options, deal, seat, rng, deals, opponents=opponents)]
    hand = hands.by_rank(known(deal.layout.hands[seat]))
    found = [*draws(hand, options.max_draw), *(one.cards for one in made)]
    kept = [[card for card in hand if card not in away] for away in found]
    worths = [[_wins(world, seat, [*one, *world.stock[: len(hand) - len(one)]]) for world in tried] for one in kept]
    return [(Discard(away), row) for away, row in zip(found, worths, strict=True)]


def _wins(world: World, seat: Seat, cards: Sequence[Any]) -> float:
    strength = hands.strength(cards)
    return float(all(strength > other for one, other in world.strength.items() if one != seat))
