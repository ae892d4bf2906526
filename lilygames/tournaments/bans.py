"""Bans after a no-show: how long someone can't enter another tournament."""

from __future__ import annotations

import attrs

FIRST = 24 * 3600.0
"""Seconds of the first ban."""
LONGEST = 30 * 24 * 3600.0


@attrs.frozen
class Ban:
    """A ban: its length in seconds, and its end. It is forgotten once its player has finished a tournament game."""

    seconds: float
    until: float

    def lasts(self, now: float) -> bool:
        """Whether it still keeps someone out."""
        return now < self.until


def after_no_show(ban: Ban | None, now: float) -> Ban:
    """Return the ban after a no-show: 24 h; doubled after an earlier one; x 1.5 while one lasts; at most 30 days."""
    seconds = min(LONGEST, ban.seconds * (1.5 if ban.lasts(now) else 2)) if ban else FIRST
    return Ban(seconds, now + seconds)
