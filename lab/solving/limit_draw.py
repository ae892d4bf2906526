"""CFR+ for two-player limit five-card draw whose players tell only groups of hands apart.

Each round goes through the whole game: the betting before the draw, both draws, and the betting after them. The cards
of one player tell nothing about those of the other, which is nearly true. Regrets never fall below 0, and the strategy
of round t weighs t (Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014). Both players make any move
with a small probability, so that the answers to moves that a good player never makes are sensible, too.

Arrays have a row for each situation that both players know, and a column for each group.
"""

from __future__ import annotations

import random

import attrs
import numpy as np

from lilygames.games.lilypoker.solved.draw_groups import (
    GROUPS,
    PAT,
    STRENGTHS,
    choices,
    discarded,
    drawn,
    group_after,
    group_before,
)
from lilygames.games.lilypoker.solved.draw_solution import DECISIONS, DRAWS, ENDS, LATER
from lilygames.games.lilypoker.views.lines import CALL, FOLD, RAISE, after_raise, by_second, may
from lilygames_rules.cards import DECK
from lilygames_rules.poker import hands

Array = np.ndarray
CHOICES = 3
"""Choices of a decision at most, in a betting round and in a draw."""
ANTE, BEFORE, AFTER = 0.5, 1.0, 2.0
"""The ante, and a bet before and after the draw, in small bets."""
TREMBLE = 0.01
NOTHING = 1e-12
PAIRS = tuple((usual, choice) for usual in range(DRAWS) for choice in choices(usual))
"""Each choice of a draw, by how many cards the hand usually discards."""


@attrs.frozen(eq=False)
class Cards:
    """How often each group is dealt, and by group and choice how often each group follows it."""

    dealt: Array
    after: Array


