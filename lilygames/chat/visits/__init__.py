"""A visit: logging in, line after line, leaving, and being handed to the next process.

Nothing here knows how a connection works; the edge does.
"""
