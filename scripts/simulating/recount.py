"""Check a tournament from its log and the results of its tables, without the code that ran it."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Act = Mapping[str, Any]
Outcome = Sequence[tuple[str, int, bool]]
"""The seats of a finished table: account key (empty for a bot), score, and whether the player left."""
SMALL = 12
"""Most people for which the last round is searched to its end."""
WINDOW = 3
"""How many tables apart people may have been swapped."""
FEWEST = 3
"""People at a table of a tournament for more than two."""


def acts_of(acts: Sequence[Act], kind: str) -> list[Act]:
    """Return the acts of one kind."""
    return [act for act in acts if act["is"] == kind]


def faults(
    acts: Sequence[Act], outcomes: Mapping[int, Outcome], shown: Sequence[tuple[str, Fraction]], *, seats: int = 4
) -> list[str]:
    """Return what is wrong with a Swiss tournament: its pairings, its results, or the standings that were shown.

    `outcomes` are the tables that were played, by number. `shown` are the keys and points, in order.
    """
    found = [*_pairing_faults(acts, outcomes, seats), *_result_faults(acts, outcomes)]
    expected = [(key, points) for key, points, *_ in _rows(acts, outcomes)]
    for place, (mine, theirs) in enumerate(zip(expected, shown, strict=False), 1):
        if mine != theirs:
            found.append(f"place {place} should be {mine[0]} with {mine[1]}, not {theirs[0]} with {theirs[1]}")
    if len(expected) != len(shown):
        found.append(f"{len(expected)} players, but {len(shown)} in the standings")
    return found


# pairings


def _pairing_faults(acts: Sequence[Act], outcomes: Mapping[int, Outcome], seats: int) -> Iterator[str]:
    met: Counter[frozenset[str]] = Counter()
    apart = {frozenset((act["one"], act["other"])) for act in acts_of(acts, "KeptApart")}
    for at, one in enumerate(acts):
        if one["is"] != "RoundPaired":
            continue
        tables, called = [table["people"] for table in one["tables"]], f"round {one['round']}"
        seated = [*(name for table in tables for name in table), *(bye["key"] for bye in one["byes"])]
        if sorted(seated) != sorted(one["order"]):
            yield f"{called}: not everyone is at exactly one table"
        if {*one["order"]} != _present(acts[:at]):
            yield f"{called}: others are paired than those who are there"
        if [*map(len, tables)] != _sizes(len(one["order"]), seats):
            yield f"{called}: the sizes of the tables aren't even"
        if one["round"] == 1:
            if tables != [[*one["order"][start :: len(tables)]] for start in range(len(tables))]:
                yield f"{called}: the tables don't follow from the order"
        elif [*one["order"]] != _order(acts[:at], outcomes, one["order"]):
            yield f"{called}: the order isn't that of the standings"
        yield from (f"{called}: {fault}" for fault in _later_faults(one, tables, met, apart))
        met.update(frozenset(pair) for table in tables for pair in combinations(table, 2))


def _later_faults(
    one: Act,
    tables: Sequence[Sequence[str]],
    met: Mapping[frozenset[str], int],
    apart: set[frozenset[str]],
) -> Iterator[str]:
    """Yield what is wrong with the tables of a round after the first."""
    if 1 < one["round"] <= one["of"] and _swap_helps(tables, met, apart):
        yield "people meet again although a swap would avoid it"
    if one["round"] == one["of"] > 1 and len(one["order"]) <= SMALL and _swap_raises(tables, one["order"], met, apart):
        yield "the last round isn't by standing"


def _present(acts: Sequence[Act]) -> set[str]:
    """Return those who are there: they joined, are checked in, and have neither left nor missed a table since."""
    present, checked, begun = set[str](), set[str](), False
    for act in acts:
        match act["is"]:
            case "RoundPaired":
                begun = True
            case "Joined":
                present.add(act["key"])
                checked |= {act["key"]} if begun else set()
            case "CheckedIn":
                checked.add(act["key"])
            case "Left" | "NoShow":
                present.discard(act["key"])
    return present & checked


def _sizes(people: int, seats: int) -> list[int]:
    """Return the sizes of the tables: as even as possible, and one table less if one had fewer than three people."""
    tables = -(-people // seats)
    if people // tables < FEWEST:
        tables -= 1
    return [people // tables + (number < people % tables) for number in range(tables)]


def _order(acts: Sequence[Act], outcomes: Mapping[int, Outcome], people: Sequence[str]) -> list[str]:
    """Return people in the order of the standings: points, tables won, lot."""
    rows = sorted(_rows(acts, outcomes), key=lambda row: (-row[1], -row[2], row[5]))
    return [row[0] for row in rows if row[0] in people]


def _swap_raises(
    tables: Sequence[Sequence[str]],
    order: Sequence[str],
    met: Mapping[frozenset[str], int],
    apart: set[frozenset[str]],
) -> bool:
    """Return whether a table could have someone of a higher standing from a later one, with no more repeats."""
    for first, second in combinations(range(len(tables)), 2):
        one, other = tables[first], tables[second]
        before = _cost(one, met, apart) + _cost(other, met, apart)
        for here in one[1:] if len({*map(len, tables[first:])}) == 1 else ():
            for there in (name for name in other if order.index(name) < order.index(here)):
                new = [
                    [there, *(name for name in one if name != here)],
                    [here, *(name for name in other if name != there)],
                ]
                if sum(_cost(table, met, apart) for table in new) <= before:
                    return True
    return False


def _swap_helps(tables: Sequence[Sequence[str]], met: Mapping[frozenset[str], int], apart: set[frozenset[str]]) -> bool:
    """Return whether swapping two people of nearby tables would lower the sum of squared meetings."""
    for first, second in combinations(range(len(tables)), 2):
        one, other = tables[first], tables[second]
        before = _cost(one, met, apart) + _cost(other, met, apart)
        for here in one if second - first <= WINDOW and before else ():
            for there in other:
                new = (
                    [there, *(name for name in one if name != here)],
                    [here, *(name for name in other if name != there)],
                )
                if sum(_cost(table, met, apart) for table in new) < before:
                    return True
    return False


def _cost(table: Sequence[str], met: Mapping[frozenset[str], int], apart: set[frozenset[str]]) -> int:
    pairs = [frozenset(pair) for pair in combinations(table, 2)]
    return sum(met.get(pair, 0) ** 2 + 10_000 * (pair in apart) for pair in pairs)


# results


def _tables(acts: Sequence[Act]) -> dict[tuple[int, int], int]:
    """Return the number of the table of each place."""
    return {(act["round"], act["table"]): act["number"] for act in acts_of(acts, "TableOpened")}


def _result_faults(acts: Sequence[Act], outcomes: Mapping[int, Outcome]) -> Iterator[str]:
    recorded = {(act["round"], act["table"]): act for act in acts_of(acts, "TableFinished")}
    numbers = _tables(acts)
    for one in acts_of(acts, "RoundPaired"):
        for table in range(1, len(one["tables"]) + 1):
            place = one["round"], table
            act, outcome = recorded.get(place), outcomes.get(numbers.get(place, 0))
            if act is None:
                yield f"round {place[0]}: the result of table {table} is lost"
            elif outcome and [(seat["key"], seat["score"]) for seat in act["seats"]] != [one[:2] for one in outcome]:
                yield f"round {place[0]}: the result of table {table} isn't that of its game"


def _rows(acts: Sequence[Act], outcomes: Mapping[int, Outcome]) -> list[tuple[Any, ...]]:
    """Return the standings by the rules of `/help tournament-points`: key, points and tie-breaks, best first."""
    points, wins, margin = (
        defaultdict[str, Fraction](Fraction),
        defaultdict[str, Fraction](Fraction),
        defaultdict(Fraction),
    )
    at_tables, played, met = defaultdict[str, Fraction](Fraction), Counter[str](), defaultdict[str, list[str]](list)
    absent = {(act["round"], act["table"], act["key"]) for act in acts_of(acts, "NoShow")}
    numbers = _tables(acts)
    for one in acts_of(acts, "RoundPaired"):
        for bye in one["byes"]:
            points[bye["key"]] += Fraction(bye["points"], 2)
        for number, table in enumerate(one["tables"], 1):
            place = one["round"], number
            outcome = outcomes.get(numbers.get(place, 0))
            if not outcome:
                for key in table["people"]:
                    points[key] += 0 if (*place, key) in absent else 6
                continue
            seats = [("" if (*place, key) in absent else key, score, left and key) for key, score, left in outcome]
            ranks = [(not left, 0 if left else score) for _, score, left in seats]
            mean = Fraction(sum(score for _, score, _ in seats), len(seats))
            people = [key for key, *_ in seats if key]
            for (key, score, _), rank in zip(seats, ranks, strict=True):
                beaten, tied = sum(other < rank for other in ranks), ranks.count(rank) - 1
                if key:
                    got = 12 * (beaten + Fraction(tied, 2)) / (len(seats) - 1)
                    points[key] += got
                    at_tables[key] += got
                    played[key] += 1
                    margin[key] += score - mean
                    met[key] += [other for other in people if other != key]
                    wins[key] += Fraction(1, ranks.count(rank)) if rank == max(ranks) else 0
    seed = next(iter(acts_of(acts, "RoundPaired")))["seed"]
    for key in _late(acts):
        points[key] += 6
    rows = []
    for key in dict.fromkeys(act["key"] for act in acts_of(acts, "Joined")):
        rates = [at_tables[other] / played[other] for other in met[key]]
        opponents = sum(rates, Fraction()) / len(rates) if rates else Fraction()
        lot = hashlib.sha256(f"lilygames tournament lot\0{seed}\0{key}".encode()).hexdigest()
        rows.append((key, points[key], wins[key], opponents, margin[key], lot))
    return sorted(rows, key=lambda row: (*(-number for number in row[1:5]), row[5]))


def _late(acts: Sequence[Act]) -> list[str]:
    """Return those who joined for the first time after round 1 had begun."""
    known: set[str] = set()
    late = []
    begun = False
    for act in acts:
        begun = begun or act["is"] == "RoundPaired"
        if act["is"] == "Joined":
            late += [act["key"]] if begun and act["key"] not in known else []
            known.add(act["key"])
    return late
