"""Rooms that people make, lobbies, and the quotas they count for.

What is said in them is in `talk`.
"""
