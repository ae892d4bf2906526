"""What games of tricks and exact bids share: their words, and the search of their house players."""
