"""What games of cards share: how cards are written and said."""
