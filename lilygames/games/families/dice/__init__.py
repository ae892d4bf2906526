"""Words and probabilities shared by the dice games."""
