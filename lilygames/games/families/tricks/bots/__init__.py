"""Bots of the exact-bid games: what they see of a round, how they search, and their tempers and habits.

Nothing here words anything for people.
"""
