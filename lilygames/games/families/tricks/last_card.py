"""The last trick of a round, when everyone knows that each player has one card."""

from __future__ import annotations

from typing import Any

from lilygames_rules.kit import Seat
from lilygames_rules.tricks.exactbid import Sight


def forced(view: Any, _: Seat) -> bool:
    """Return whether everyone can see that each player has only one card left to play, from a spectator's view."""
    now: Sight | None = view.round
    return now is not None and None not in now.bids and sum(now.taken) == now.deal.cards - 1
