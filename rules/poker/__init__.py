"""The engine of poker: cards, bets, hands and pots."""
