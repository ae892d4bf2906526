"""Engine of the dice games: the dice under a cup, claims about them, and passing them on."""
