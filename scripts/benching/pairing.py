"""Pairing a round of a large tournament, against the least that it can be: sort the standings and cut them."""

from __future__ import annotations

import random
import sys
import time

from load import ROOT, Result

sys.path.insert(0, str(ROOT))

from lilygames.tournaments.pairing.points import TableResult
from lilygames.tournaments.pairing.swiss import Pairing, Past, Seating, first_round, later_round

ROUNDS = 6
SEATING = Seating(4, range(3, 6))


def swiss(kind: str, people: int) -> Result:
    """Return the most CPU seconds that one of six rounds takes; results are random but the same for both sides."""
    draw = random.Random(1)  # noqa: S311 - results for a measurement
    points = {f"player{number}": 0 for number in range(people)}
    rounds: list[Pairing] = []
    worst = 0.0
    for _ in range(ROUNDS):
        begun = time.process_time()
        order = sorted(points, key=lambda name: -points[name])
        pairing = _cut(order) if kind == "floor" else _paired(order, points, rounds)
        worst = max(worst, time.process_time() - begun)
        rounds.append(pairing)
        for table in pairing.tables:
            result = TableResult(0, table, tuple(draw.randrange(100) for _ in table))
            for name, more in result.points.items():
                points[name] += more
    return Result({"CPU s a round": worst})


def _cut(order: list[str]) -> Pairing:
    return Pairing(tuple(tuple(order[start : start + SEATING.seats]) for start in range(0, len(order), SEATING.seats)))


def _paired(order: list[str], points: dict[str, int], rounds: list[Pairing]) -> Pairing:
    past = Past(rounds)
    return later_round(order, points, SEATING, past) if rounds else first_round(order, SEATING, past)
