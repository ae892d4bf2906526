"""A clock for tests that set the time."""

from datetime import timedelta


class Clock:
    """A clock that stands still until a test moves it. `now` is in seconds since 1970."""

    def __init__(self, now):
        self.now = now

    def __call__(self):
        return self.now

    def passes(self, **time):
        """Move it on: `clock.passes(days=1, hours=2)`."""
        self.now += timedelta(**time).total_seconds()
