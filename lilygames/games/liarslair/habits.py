"""Habits that bots of Liar's Lair remember: cards that others contradicted were lies, and declarations were false.

So a bot believes the cards of such people less. Clubs and sharks use it; novices remember nobody.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from lilygames.game import LIES, Memory, Shown
from lilygames.house.habits import STRANGER, believed
from lilygames_rules.kit import Seat
from lilygames_rules.lair.hands import Seen
from lilygames_rules.lair.moves import CardPlayed, Contradicted, GameEnded, KnockedOut
from lilygames_rules.lair.table import Proving, View

BLUFFS = "bluffs"
"""The habit of declaring with cards that are proven lies, or that contradict each other."""
HABITS = (LIES, BLUFFS)
_USUAL = {LIES: 0.6, BLUFFS: 0.5}
"""Usual shares, rounded, from some hundred games between bots of several levels."""


def reveals(events: Iterable[Any]) -> Iterator[Shown]:
    """Yield whether a contradicted card was a lie, or whether a declaration was false."""
    contradicting = None
    for event in events:
        match event:
            case CardPlayed(seat):
                contradicting = seat
            case Contradicted(_, _, victor, victim):
                seat = victim if contradicting == victor else victor
                yield Shown(seat, did=seat == victim)
            case KnockedOut(seat, "proven" | "both"):
                yield Shown(seat, did=True, habit=BLUFFS)
            case GameEnded((seat,), "honest"):
                yield Shown(seat, did=False, habit=BLUFFS)


def odds(view: View, card: Seen, usual: float, memory: Memory | None) -> float:
    """Return the log odds that a card is true, as a bot with a memory corrects the usual ones."""
    found = _teller(view, card)
    if found is None or memory is None:
        return usual
    seat, habit = found
    known = memory.get(seat, {}).get(habit, STRANGER)
    if known == STRANGER:
        return usual
    chance = believed(1 / (1 + math.exp(-usual)), known, _USUAL[habit])
    return math.log(chance / (1 - chance))


def _teller(view: View, card: Seen) -> tuple[Seat, str] | None:
    """Return the seat that stands for a card, and the habit that counts: its declarer, or its first player.

    Nobody stands for a card that was played last. Such a lie is safe, and everyone plays it.
    """
    phase, played = view.match.phase, card.played
    if isinstance(phase, Proving) and card.place == phase.declared[0][0]:
        return phase.declared[0][0], BLUFFS
    return (played.seat, LIES) if played and played.left else None
