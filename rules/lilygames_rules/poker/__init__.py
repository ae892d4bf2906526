"""Engine of poker: cards, betting, hands, pots and a session."""
