"""Moves of lily-poker that are odd enough to ask about first: /set confirm."""

from __future__ import annotations

from typing import Any

from lilygames_rules.lilypoker import View
from lilygames_rules.poker.bets import Bet, Call, Fold, Raise


def doubt(view: View, move: Any) -> str:
    """Return why a move is odd: it bets all chips, or folds where checking is free."""
    if view.deal is None or view.seat is None:
        return ""
    betting, seat = view.deal.betting, view.seat
    stack, paid, highest = betting.stacks[seat], betting.bets[seat], betting.top
    match move:
        case Fold() if paid >= highest and not betting.bring_in:
            return "You can check for nothing instead of folding."
        case Bet(to) | Raise(to) if to - paid >= stack:
            return f"That puts all your {stack} chips in."
        case Call() if highest - paid >= stack:
            return f"That call puts all your {stack} chips in."
    return ""
