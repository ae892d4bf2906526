"""Several tables with the same cards: duplicate sets, daily deals and their points.

Commands about them are in `commands`, and nothing here knows a room.
"""
