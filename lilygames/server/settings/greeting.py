"""Settings: texts about the server."""

from __future__ import annotations

import re
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import attrs

from lilygames.server.settings.setting import setting


def _is_zone(name: str) -> bool:
    try:
        return name == "UTC" or bool(ZoneInfo(name))
    except (OSError, ValueError, ZoneInfoNotFoundError):
        return False


@attrs.frozen(slots=False, kw_only=True)
class Greeting:
    """Texts about the server, for the people on it."""

    name: str = setting("lilygames", "Name of the server in the greeting.")
    greeting: str = setting(
        "",
        "Line of your own in the greeting, for everyone who connects. Empty leaves it out.",
        words=("one line of at most 200 characters",),
        fits=re.compile(r"[^\x00-\x1f\x7f-\x9f]{0,200}").fullmatch,
    )
    policy: str = setting(
        "",
        "Folder with your own conduct.txt, privacy.txt and appeal.txt. Each replaces the help page of that name. Empty"
        " keeps ours, which promise nothing for you.",
    )
    timezone: str = setting(
        "UTC", "Time zone of the times that people see.", words=("UTC", "a name like Europe/Berlin"), fits=_is_zone
    )
    public_address: str = setting(
        "",
        "Where people connect, for mails: a host name and a port. Mail and push need it.",
        words=("a text like games.example 7777",),
        fits=re.compile(r"(?:[A-Za-z0-9.:-]{1,253} [0-9]{1,5})?").fullmatch,
    )
