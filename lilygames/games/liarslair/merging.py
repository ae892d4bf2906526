"""How Liar's Lair tells moves in sequence: the rows of a turn show the cards on the table, so they need no other."""

from __future__ import annotations

from lilygames.game import InSequence, Merging, Reader
from lilygames.games.liarslair import words
from lilygames_rules.kit import Event
from lilygames_rules.lair.moves import CardPlayed, CardReclaimed, Contradicted, Declared, Passed, Volunteered

_ANSWERS = (Volunteered, Passed)
_AWAY = (Contradicted, CardReclaimed)
"""Events after which a card that has been played isn't on the table any more."""


def rows(moves: InSequence) -> list[str]:
    """Return the rows for moves in sequence: answers share one."""
    found: list[str] = []
    listed = moves.asked and not any(isinstance(event, _AWAY) for event in moves.events)
    answered = False
    for event in moves.events:
        if listed and isinstance(event, CardPlayed) and event.seat not in (moves.person, moves.reader.seat):
            continue
        told = [row for row in _told(event, moves.reader).split("\n") if row]
        if told and answered and isinstance(event, _ANSWERS):
            found[-1] += f" {told.pop(0)}"
        answered = isinstance(event, _ANSWERS)
        found += told
    return found


def _told(event: Event, reader: Reader) -> str:
    """Return an event's rows; a player isn't told the texts of a declaration, as a turn to disprove it lists them."""
    short = reader.seat is not None and not reader.voice.spoken
    if short and isinstance(event, Declared) and event.way != "identity":
        return words.declared_numbers(event, reader)
    return words.tell(event, reader)


MERGING = Merging((*_ANSWERS, CardPlayed), rows)
