"""Jobs and tasks of the event loop: the jobs of a room, periodic jobs and long work in slices.

Nothing here knows what the jobs do.
"""
