"""Commands about games that are over: replays, checks, statistics and rankings.

They may use `joining`, for a rematch.
"""
