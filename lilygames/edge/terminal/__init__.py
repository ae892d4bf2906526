"""A person's terminal: the queue of typed lines, the choice of a screen, and GMCP.

Nothing here accepts connections; `connections` does that.
"""
