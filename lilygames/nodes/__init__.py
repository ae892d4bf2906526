"""Several processes that are one place: each serves whoever comes, and follows what the others do.

What must survive is in the store that they share; the bus carries hints of where to look. A node that misses every hint
looks for itself once a second, so that losing hints costs time and never a game.
"""
