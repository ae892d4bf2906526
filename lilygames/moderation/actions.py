"""Actions of the staff, and the record of a person: frozen values and pure steps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Literal

import attrs

from lilygames import codec
from lilygames.errors import UserError

Sanction = Literal["warn", "mute", "unmute", "kick", "ban", "unban"]
Kind = Sanction | Literal["freeze", "unfreeze", "adjudicate", "role", "report", "appeal"]
DAY = 86400.0
LONGEST = 365 * DAY
"""Longest sanction: a year replaces "for ever" (Discord, 2023)."""
KEPT = 730 * DAY
"""Seconds that a person's record remembers an action."""
REMEMBERED = 20
"""Maximum actions in a person's record; the audit log has all."""
_SPAN = re.compile(r"(\d{1,6})([mhdw])", re.ASCII)
_UNITS: Mapping[str, float] = {"m": 60.0, "h": 3600.0, "d": DAY, "w": 7 * DAY}


@attrs.frozen
class Action:
    """One action: who did what, about which person, why, and until when.

    Times are UTC seconds by the server's clock; 0 means without end. `whom` is the name, address, table or report, and
    `key` the account key of a person. `where` is the room of a kick, or what was decided. `addresses` are networks from
    which guests and new names are affected, too. With `everyone`, everyone there is.
    """

    kind: Kind
    by: str
    at: float
    whom: str
    key: str = ""
    why: str = ""
    until: float = 0.0
    where: str = ""
    addresses: tuple[str, ...] = ()
    everyone: bool = False

    @property
    def ends(self) -> str:
        """When a sanction ends, in UTC, because its reader may not have logged in."""
        return f"{datetime.fromtimestamp(self.until, UTC):%d %b %Y %H:%M} UTC"

    def lasts(self, now: float) -> bool:
        """Whether a sanction is in force. It ends at a time of the clock, even if the clock jumps."""
        return now < self.until


@attrs.frozen
class Standing:
    """A person's record: the mute and the ban in force, if any, and the latest actions about them, newest last."""

    mute: Action | None = None
    ban: Action | None = None
    actions: tuple[Action, ...] = ()
    appealed: float = attrs.field(default=0.0, metadata={codec.LATER: True})
    """When they last appealed, in seconds since 1970; 0 for never."""

    def after(self, action: Action) -> Standing:
        """Return the record after an action."""
        recent = [one for one in self.actions if action.at - one.at < KEPT and one != action]
        changed = attrs.evolve(self, actions=(*recent, action)[-REMEMBERED:])
        match action.kind:
            case "mute":
                return attrs.evolve(changed, mute=action)
            case "unmute":
                return attrs.evolve(changed, mute=None)
            case "ban":
                return attrs.evolve(changed, ban=action)
            case "unban":
                return attrs.evolve(changed, ban=None)
            case "appeal":
                return attrs.evolve(changed, appealed=action.at)
        return changed

    def muted(self, now: float) -> Action | None:
        """Return the mute in force, if any."""
        return self.mute if self.mute and self.mute.lasts(now) else None

    def banned(self, now: float) -> Action | None:
        """Return the ban in force, if any."""
        return self.ban if self.ban and self.ban.lasts(now) else None

    def since(self, at: float) -> tuple[Action, ...]:
        """Return the actions after a time."""
        return tuple(one for one in self.actions if one.at > at)

    def may_appeal(self) -> bool:
        """Whether there is an action that they haven't appealed against."""
        return any(one.at > self.appealed for one in self.actions if one.kind in ("warn", "mute", "kick", "ban"))


def seconds_in(word: str) -> float | None:
    """Return the seconds in `30m`, `12h`, `7d` or `2w`; None if a word isn't a time span. Raises `UserError`."""
    found = _SPAN.fullmatch(word.casefold())
    if not found:
        return None
    seconds = int(found[1]) * _UNITS[found[2]]
    if not 0 < seconds <= LONGEST:
        raise UserError("a time is like 30m, 12h, 7d or 2w, and at most 365d.")
    return seconds
