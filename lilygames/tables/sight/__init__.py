"""A table in words and packets, as one seat or a spectator may know it.

Nothing here sends anything or changes a table; `play` does that.
"""
