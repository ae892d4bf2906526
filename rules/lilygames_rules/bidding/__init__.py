"""Engine of Liar's Poker: the ladder of bids, slips and bills, stakes and balances."""
