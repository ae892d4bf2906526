"""Statistics of Liar's Lair: contradictions, and declarations that stood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Attempt
from lilygames_rules.lair.moves import Contradicted, Declared, GameEnded


def attempts(events: Sequence[Any], _: Any) -> Iterator[Attempt]:
    """Yield each contradiction for both of its seats, and each declaration with whether it won the game."""
    winners = next((event.winners for event in events if isinstance(event, GameEnded)), ())
    for event in events:
        match event:
            case Contradicted() if event.victor != event.victim:
                yield Attempt(event.victor, "contradictions won", success=True)
                yield Attempt(event.victim, "contradictions won", success=False)
            case Declared():
                yield Attempt(event.seat, "declarations that stood", event.seat in winners)
