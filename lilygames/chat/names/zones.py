"""Time zones: the names that people type, the zone of the place and of each person, and when a local time is.

Zones are those of the IANA database. The system has it, or the package `tzdata`.
"""

from __future__ import annotations

import difflib
import os
import re
import time
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from lilygames.errors import NotFound, UserError
from lilygames.text import listing, shortened

SETTING, PLACE = "zone", "place"
"""The setting of a person's zone, and its default: the zone of the place."""
_OFFERED = 3
"""Maximum names offered for a wrong one."""
_LIKE = 0.7
"""Similarity from which a name is offered."""
_OFFSET = re.compile(r"(?:utc|gmt|z)?_?(?P<sign>[+-])_?(?P<hours>\d{1,2})(?::?(?P<minutes>[0-5]\d))?", re.ASCII)
"""A difference from UTC as people type it: `GMT+2`, `UTC-05:00`, `+0530`."""
_FIXED = "Etc/GMT"
_FARTHEST_EAST, _FARTHEST_WEST = 14, 12
"""Hours from UTC for which the database has a zone."""
_PARTS_OF_AN_HOUR: Mapping[str, str] = {
    "+3:30": "Asia/Tehran",
    "+4:30": "Asia/Kabul",
    "+5:30": "Asia/Kolkata",
    "+5:45": "Asia/Kathmandu",
    "+6:30": "Asia/Yangon",
    "+8:45": "Australia/Eucla",
    "+9:30": "Australia/Darwin",
    "-9:30": "Pacific/Marquesas",
}
"""Zones whose clocks never change, by their difference from UTC."""
_ABBREVIATIONS: Mapping[str, str] = {
    "z": "UTC",
    **dict.fromkeys(("cest", "cet"), "CET"),
    **dict.fromkeys(("eest", "eet"), "EET"),
    **dict.fromkeys(("west", "wet"), "WET"),
    **dict.fromkeys(("est", "edt", "et"), "America/New_York"),
    **dict.fromkeys(("cdt", "ct"), "America/Chicago"),
    **dict.fromkeys(("mst", "mdt", "mt"), "America/Denver"),
    **dict.fromkeys(("pst", "pdt", "pt"), "America/Los_Angeles"),
    **dict.fromkeys(("akst", "akdt"), "America/Anchorage"),
    **dict.fromkeys(("adt",), "America/Halifax"),
    **dict.fromkeys(("nst", "ndt"), "America/St_Johns"),
    **dict.fromkeys(("aest", "aedt"), "Australia/Sydney"),
    **dict.fromkeys(("acst", "acdt"), "Australia/Adelaide"),
    **dict.fromkeys(("nzst", "nzdt"), "Pacific/Auckland"),
    "hst": "Pacific/Honolulu",
    "awst": "Australia/Perth",
    "msk": "Europe/Moscow",
    "jst": "Asia/Tokyo",
    "kst": "Asia/Seoul",
    "hkt": "Asia/Hong_Kong",
    "sgt": "Asia/Singapore",
}
"""Zones that people mean by an abbreviation, in summer and in winter."""
_SEVERAL: Mapping[str, str] = {
    "ist": "Asia/Kolkata, Asia/Jerusalem or Europe/Dublin",
    "cst": "America/Chicago or Asia/Shanghai",
    "bst": "Europe/London or Asia/Dhaka",
    "ast": "America/Halifax or Asia/Riyadh",
}
"""Abbreviations that several zones have."""
_WITH_SUMMER_TIME = ("CET", "EET", "WET")


def set_place_zone(name: str) -> None:
    """Set the time zone of the place, which is that of the whole process."""
    os.environ["TZ"] = name
    time.tzset()
    _names()


def place_zone() -> ZoneInfo:
    """Return the time zone of the place."""
    name = os.environ.get("TZ", "")
    return ZoneInfo(name if name.casefold() in _names() else "UTC")


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone by its full name, or the place's if there is none with that name."""
    return ZoneInfo(name) if name.casefold() in _names() else place_zone()


