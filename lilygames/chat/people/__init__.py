"""People, rooms as they hear each other, profiles, and the events and interfaces between them.

Only values and interfaces: `host` owns the people, and `accounts` who they are.
"""
