"""The subject of a notification: a table, an event, a ladder, a tournament.

When it is sent, and how, is decided in the folder above.
"""
