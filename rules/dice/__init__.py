"""The engine of dice under a cup: the dice, what is claimed of them, and how the cup is passed."""
