"""The results of a finished game: places, statistics, achievements and purses.

Each is booked once, whichever node does it. Nothing here shows anything.
"""
