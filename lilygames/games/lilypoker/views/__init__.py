"""What a seat sees of a hand, as numbers and lines that words and bots use.

Nothing here decides or speaks.
"""
