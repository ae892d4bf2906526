"""Bots in a table's seats: when they move, what they say and what they remember.

How they think is in `lilygames/house` and in each game.
"""
