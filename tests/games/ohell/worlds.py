"""The second world of Ohell: what could be otherwise without a seat knowing, from the rules and not from the code."""

from __future__ import annotations

from typing import Any

from rules.cards import pack
from rules.kit import Luck, Seat
from tests.rules.tricks.worlds import dealt_anew


def hide(state: Any, seat: Seat | None, luck: Luck) -> Any:
    """Return another state for which all that `seat` may know holds as well."""
    return dealt_anew(state, seat, pack(state.match.decks), lambda cards: cards[0].suit if cards else None, luck)
