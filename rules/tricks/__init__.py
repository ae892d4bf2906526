"""The engine of tricks: which cards may be played and who takes them, and the bids for tricks."""
