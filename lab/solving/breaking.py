"""Solve the steps of Liars Dice that keep three or four of a kind, where the player sometimes breaks them up.

The opponent sees only how many dice are rolled. Someone who keeps other dice lies about a hand that nobody can use.
Such a step depends on the other dice only a little, so it is solved for one example of them.
"""

from __future__ import annotations

import numpy as np

from lab.solving.apart import FALLS, ROLLED, RUNGS, UP_TO_ALL, WITH, Array, Claims, Rolls, choices
from lab.solving.keeping import Solved, shared
from lilygames.games.liarsdice.solved.mixes import reached
from lilygames.games.liarsdice.solved.solution import keeps, keeps_of, places
from lilygames_rules.dice.cup import DICE, SIDES

ROUNDS = 400
FEWEST = 3
"""The fewest equal dice that are worth breaking up."""


def breaks(kept: int) -> bool:
    """Tell whether these dice are three or four of a kind."""
    dice = keeps()[kept]
    return len(dice) >= FEWEST and len(set(dice)) == 1


class Breaking:
    """The step of a player who keeps three or four of a kind, or not; it is the same under several claims."""

    def __init__(self, kept: int) -> None:
        dice = keeps()[kept]
        others = [face for face in range(1, SIDES + 1) if face not in dice]
        example = places()[tuple(sorted((*dice, *others[1 : 1 + DICE - len(dice)])))]
        self.kept = kept
        self.hands = reached(kept)
        self.keeps = np.array([one for one in keeps_of(example) if ROLLED[one] == ROLLED[kept]])
        self.ways = 1 + DICE - len(dice)

    def solve(self, claim: int, _: int, worth: Array, rounds: int = ROUNDS) -> Solved:
        """Solve the step under a claim, by CFR+."""
        claims, rolls = Claims(claim, worth, 1 + DICE), Rolls()
        fall, many = FALLS[self.keeps], len(self.keeps)
        regret, plays = np.zeros(many), np.full(many, 1 / many)
        for number in range(1, rounds + 1):
            worths = fall @ rolls.worths(_again(claims.worths()))
            regret = np.maximum(0, regret + worths - plays @ worths)
            plays, weight = shared(regret, np.ones(many)), float(number * number)
            found = np.zeros((1 + DICE, RUNGS))
            found[0], thrown = rolls.made(plays @ fall, weight)
            for last in UP_TO_ALL:
                found[last] = thrown[WITH[last]] @ FALLS[WITH[last]]
            claims.heard(found, weight)
        high, sure = float((fall @ _again(claims.best()).max(1)).max()), claims.sure()
        return Solved((high + sure) / 2, high - sure)


def _again(ends: Array) -> Array:
    """Return the value of each choice after the first roll."""
    return choices({last: ends[last] for last in UP_TO_ALL}, ends[0])
