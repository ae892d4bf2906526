"""Ratings, rankings and the index of who is where.

Only finished games count here; nothing here knows an open table.
"""
