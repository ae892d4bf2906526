"""Records and log entries that can't be read: skip them, keep the rest, and log each with a case number.

Nothing here knows what a record means. A table whose log can't be replayed is in `lilygames/tables/restore`.
"""
