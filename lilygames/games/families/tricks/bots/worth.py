"""Expected tricks per card in an exact-bid game, before anything is played.

The curves were fitted to some hundred thousand hands of two to eight players and one to fifteen cards. The hands were
played out by the rule of thumb in `playout`. They are a first estimate for the search.
"""

from __future__ import annotations

import math

from lilygames_rules.cards import ACE, WIZARD, Card, Suit

_LOWEST = 2
Curve = tuple[tuple[float, float, float], ...]
"""A card is worth `base + rise * share ** exp(bend)`; one row per parameter, by 1, ln cards and 1/seats."""
_BESIDE_TRUMP: Curve = ((0.05, -0.105, 0.054), (-0.188, 0.342, 0.894), (1.587, 0.136, -3.979))
_TRUMP: Curve = ((0.118, 0.065, 0.887), (0.887, 0.061, -0.716), (0.942, 0.523, -3.653))
_BESIDE_WIZARDS: Curve = ((0.093, -0.104, -0.049), (-0.405, 0.324, 1.578), (2.642, 0.053, -7.21))
_TRUMP_UNDER_WIZARDS: Curve = ((0.127, 0.093, 0.592), (0.343, -0.077, 0.894), (1.092, 0.439, -4.788))
_WITHOUT_TRUMP: Curve = ((0.086, -0.094, 0.137), (-0.076, 0.318, 1.027), (1.879, 0.035, -4.873))


def worth(card: Card, trump: Suit | None, crowned: Card | None, seats: int, cards: int) -> float:
    """Return the expected tricks of a card, in a deal of that many cards per seat.

    It may be below 0 for a card that hurts the others in a hand, or above 1 for one that helps them.
    """
    if card.suit is None or card is crowned:
        return float(card is WIZARD or card is crowned)
    if trump is None:
        return _on(_WITHOUT_TRUMP, card, seats, cards)
    if crowned is WIZARD:
        return _on(_TRUMP_UNDER_WIZARDS if card.suit is trump else _BESIDE_WIZARDS, card, seats, cards)
    return _on(_TRUMP if card.suit is trump else _BESIDE_TRUMP, card, seats, cards)


def _on(curve: Curve, card: Card, seats: int, cards: int) -> float:
    share = (card.rank - _LOWEST) / (ACE - _LOWEST)
    base, rise, bend = (row[0] + row[1] * math.log(cards) + row[2] / seats for row in curve)
    return base + rise * math.pow(share, math.exp(bend))
