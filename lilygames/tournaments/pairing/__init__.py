"""A tournament as a value: its log, settings, pairings and points, as pure functions.

No clock, no store and no words: those are in the folder above.
"""
