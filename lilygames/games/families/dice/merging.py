"""Passes of the dice in sequence: a few words for each, in one row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

import attrs

from lilygames.game import InSequence, Merging, Reader
from lilygames.games.families.dice.screens import name
from lilygames.layout import width_for
from lilygames.text import columns
from lilygames_rules.dice.cup import Accepted, Looked, Rolled
from lilygames_rules.kit import Seat

DEEDS: tuple[type[Any], ...] = (Accepted, Looked, Rolled)
"""Events before a claim. The reader's turn shows what came of their own."""
Tell = Callable[[Any, Reader], str]


@attrs.frozen
class Passes:
    """How a game words a pass of the dice."""

    claims: type
    """Its event of a claim."""
    rolled: str
    """The verb of a roll: `rolled`."""
    claim: Callable[[Any], str]
    """Returns a claim in short: `QQJJ`."""
    to: Callable[[Any], Seat]
    """Returns the seat that is offered the dice."""
    unrolled: Callable[[Any], str]
    """Returns how a claim came about without a roll: `looked`."""
    faces: Callable[[Sequence[int | None], Reader], str]
    """Returns the dice that everyone sees."""


def merging(tell: Tell, passes: Passes) -> Merging:
    """Return how a dice game tells passes in sequence. `tell` words what the reader does, and all other events."""
    waits = (*DEEDS, passes.claims)
    return Merging(waits, lambda moves: _rows(moves, tell, passes, waits), repeated=(passes.claims,))


def _rows(moves: InSequence, tell: Tell, passes: Passes, waits: tuple[type[Any], ...]) -> list[str]:
    """Return the rows: two sentences share one if they fit and the first is about a pass."""
    rows: list[str] = []
    width, joins = width_for(moves.reader), False
    for sentence, about_pass in _sentences(moves, tell, passes, waits):
        if joins and columns(rows[-1]) + columns(sentence) < width:
            rows[-1] += f" {sentence}"
        else:
            rows.append(sentence)
        joins = about_pass
    return rows


def _sentences(
    moves: InSequence, tell: Tell, passes: Passes, waits: tuple[type[Any], ...]
) -> Iterator[tuple[str, bool]]:
    """Yield each sentence, and whether it is about a pass of the dice."""
    reader = moves.reader

    def is_short(event: Any) -> bool:
        return isinstance(event, waits) and event.seat not in (reader.seat, moves.person)

    for short, group in groupby(moves.events, is_short):
        events = [*group]
        if short and any(isinstance(event, passes.claims) for event in events):
            yield from ((sentence, True) for sentence in _passed(moves, events, passes))
            continue
        for event in events:
            if not (moves.asked and isinstance(event, DEEDS) and event.seat == reader.seat):
                told = tell(event, reader).split("\n")
                yield from ((sentence, isinstance(event, waits)) for sentence in told if sentence)


def _passed(moves: InSequence, events: Sequence[Any], passes: Passes) -> list[str]:
    """Return bots' passes: `Max looked: JJ; Ida rolled 2: QQJJ, to bob.`; the reader's turn shows the last one."""
    reader = moves.reader
    clauses = [*_clauses(events, passes, reader)]
    last = events[-1]
    if isinstance(last, passes.claims):
        to = passes.to(last)
        if moves.asked and to == reader.seat:
            clauses.pop()
        else:
            clauses[-1] += f", to {reader.who(to)}"
    return [f"{'; '.join(clauses)}."] if clauses else []


def _clauses(events: Sequence[Any], passes: Passes, reader: Reader) -> Iterator[str]:
    """Yield a clause for each pass, and one for what a seat did that hasn't passed the dice yet."""
    deeds: list[str] = []
    for event in events:
        match event:
            case Rolled():
                verb = "then" if deeds else passes.rolled
                shown = f" ({passes.faces(event.open, reader)})" if any(event.open) else ""
                deeds.append(f"{verb} {event.count or 'none'}{shown}")
            case Accepted() | Looked():
                pass
            case _:
                how = ", ".join(deeds) or passes.unrolled(event)
                yield f"{name(event.seat, reader)} {how}: {passes.claim(event)}"
                deeds = []
    if not isinstance(events[-1], passes.claims):
        yield f"{name(events[-1].seat, reader)} {', '.join(deeds) or 'accepts'}"
