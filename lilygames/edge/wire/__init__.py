"""Bytes: outboxes, limits, and how text is drawn for what a client can show.

Nothing here knows telnet, a screen or a person.
"""
