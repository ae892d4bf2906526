"""Rooms that people make, lobbies, and the quotas they count for.

Talk is in `talk`.
"""
