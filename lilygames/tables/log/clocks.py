"""A table's clock as an option, and time in words. `turn_timers` counts the time of its turns."""

from __future__ import annotations

import re
from functools import cached_property

import attrs

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SPAN = re.compile(r"(\d{1,4})([smhd]?)")
_SLOW = 3600
WARNINGS = (30.0, 10.0)
SLOW_WARNINGS = (86400.0, 3600.0)
"""Seconds before time runs out at which players are warned: live and slow games."""


def seconds(text: str) -> int:
    """Return the seconds in `90`, `90s`, `15m`, `2h` or `3d`; raises `ValueError` for anything else."""
    match = _SPAN.fullmatch(text.strip().casefold())
    if not match or not int(match[1]):
        raise ValueError(f"not a time span: {text}")
    return int(match[1]) * _UNITS[match[2] or "s"]


def spoken(span: float) -> str:
    """Return seconds in words, in the largest unit that fits: `45 seconds`, `3 minutes`, `2 days`."""
    whole = max(0, round(span))
    for unit, name in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if whole >= 2 * unit or (whole >= unit and whole % unit == 0):
            number = whole // unit
            return f"{number} {name}{'' if number == 1 else 's'}"
    return "no time"


def _typed(span: int) -> str:
    unit = next(unit for unit in "dhms" if span % _UNITS[unit] == 0)
    return f"{span // _UNITS[unit]}{unit}"


@attrs.frozen(slots=False)  # see `lilygames.tables.state.cached`
class Clock:
    """A table's clock: seconds per move, or a bank for the whole game with a gain per move."""

    move: int = 0
    bank: int = 0
    gain: int = 0

    @classmethod
    def parse(cls, text: str) -> Clock:
        """Parse `none`, `60` or `3d` (per move), `10m+5` or `bank:10m` (a bank).

        Raises `ValueError` for anything else.
        """
        folded = text.strip().casefold()
        if folded in ("none", "off", "live"):
            return cls()
        if folded.startswith("bank"):
            folded = folded.removeprefix("bank").strip(" :-") + ("" if "+" in folded else "+0")
        bank, plus, gain = folded.partition("+")
        if not plus:
            return cls(move=seconds(bank))
        return cls(bank=seconds(bank), gain=0 if gain.strip() == "0" else seconds(gain))

    @property
    def said(self) -> str:
        """The clock in words: `3 days per move`, `none`."""
        if self.move:
            return f"{spoken(self.move)} per move"
        if self.bank:
            return f"{spoken(self.bank)} for the game" + (f", plus {spoken(self.gain)} per move" if self.gain else "")
        return "none"

    def __str__(self) -> str:
        """Return the clock as typed and stored: `3d`, `10m+5s`, `none`. `parse` reads it back."""
        if self.move:
            return _typed(self.move)
        return f"{_typed(self.bank)}+{_typed(self.gain) if self.gain else 0}" if self.bank else "none"

    @cached_property
    def runs(self) -> bool:
        """Whether there is a time limit."""
        return bool(self.move or self.bank)

    @cached_property
    def slow(self) -> bool:
        """Whether a move may take hours or days."""
        return max(self.move, self.bank) >= _SLOW

    @property
    def warnings(self) -> tuple[float, ...]:
        """Seconds before time runs out at which players are warned."""
        return SLOW_WARNINGS if self.slow else WARNINGS


NONE = Clock()
"""No clock. Players may take as long as the others allow."""
