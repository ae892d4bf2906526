"""Reader-mode lines of Wizard."""

from __future__ import annotations

from lilygames.game import Reader
from lilygames.games.families.tricks import spoken
from lilygames.spoken import Words, unless_typed
from lilygames_rules.wizard import BidBarred, OrderSettled, TrumpNamed


def _order(event: OrderSettled, reader: Reader) -> str:
    return f"Order: {reader.everyone(event.order)}. {reader.says(event.order[-1], 'deals.', 'deal.')}"


def _barred(event: BidBarred, reader: Reader) -> str:
    return "" if event.seat == reader.seat else f"Dealer may not bid {event.tricks}."


TOLD: Words = {
    **spoken.TOLD,
    OrderSettled: _order,
    TrumpNamed: unless_typed(lambda event, _: f"Trump: {event.suit.word}."),
    BidBarred: _barred,
}
"""The line for each kind of event."""
