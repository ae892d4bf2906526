"""Bids in exact-bid games that are odd enough to ask about first: /set confirm."""

from __future__ import annotations

from typing import Any

from lilygames_rules.tricks.exactbid import Bid

_FEW = 3
"""Up to this many tricks any bid is usual."""


def doubt(view: Any, move: Any) -> str:
    """Return why a bid is odd: it is more than three tricks, and more than two thirds of them."""
    if view.round is None or not isinstance(move, Bid):
        return ""
    cards = view.round.deal.cards
    return f"You bid {move.tricks} of {cards} tricks." if move.tricks > max(_FEW, cards * 2 // 3) else ""
