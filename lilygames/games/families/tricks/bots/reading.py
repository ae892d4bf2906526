"""Inference about hidden hands from the cards that players chose.

Most people usually play like the rule of thumb in `playout`, so a deal from which they would have played other cards is
less likely.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lilygames.games.families.tricks.bots.playout import Kit, lying, rule_of_thumb

_ODD = 0.3
"""Factor on a deal's likelihood for each card that the rule of thumb wouldn't have played."""


class Choice(NamedTuple):
    """A card played by a place, the cards since, the tricks it needed, and the trick at that moment."""

    place: int
    card: int
    since: int
    need: int
    led: int
    best: int
    last: bool


def choices(
    known: Kit, me: int, bids: Sequence[int | None], tricks: Sequence[tuple[int, Sequence[int]]]
) -> list[Choice]:
    """Return the choices of all places but `me`; `tricks` has the leader and the cards of each trick."""
    if None in bids:
        return []
    since, found = [0] * len(bids), []
    for choice in reversed([*_in_order(known, [bid or 0 for bid in bids], tricks)]):
        since[choice.place] |= 1 << choice.card
        if choice.place != me:
            found.append(choice._replace(since=since[choice.place]))
    return found


def _in_order(known: Kit, needs: list[int], tricks: Sequence[tuple[int, Sequence[int]]]) -> Iterator[Choice]:
    """Yield all choices in order."""
    seats = len(needs)
    for first, cards in tricks:
        for number, card in enumerate(cards):
            _, led, best, _ = lying(known, [*cards[:number]], first, seats)
            place = (first + number) % seats
            yield Choice(place, card, 0, needs[place], led, best, number == seats - 1)
        taken = known.taker(cards) if len(cards) == seats else None
        if taken is not None:
            needs[(first + taken) % seats] -= 1


def likelihood(known: Kit, strong: int, made: Sequence[Choice], hands: Sequence[int]) -> float:
    """Return the likelihood of the choices given these hands, relative to a deal in which the rule makes them all."""
    odd = 0
    for place, card, since, need, led, best, last in made:
        odd += rule_of_thumb(known, hands[place] | since, need, strong, led, best, last=last) != card
    return _ODD**odd
