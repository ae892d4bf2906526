"""Achievements of Liar's Lair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from lilygames.game import Achievement
from lilygames_rules.kit import Seat
from lilygames_rules.lair.moves import CardExposed, Contradicted, Declared, GameEnded

_TWICE = 2


def _twice(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    won = Counter(one.victor for one in events if isinstance(one, Contradicted) and one.victor != one.victim)
    yield from (seat for seat, times in won.items() if times >= _TWICE)


def _unshaken(events: Sequence[Any], _: Any) -> Iterator[Seat]:
    """Yield the seats that won by a declaration after someone had exposed a card to them."""
    winners = next((event.winners for event in events if isinstance(event, GameEnded)), ())
    exposed = {event.declarer for event in events if isinstance(event, CardExposed)}
    declared = dict.fromkeys(event.seat for event in events if isinstance(event, Declared))
    yield from (seat for seat in declared if seat in winners and seat in exposed)


ACHIEVEMENTS = (
    Achievement("Truth prevails", "knocked out two players with the truth in one game", _twice),
    Achievement("Unshaken", "won by a declaration that someone tried to disprove", _unshaken),
)
