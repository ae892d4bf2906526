"""Counts of what everyone at a table has seen: how often each player folded to bets, and how often theirs were weak.

Hands that weren't shown count for nothing. The last one to bet shows first. If the last move was a check, nobody has
bet. Leaving in a hand counts as a fold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import attrs

from lilygames_rules.kit import Event, Seat
from lilygames_rules.poker.bets import Called, Folded, Raised
from lilygames_rules.poker.deal import HandShown
from lilygames_rules.poker.hands import Kind

Subject = Literal["folds", "weak"]
"""Folding rather than calling or raising, and having at most a pair when a bet is called down."""


class Seen(NamedTuple):
    """Something that a player did, or didn't do when they might have."""

    seat: Seat
    subject: Subject
    did: bool


@attrs.frozen
class Tally:
    """How often a player was seen to do something, and how often they might have."""

    times: int = 0
    did: int = 0


@attrs.frozen
class Tallies:
    """Counts of what a player was seen to do at this table."""

    folds: Tally = Tally()
    weak: Tally = Tally()


def seen(events: Iterable[object]) -> Iterator[Seen]:
    """Yield what events show of the players."""
    called = False
    for event in events:
        match event:
            case Folded(seat):
                called = True
                yield Seen(seat, "folds", did=True)
            case Called(seat) | Raised(seat):
                called = True
                yield Seen(seat, "folds", did=False)
            case HandShown(seat, _, worth) if called and worth:
                called = False
                yield Seen(seat, "weak", did=worth.kind <= Kind.PAIR)


def counted(tallies: Sequence[Tallies], events: Iterable[Event]) -> tuple[Tallies, ...]:
    """Return the tallies by seat after more events."""
    found = [*tallies]
    for one in seen(events):
        found += [Tallies()] * (one.seat + 1 - len(found))
        old = found[one.seat]
        before: Tally = getattr(old, one.subject)
        found[one.seat] = attrs.evolve(old, **{one.subject: Tally(before.times + 1, before.did + one.did)})
    return tuple(found)
