"""Reader-mode lines of Ohell."""

from __future__ import annotations

from lilygames.game import Reader
from lilygames.games.families.tricks import spoken
from lilygames.spoken import Words
from lilygames_rules.ohell import MaxChosen


def _max(event: MaxChosen, reader: Reader) -> str:
    typed = event.seat is None or (reader.typed and event.seat == reader.seat)
    picked = "" if typed else reader.says(event.seat or 0, f"picks {event.cards}.\n", f"pick {event.cards}.\n")
    decks = f", {event.decks} decks" if event.decks > 1 else ""
    return f"{picked}Rounds: {event.rounds}, 1 to {event.cards} cards and back{decks}."


TOLD: Words = {**spoken.TOLD, MaxChosen: _max}
"""The line for each kind of event."""
