"""The activity of a person: when they arrived, when they last typed, and whether they are away."""

from __future__ import annotations

import time


class Activity:
    """When a person arrived, when they last typed, and whether they are away."""

    def __init__(self, since: float) -> None:
        self.since = since
        """When they arrived, in seconds since 1970."""
        self.last = time.monotonic()
        """When they last typed, by the monotonic clock."""
        self.away = False
        """Whether they are away, by choice or because they are idle."""
        self.idle = False
        """Whether they are away because they are idle."""
        self.missed_since = 0.0
        """Time since which they have missed messages, in seconds since 1970; 0 for none."""

    def typed(self) -> None:
        """Record that they have just typed something."""
        self.last = time.monotonic()

    def come(self, missed_since: float) -> None:
        """Mark them as here, having missed messages since this time."""
        self.missed_since = missed_since
        self.back()

    def back(self) -> None:
        """Mark them as no longer away."""
        self.away = self.idle = False

    def leave(self, now: float) -> None:
        """Mark them as away by choice."""
        self.away = True
        self.missed_since = now

    def go_idle(self, now: float) -> None:
        """Mark them as idle since they last typed."""
        self.away = self.idle = True
        self.missed_since = now - self.idle_seconds

    @property
    def idle_seconds(self) -> float:
        """Seconds since they last typed."""
        return time.monotonic() - self.last

    def restore(self, *, since: float, idle_seconds: float, away: bool, idle: bool, missed_since: float = 0.0) -> None:
        """Restore the state from another process or node."""
        self.since, self.last = since, time.monotonic() - idle_seconds
        self.away, self.idle, self.missed_since = away, idle, missed_since
