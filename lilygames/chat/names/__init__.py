"""Names, lookups by name, times and time zones: what everything else here compares and prints.

Nothing here knows a person who is connected, or the store.
"""
