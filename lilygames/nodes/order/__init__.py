"""The order of what nodes send each other: numbers of messages and changes, and the order of a room's talk.

These are values and counts. Nothing here sends, stores or waits.
"""