def sampled(seed: int, number: int, draws: int) -> Cards:
    """Sample that many hands, and so many draws for each choice of a hand."""
    rng = random.Random(seed)  # noqa: S311 - the same seed gives the same table
    dealt, after = np.zeros(GROUPS), np.zeros((CHOICES, GROUPS, STRENGTHS))
    for _ in range(number):
        hand = tuple(rng.sample(DECK, hands.FIVE))
        group = group_before(hand)
        dealt[group] += 1
        stock = [card for card in DECK if card not in hand]
        for choice in choices(group // STRENGTHS):
            kept = [card for card in hand if card not in discarded(hand, choice)]
            for _ in range(draws if choice != PAT else 1):
                final = hands.strength([*kept, *rng.sample(stock, hands.FIVE - len(kept))])
                after[choice, group, group_after(final)] += 1
    total = after.sum(2, keepdims=True)
    return Cards(dealt / number, after / np.maximum(total, 1))


class Mixing:
    """The sums of regrets and strategies of some decisions: by place, choice, row and group."""

    def __init__(self, allowed: Array, rows: int, groups: int) -> None:
        shape = (*allowed.shape[:2], rows, groups)
        self.allowed = np.broadcast_to(allowed[:, :, None, :], shape)
        self.rows = rows
        self.regrets, self.told = np.zeros(shape), np.zeros(shape)

    def now(self, place: int) -> Array:
        """Return the present strategy by choice, row and group."""
        return _shares(self.regrets[place], self.allowed[place])

    def played(self, place: int) -> Array:
        """Return the present strategy with all choices now and then."""
        allowed = self.allowed[place]
        return (1 - TREMBLE) * self.now(place) + TREMBLE * allowed / allowed.sum(0)

    def mean(self, place: int) -> Array:
        """Return the mean strategy; the present one where it never came up."""
        told = self.told[place]
        total = told.sum(0)
        return np.where(total > 0, told / np.where(total > 0, total, 1), self.now(place))

    def learn(self, place: int, worth: Array, value: Array) -> None:
        """Add the regrets of not having made each choice; `value` is that of the strategy."""
        gain = (worth - value) * self.allowed[place]
        self.regrets[place] = np.maximum(self.regrets[place] + gain, 0)


def _shares(regrets: Array, allowed: Array) -> Array:
    positive = np.maximum(regrets, NOTHING) * allowed
    return positive / positive.sum(0)


BETS = np.array([[may(LATER, one, choice) for choice in range(CHOICES)] for one in range(DECISIONS)], float)[..., None]
"""Which choices each decision of a betting round has."""
OPEN = np.array([[choice in choices(group // STRENGTHS) for group in range(GROUPS)] for choice in range(CHOICES)])
"""Which choices each group has in the draw."""


class Strategies:
    """The strategies of both players: of the betting, of the first player's draw and of the second player's."""

    def __init__(self) -> None:
        opened = OPEN.astype(float)[None]
        self.before = Mixing(BETS, 1, GROUPS)
        self.draws = (Mixing(opened, ENDS, GROUPS), Mixing(opened, ENDS * DRAWS, GROUPS))
        self.after = Mixing(BETS, ENDS * DRAWS * DRAWS, STRENGTHS)


def paid(decision: int, bet: float) -> float:
    """Return what the player to decide has paid in a betting round."""
    return max(0, decision // 2 - 1) * bet


def paid_at(end: int, bet: float) -> float:
    """Return what each player has paid in a betting round that ended like this."""
    return (end + 1) // 2 * bet


PAID_BEFORE = np.array([ANTE + paid_at(end, BEFORE) for end in range(ENDS)])
"""Chips of each player in the pot before the draw, in small bets, by the end of the betting."""


@attrs.frozen(eq=False)
class Reach:
    """How often the player's hands and the other player's get somewhere, by row and group."""

    own: Array
    other: Array


class _Pass:
    """Goes through the game for one player, the first (0) or the second (1) to act, and values their hands."""

    def __init__(self, cards: Cards, strategies: Strategies, player: int) -> None:
        self._cards, self._strategies, self._player = cards, strategies, player

    def shares(self, mixing: Mixing, place: int) -> Array:
        """Return how often the choices of a decision are made."""
        raise NotImplementedError

    def reached(self, mixing: Mixing, place: int, own: Array) -> None:
        """Note how often the player's own choices lead to a decision of theirs."""

    def settled(self, mixing: Mixing, place: int, worth: Array) -> Array:
        """Return the value of a decision of the player, from those of its choices."""
        raise NotImplementedError

    def value(self) -> float:
        """Return what the player wins in a hand, in small bets."""
        start = self._cards.dealt[None]
        after = _Betting(self, self._strategies.before, np.array([ANTE]), BEFORE)
        ended = after.walked(Reach(np.ones_like(start), start))
        return float((after.valued(self._drawn(ended)) * start).sum())

    def learns(self, decision: int) -> bool:
        """Return whether the player makes a decision of a betting round."""
        return by_second(decision) == bool(self._player)

    def _drawn(self, reach: Reach) -> Array:
        """Return the values at the ends of the betting before the draw."""
        mine, theirs = self._strategies.draws[self._player], self._strategies.draws[1 - self._player]
        own = np.repeat(reach.own, mine.rows // ENDS, 0)
        other = np.repeat(reach.other, theirs.rows // ENDS, 0)
        self.reached(mine, 0, own)
        after = Reach(
            self._after(own * self._cards.dealt, self.shares(mine, 0), self._player),
            self._after(other, self.shares(theirs, 0), 1 - self._player),
        )
        betting = _Betting(self, self._strategies.after, np.repeat(PAID_BEFORE, DRAWS * DRAWS), AFTER)
        ended = betting.walked(after)
        paid = (betting.before[:, None] + [paid_at(end, AFTER) for end in range(ENDS)]).reshape(-1, 1)
        every = betting.valued(_won(ended.other) * paid).reshape(ENDS, DRAWS, DRAWS, STRENGTHS)
        values: Array = every.reshape(-1, DRAWS, STRENGTHS) if self._player else every.sum(2)
        worth = np.zeros((CHOICES, mine.rows, GROUPS))
        for usual, choice in PAIRS:
            block = slice(usual * STRENGTHS, (usual + 1) * STRENGTHS)
            worth[choice, :, block] = values[:, drawn(usual, choice)] @ self._cards.after[choice, block].T
        return self.settled(mine, 0, worth).reshape(ENDS, -1, GROUPS).sum(1)

    def _after(self, reach: Array, shares: Array, player: int) -> Array:
        """Return how often each group is there after the draw, by end, both players' draws, and group."""
        found = np.zeros((len(reach), DRAWS, STRENGTHS))
        for usual, choice in PAIRS:
            block = slice(usual * STRENGTHS, (usual + 1) * STRENGTHS)
            made = (reach * shares[choice])[:, block]
            found[:, drawn(usual, choice)] += made @ self._cards.after[choice, block]
        shape = (ENDS, DRAWS, DRAWS, STRENGTHS)
        whole = found.reshape(shape) if player else np.broadcast_to(found[:, :, None], shape)
        return whole.reshape(-1, STRENGTHS)


class _Betting:
    """A betting round: from how often hands begin it to how often they end it, and back with their values."""

    def __init__(self, player: _Pass, mixing: Mixing, before: Array, bet: float) -> None:
        self._player, self._mixing, self._bet = player, mixing, bet
        self.before = before
        self._shares = [player.shares(mixing, one) for one in range(DECISIONS)]
        self._gone = dict[int, Array]()

    def walked(self, reach: Reach) -> Reach:
        """Return how often hands get to the ends, by row, end and group."""
        there = {0: reach}
        shape = (len(reach.own), ENDS, reach.own.shape[1])
        own, other = np.empty(shape), np.empty(shape)
        for one, shares in enumerate(self._shares):
            now, mine = there[one], self._player.learns(one)
            if mine:
                self._player.reached(self._mixing, one, now.own)
            for choice in _choices(one):
                made = shares[choice]
                after = Reach(now.own * made, now.other) if mine else Reach(now.own, now.other * made)
                if choice == FOLD:
                    self._gone[one] = after.other.sum(1, keepdims=True)
                elif choice == RAISE or one == 0:
                    there[_next(one, choice)] = after
                else:
                    own[:, one - 1], other[:, one - 1] = after.own, after.other
        return Reach(own.reshape(-1, shape[2]), other.reshape(-1, shape[2]))

    def valued(self, after: Array) -> Array:
        """Return the values at the start of the round, from those at its ends."""
        found, ended = dict[int, Array](), after.reshape(len(self.before), ENDS, -1)
        for one in reversed(range(DECISIONS)):
            mine, worth = self._player.learns(one), np.zeros((CHOICES, len(ended), ended.shape[2]))
            for choice in _choices(one):
                if choice == FOLD:
                    lost = self.before[:, None] + paid(one, self._bet)
                    worth[choice] = (-lost if mine else lost) * self._gone[one]
                else:
                    onward = choice == RAISE or one == 0
                    worth[choice] = found[_next(one, choice)] if onward else ended[:, one - 1]
            found[one] = self._player.settled(self._mixing, one, worth) if mine else worth.sum(0)
        return found[0]


def _choices(decision: int) -> list[int]:
    return [choice for choice in (FOLD, CALL, RAISE) if BETS[decision, choice, 0]]


def _next(decision: int, choice: int) -> int:
    """Return the decision after a bet or raise, or after the first check."""
    return after_raise(decision) if choice == RAISE else 1


def _won(other: Array) -> Array:
    """Return how often the other player has a worse hand, less how often a better one."""
    upto = np.cumsum(other, 1)
    return (upto - other) - (upto[:, -1:] - upto)


class Learning(_Pass):
    """A round in which one player learns."""

    def __init__(self, cards: Cards, strategies: Strategies, player: int, weight: int) -> None:
        super().__init__(cards, strategies, player)
        self._weight = weight

    def shares(self, mixing: Mixing, place: int) -> Array:
        """Return the present strategy, with all choices now and then."""
        return mixing.played(place)

    def reached(self, mixing: Mixing, place: int, own: Array) -> None:
        """Add to the mean strategy."""
        mixing.told[place] += self._weight * own * mixing.now(place)

    def settled(self, mixing: Mixing, place: int, worth: Array) -> Array:
        """Add to the regrets; return the value of the present strategy."""
        value: Array = (mixing.played(place) * worth).sum(0)
        mixing.learn(place, worth, value)
        return value


class BestResponse(_Pass):
    """The play of someone who knows the other player's mean strategy."""

    def shares(self, mixing: Mixing, place: int) -> Array:
        """Return the mean strategy."""
        return mixing.mean(place)

    def settled(self, mixing: Mixing, place: int, worth: Array) -> Array:
        """Return the value of the best choice."""
        found: Array = np.where(mixing.allowed[place] > 0, worth, -np.inf).max(0)
        return found


def learn(cards: Cards, strategies: Strategies, number: int) -> None:
    """Let both players learn, one after the other, in the round with this number."""
    for player in range(2):
        Learning(cards, strategies, player, number).value()


def exploitable(cards: Cards, strategies: Strategies) -> float:
    """Return what best responses win on average from both seats, in small bets a hand."""
    return sum(BestResponse(cards, strategies, player).value() for player in range(2)) / 2
