"""Access to stores from the command line: copy a whole one, or read and change records while a server runs.

Nothing that a running server does to its own store lives here.
"""
