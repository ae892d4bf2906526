"""Logs and headers in the store: reading them whole, and packing finished games.

Nothing here shows a game; `sight` does that.
"""
