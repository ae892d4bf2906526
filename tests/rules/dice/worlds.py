"""The second world of the dice games: what a seat cannot know is changed, by the rules and not by the code."""

from __future__ import annotations

from typing import Any

import attrs

from lilygames_rules.dice.cup import Memory
from lilygames_rules.kit import Luck, Seat


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state that agrees with everything that `seat` may know.

    Everyone sees the open dice. A seat that looked or rolled knows all five until another rolls. After that it knows
    how many dice were rolled since, but not which. The others' memories are their own.
    """
    cup = state.cup
    if cup is None:
        return state
    own = None if seat is None else cup.memories[seat]
    if own is None:
        dice = thrown(cup.dice, cup.open, 5, luck)
    else:
        kept = tuple(now if lies else then for now, lies, then in zip(cup.dice, cup.open, own.dice, strict=True))
        dice = thrown(kept, cup.open, own.since, luck)
    others = [
        memory and (memory if other == seat else Memory(thrown(dice, (False,) * 5, memory.since, luck), memory.since))
        for other, memory in enumerate(cup.memories)
    ]
    return attrs.evolve(state, cup=attrs.evolve(cup, dice=dice, memories=tuple(others)))


def thrown(dice: Any, lying: Any, most: int, luck: Luck) -> tuple[int, ...]:
    """Return the dice after at most this many of the hidden ones were rolled again."""
    now = list(dice)
    for place in luck.shuffle([place for place, lies in enumerate(lying) if not lies])[:most]:
        now[place] = luck.choice((1, 2, 3, 4, 5, 6))
    return tuple(now)
