"""Search for tables with the fewest repeated meetings, and among those for the ones that the standings suggest.

Tables are filled from the top: the best player who is left gets the best others with whom a full pairing is possible.
A search that takes too long ends with the best pairing so far. That is rare: with more than four times as many people
as rounds, almost any choice at the top leaves one without repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

STEPS = 20_000
"""Maximum tables to try, a tenth of a second."""
Table = tuple[str, ...]
Cost = tuple[int, ...]


def fewest_repeats(
    order: Sequence[str], sizes: Sequence[int], cost: Callable[[Table], Cost], most: Cost
) -> tuple[Table, ...] | None:
    """Return the tables with the lowest total cost, closest to the order; None if all that were found exceed `most`."""
    found: tuple[Table, ...] | None = None
    nothing = tuple(0 for _ in most)
    bound = (*most[:-1], most[-1] + 1)
    tables, open_ = list[Table](), [(_tables(order, sizes[0]), nothing)] if sizes else []
    for _ in range(STEPS):
        if not open_:
            break
        choices, spent = open_[-1]
        chosen = next(choices, None)
        if chosen is None:
            open_.pop()
            del tables[len(open_) - 1 :]
            continue
        table, left = chosen
        total = tuple(map(int.__add__, spent, cost(table)))
        if total >= bound:
            continue
        if left:
            tables.append(table)
            open_.append((_tables(left, sizes[len(tables)]), total))
            continue
        found, bound = (*tables, table), total
        if total == nothing:
            break
    return found


def _tables(order: Sequence[str], size: int) -> Iterator[tuple[Table, list[str]]]:
    """Yield each table of the first in the order, the best others first, with the people who are left."""
    first, *rest = order
    for others in combinations(rest, size - 1):
        yield (first, *others), [one for one in rest if one not in others]
