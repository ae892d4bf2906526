"""Engine of the trick-taking games: tricks, bids for tricks, and a whole game."""
