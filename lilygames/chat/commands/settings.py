"""/set: change display settings."""

from __future__ import annotations

from lilygames.chat import settings
from lilygames.chat.context import Context
from lilygames.chat.host import Host
from lilygames.chat.people import Person
from lilygames.commands import command


def change(host: Host, person: Person, name: str, value: str) -> None:
    """Change a setting, apply it to the person's terminal and save it; raises `UserError`."""
    person.set_profile(settings.with_setting(person.profile, name, value))
    host.keep(person)
    if person.terminal:
        person.terminal.prefer(person.profile.settings)


@command("set", group="you")
def set_(context: Context, name: str = "", value: str = "") -> list[str]:
    """Change a display setting: /set width 60, /set width auto, /set colour on. /set lists all settings.

    They are saved with your account and apply wherever you log in.
    """
    person = context.person
    if not name:
        return [*settings.listed(settings.stated(person.profile)), "(type /set NAME VALUE to change one)"]
    one = settings.setting(name)
    if value:
        change(context.host, person, name, value)
    return [f"({one.name} is {settings.stated(person.profile).get(one.name, one.words[0])})"]
