"""Words shared by card games: how cards are written and spoken."""
