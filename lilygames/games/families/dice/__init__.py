"""What games of dice under a cup share."""
