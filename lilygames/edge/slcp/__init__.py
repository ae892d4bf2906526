"""SLCP, the protocol of lily's clients: the screen for tigerlily and its like. `/help slcp` says what is spoken."""
