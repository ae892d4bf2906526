"""The second world of Ohell: what a seat cannot know is changed, by the rules and not by the code."""

from __future__ import annotations

from typing import Any

from lilygames_rules.cards import pack
from lilygames_rules.kit import Luck, Seat
from tests.rules.tricks.worlds import dealt_anew


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state that agrees with everything that `seat` may know."""
    return dealt_anew(state, seat, pack(state.match.decks), lambda cards: cards[0].suit if cards else None, luck)
