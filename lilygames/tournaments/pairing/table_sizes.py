"""Into how many tables, and of which sizes, the people of a round are divided."""

from __future__ import annotations

from collections.abc import Container

FEWEST = 3
"""Players at a table in a tournament for three or more: a duel is another game."""
DUEL = 2
"""Seats of a tournament of duels, where people who are over have a bye."""


def table_sizes(people: int, seats: int, legal: Container[int], *, filled: bool = False) -> tuple[int, ...]:
    """Return the number of people at each table, large tables first; whoever doesn't fit has a bye.

    People are divided as evenly as possible among ceil(people / seats) tables. If one of them had fewer than three
    people, there is one table less, with more people each. `legal` are the sizes that the game can seat; if it can't
    seat that many, as few people as possible have a bye. With `filled`, bots complete every table to `seats`, so any
    number of people can share one.
    """
    if filled:
        return _even(people, -(-people // seats))
    for present in range(people, 0, -1):
        tables = -(-present // seats)
        for number in (tables,) if seats == DUEL else (tables, tables - 1):
            sizes = _even(present, number)
            if sizes and min(sizes) >= min(FEWEST, seats) and all(size in legal for size in sizes):
                return sizes
    return ()


def _even(people: int, tables: int) -> tuple[int, ...]:
    """Divide people among tables as evenly as possible, large tables first."""
    if not tables:
        return ()
    size, larger = divmod(people, tables)
    return (size + 1,) * larger + (size,) * (tables - larger)


def default_rounds(people: int, seats: int) -> int:
    """Return the number of Swiss rounds: 1 + ceil(log4 people), at least 3; for two seats ceil(log2 people)."""
    halvings = max(people - 1, 1).bit_length()
    return halvings if seats == DUEL else max(3, 1 + (halvings + 1) // 2)
