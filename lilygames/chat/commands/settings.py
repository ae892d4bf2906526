"""What people type to have their terminal as they like it."""

from __future__ import annotations

from lilygames.chat import settings
from lilygames.chat.context import Context
from lilygames.chat.host import Host
from lilygames.chat.people import Person
from lilygames.commands import command


def change(host: Host, person: Person, name: str, value: str) -> None:
    """Set something for a person and their terminal, and keep it; raises `UserError`."""
    person.set_profile(settings.with_setting(person.profile, name, value))
    host.keep(person)
    if person.terminal:
        person.terminal.prefer(person.profile.settings)


@command("set", group="you")
def set_(context: Context, name: str = "", value: str = "") -> list[str]:
    """Set something about your terminal: /set width 60, /set width auto, /set colour on; alone it lists all.

    It is kept with your account, and holds wherever you log in.
    """
    person = context.person
    if not name:
        return [*settings.listed(settings.stated(person.profile)), "(/set NAME VALUE sets one)"]
    one = settings.setting(name)
    if value:
        change(context.host, person, name, value)
    return [f"({one.name} is {settings.stated(person.profile).get(one.name, one.words[0])})"]
