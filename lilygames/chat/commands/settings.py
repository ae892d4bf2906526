"""/set: change display settings."""

from __future__ import annotations

from lilygames.chat.host.context import Context
from lilygames.chat.names import zones
from lilygames.chat.names.time_text import day_and_time
from lilygames.chat.people import settings
from lilygames.chat.people.settings import Setting
from lilygames.commands import Rest, command

_VALUES = (*settings.SETTINGS, *(word for one in settings.SETTINGS.values() for word in one.words))


@command("set", group="you", takes=_VALUES)
def set_(context: Context, name: str = "", value: Rest = "") -> list[str]:
    """Change a display setting: /set width 60, /set colour on, /set zone Europe/Berlin. /set lists all settings.

    They are saved with your account and apply wherever you log in.
    """
    person = context.person
    if not name:
        return [*settings.listed(settings.stated(person.profile)), "(type /set NAME VALUE to change one)"]
    one = settings.setting(name)
    if value:
        context.host.change_setting(person, name, value)
    return [_said(context, one)]


def _said(context: Context, one: Setting) -> str:
    """Return a setting's value; for the zone, also the time there."""
    own, now = context.person.profile, context.host.clock()
    value = settings.stated(own).get(one.name, one.words[0])
    if one.name != zones.SETTING:
        return f"({one.name} is {value})"
    zone = zones.zone_of(own.settings)
    whose = "the place's, " if value == zones.PLACE else ""
    return f"(zone is {whose}{zones.described(zone.key)}; it's {day_and_time(now, now, zone)} there)"
