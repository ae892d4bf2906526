"""What a finished game leaves: results, statistics, achievements and purses.

Each is booked once, whichever node does it. Nothing here shows anything.
"""
