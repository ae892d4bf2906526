"""What a notification is about: a table, an event, a ladder, a tournament.

When it is sent, and how, is decided in the folder above.
"""