def zone_of(settings: Mapping[str, str]) -> ZoneInfo:
    """Return the time zone in a person's settings."""
    return zone_named(settings.get(SETTING, ""))


@cache
def _names() -> Mapping[str, str]:
    """Return the names of all zones, by folded name. Reading them takes 0.1 s, so they are kept."""
    return {name.casefold(): name for name in sorted(available_timezones())}


def find(typed: str) -> str:
    """Return the zone that was typed, as in `Europe/Berlin`, `berlin`, `GMT+2` or `CEST`; raises `UserError`."""
    folded = "_".join(typed.casefold().replace("\N{MINUS SIGN}", "-").split())
    if offset := _OFFSET.fullmatch(folded):
        return _at_offset(typed, offset)
    if folded in _SEVERAL:
        raise UserError(f"“{shortened(typed, 30)}” could be {_SEVERAL[folded]}. Type /set zone and one of them.")
    if folded in _ABBREVIATIONS:
        return _ABBREVIATIONS[folded]
    if folded in _names():
        return _names()[folded]
    cities = [name for name in _names().values() if _city(name) == folded]
    if len(cities) == 1:
        return cities[0]
    if cities:
        raise UserError(f"“{shortened(typed, 30)}” could be {listing(cities, 'or')}. Type /set zone and one of them.")
    near = [*_near(folded)][:_OFFERED]
    if not near:
        raise NotFound(f"there's no time zone “{shortened(typed, 30)}”. Type a name like Europe/Berlin: /help zone.")
    raise NotFound(f"there's no time zone “{shortened(typed, 30)}”. Did you mean {listing(near, 'or')}?")


def _at_offset(typed: str, offset: re.Match[str]) -> str:
    """Return the zone whose clocks are always so far from UTC; raises `UserError` if there is none.

    The database has `Etc/GMT-2` for what people call GMT+2 or UTC+2: there, the sign is that of POSIX.
    """
    hours, minutes = int(offset["hours"]), int(offset["minutes"] or 0)
    ahead = offset["sign"] == "+"
    if not hours and not minutes:
        return "UTC"
    if not minutes and hours <= (_FARTHEST_EAST if ahead else _FARTHEST_WEST):
        return f"{_FIXED}{'-' if ahead else '+'}{hours}"
    if zone := _PARTS_OF_AN_HOUR.get(f"{'+' if ahead else '-'}{hours}:{minutes:02}"):
        return zone
    raise NotFound(
        f"no time zone is always at “{shortened(typed, 30)}”. Type a city or a name like Europe/Berlin: /help zone."
    )


def described(name: str) -> str:
    """Return a zone's name as people read it: `UTC+2` for `Etc/GMT-2`, and if clocks change, `CET` says so."""
    if name.startswith(_FIXED) and name[len(_FIXED) :].lstrip("+-").isdigit():
        sign, hours = name[len(_FIXED)], name[len(_FIXED) + 1 :]
        return f"UTC{'+' if sign == '-' else '-'}{hours}"
    return f"{name} with summer time" if name in _WITH_SUMMER_TIME else name


def _near(folded: str) -> list[str]:
    """Return the zones whose name or city is most similar to a folded word."""
    close = difflib.get_close_matches(folded, _names(), _OFFERED, _LIKE)
    cities = difflib.get_close_matches(folded, {*map(_city, _names())}, _OFFERED, _LIKE)
    named = [name for city in cities for name in _names().values() if _city(name) == city]
    return [*dict.fromkeys([*map(_names().__getitem__, close), *named])]


def _city(name: str) -> str:
    return name.casefold().rpartition("/")[2]


def moments(local: datetime, zone: ZoneInfo) -> tuple[float, ...]:
    """Return when a local time without a zone is, in seconds since 1970: once, or twice when clocks go back.

    A time that is skipped when clocks go forward counts as if they hadn't: 02:30 is then 03:30 (RFC 5545, 3.3.5).
    """
    first, second = (local.replace(tzinfo=zone, fold=fold).timestamp() for fold in (0, 1))
    return (first, second) if second > first else (first,)
