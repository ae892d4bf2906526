"""The process itself: version, exit codes, pid file, log, garbage collector and systemd.

Nothing here knows the place or its settings.
"""
