"""The solver of two players' fixed-limit hold'em, compared with a plain walk through its tree."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import pytest

from lilygames.games.lilypoker.solved.solution import MIXES, STEPS, Solution, learned
from lilygames.games.lilypoker.views.lines import CALL, FOLD, RAISE, after_raise, by_second, ends, may
from lilygames_rules.poker import hands
from tests.house.small import small

np = pytest.importorskip("numpy", reason="scripts/setup oracles installs numpy")
from lab.solving.holdem_deals import CARDS, HOLES, cut, deals, grouped, sampled, strengths  # noqa: E402 - needs numpy
from lab.solving.limit_holdem import BETS, TREMBLE, Dealt, Solver, dealt, nearest, places  # noqa: E402

GROUPS, RIVER = (4, 4, 4), 3
STRENGTH = np.array([[2, 5, 5]])
HANDS = Dealt(
    [np.array(row)[None] for row in ([5, 5, 9], [0, 1, 1], [2, 1, 3], [3, 3, 0])],
    *places(STRENGTH),
)
"""Three hands on a board, of which two tie, and their groups by street."""


class Spot(NamedTuple):
    """A decision in the tree, what each player has paid before its street, and how often the other player gets here."""

    street: int = 0
    line: int = 0
    decision: int = 0
    paid: float = 1.0
    often: float = 1.0


class Walk:
    """The regrets of one player, from each pair of hands and each decision by itself."""

    def __init__(self, solver, *, dealer):
        self.regrets = [street.regrets.copy() for street in solver.streets]
        self.dealer = dealer
        self.found = {}
        for pair in permutations(range(3), 2):
            self.value(pair, Spot())

    def shares(self, spot, group):
        regrets = self.regrets[spot.street][spot.decision, :, spot.line, group]
        legal = [choice for choice in (FOLD, CALL, RAISE) if may(spot.street, spot.decision, choice)]
        total = sum(max(0, regrets[choice]) for choice in legal)
        mix = {choice: max(0, regrets[choice]) / total if total else 1 / len(legal) for choice in legal}
        return {choice: (1 - TREMBLE) * one + TREMBLE / len(legal) for choice, one in mix.items()}

    def value(self, pair, spot):
        """Return the value to the first hand, times how often the other one plays like this."""
        mine = by_second(spot.decision) != (self.dealer == (spot.street == 0))
        group = int(HANDS.groups[spot.street][0, pair[not mine]])
        shares, worth = self.shares(spot, group), {}
        for choice, share in shares.items():
            there = spot if mine else spot._replace(often=spot.often * share)
            worth[choice] = self.lost(there, mine=mine) if choice == FOLD else self.after(pair, there, choice)
        if not mine:
            return sum(worth.values())
        mean = sum(shares[choice] * one for choice, one in worth.items())
        for choice, one in worth.items():
            place = spot.street, spot.decision, choice, spot.line, group
            self.found[place] = self.found.get(place, 0) + one - mean
        return mean

    def lost(self, spot, *, mine):
        paid = spot.paid + (spot.decision // 2 - 1) * BETS[spot.street] if spot.decision else spot.paid / 2
        return (-paid if mine else paid) * spot.often

    def after(self, pair, spot, choice):
        if choice == RAISE:
            return self.value(pair, spot._replace(decision=after_raise(spot.decision)))
        if spot.decision == 0:
            return self.value(pair, spot._replace(decision=1))
        paid = spot.paid + spot.decision // 2 * BETS[spot.street]
        if spot.street < RIVER:
            line = spot.line * ends(spot.street) + spot.decision - 1
            return self.value(pair, Spot(spot.street + 1, line, 0, paid, spot.often))
        own, other = (STRENGTH[0, hand] for hand in pair)
        return int(np.sign(own - other)) * paid * spot.often


def test_regrets_are_those_of_a_plain_walk():
    """The dealer learns in the first round, the other player in the second, which weighs twice as much."""
    solver, rng = Solver(GROUPS), np.random.default_rng(3)
    for street in solver.streets:
        street.regrets[:] = rng.normal(size=street.regrets.shape)
    for number, dealer in ((1, True), (2, False)):
        walk = Walk(solver, dealer=dealer)
        solver.learn(HANDS)
        more = [street.regrets - before for street, before in zip(solver.streets, walk.regrets, strict=True)]

        assert len(walk.found) > 10_000
        assert max(abs(more[place[0]][place[1:]] - number * one) for place, one in walk.found.items()) < 1e-3


def test_strengths_of_all_hole_cards_are_those_of_the_rules():
    rng = np.random.default_rng(1)
    for _ in range(10):
        board = rng.permutation(52)[:5]
        found = strengths(board)
        for place in rng.integers(0, len(HOLES), 40):
            two = HOLES[place]
            held = [CARDS[card] for card in (*two, *board)]
            assert (hands.strength(held) if len({*held}) == 7 else -1) == found[place]


def test_groups_of_a_street_are_about_equally_large():
    boards, prospect = sampled(1, 5, 1, 1)
    cuts = cut(prospect, ((5, 2), (5, 2), (10, 1)))
    kept = deals(boards, prospect, cuts)
    there = ~np.isnan(prospect[0][:, 0])

    assert (5, 3, len(HOLES)) == kept.groups.shape
    assert np.bincount(grouped(prospect[0], cuts[0])[there]).min() > there.sum() / 20


def test_same_rounds_give_the_same_strategies():
    boards, prospect = sampled(1, 3, 1, 1)
    cuts = cut(prospect, ((5, 2), (5, 2), (10, 1)))
    known = deals(boards, prospect, cuts)
    found = []
    for _ in range(2):
        solver = Solver([one.groups for one in cuts])
        for number in range(3):
            rng = np.random.default_rng([1, number])
            solver.learn(dealt(known, rng.integers(0, len(boards), 2), rng))
        found.append(b"".join(street.regrets.tobytes() + street.told.tobytes() for street in solver.streets))

    assert found[0] == found[1]


def test_nearest_mix_is_off_by_less_than_a_step():
    shares = np.random.default_rng(1).dirichlet((1, 1, 1), 200).T
    mixes = np.array(MIXES)[nearest(shares)].T

    assert np.abs(shares * STEPS - mixes).max() < 1


def always(solution, mix):
    """Return a table with the same groups that always plays the same mix."""
    number = bytes([MIXES.index(mix)])
    return Solution(solution.cuts, [number * len(row) for row in solution.mixes])


def test_local_best_response_takes_the_blinds_of_a_player_who_always_folds():
    """It wins half a small bet as the big blind, and a whole one as the dealer."""
    (script,) = small({}, "lab/local-best-response")
    rng = np.random.default_rng(1)
    table = script.Table(always(learned(), (STEPS, 0, 0)), rng)

    assert pytest.approx(0.75) == script.on_board(table, 4, 0, rng)
