"""A hand as a seat sees it, as numbers and lines that words and bots use.

Nothing here decides or speaks.
"""
