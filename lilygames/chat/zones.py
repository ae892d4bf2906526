"""Time zones: the names that people type, the zone of the place and of each person, and when a local time is.

Zones are those of the IANA database. The system has it, or the package `tzdata`.
"""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from lilygames.errors import NotFound, UserError
from lilygames.text import listing

SETTING, PLACE = "zone", "place"
"""The setting of a person's zone, and its default: the zone of the place."""
_OFFERED = 3
"""Maximum names offered for a wrong one."""
_LIKE = 0.7
"""Similarity from which a name is offered."""


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
    """Return the zone that was typed, as in `Europe/Berlin`, `europe/berlin` or `berlin`; raises `UserError`."""
    folded = "_".join(typed.casefold().split())
    if folded in _names():
        return _names()[folded]
    cities = [name for name in _names().values() if _city(name) == folded]
    if len(cities) == 1:
        return cities[0]
    if cities:
        raise UserError(f"“{typed[:30]}” could be {listing(cities, 'or')}. Type /set zone and one of them.")
    near = [*_near(folded)][:_OFFERED]
    if not near:
        raise NotFound(f"there's no time zone “{typed[:30]}”. Type a name like Europe/Berlin: /help zone.")
    raise NotFound(f"there's no time zone “{typed[:30]}”. Did you mean {listing(near, 'or')}?")


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
