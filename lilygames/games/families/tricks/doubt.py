"""Which bids of games of tricks are odd enough to ask about before they are made: /set confirm."""

from __future__ import annotations

from typing import Any

from rules.tricks.exactbid import Bid

_FEW = 3
"""Tricks up to which any bid is usual."""


def doubt(view: Any, move: Any) -> str:
    """Return what is odd about a bid: more than three tricks, and more than two thirds of them."""
    if view.round is None or not isinstance(move, Bid):
        return ""
    cards = view.round.deal.cards
    return f"You bid {move.tricks} of {cards} tricks." if move.tricks > max(_FEW, cards * 2 // 3) else ""
