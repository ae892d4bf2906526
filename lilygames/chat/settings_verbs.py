"""What people type to have their terminal as they like it."""

from __future__ import annotations

import attrs

from lilygames.chat import settings
from lilygames.chat.host import Call
from lilygames.commands import command


@command("set", group="you")
def set_(call: Call, name: str = "", value: str = "") -> list[str]:
    """Set something about your terminal: /set width 60, /set width auto, /set colour on; alone it lists all.

    It is kept with your account, and holds wherever you log in.
    """
    person = call.person
    if not name:
        return [*settings.listed(person.belongings.settings), "(/set NAME VALUE sets one)"]
    one = settings.setting(name)
    if value:
        kept = settings.changed(person.belongings.settings, name, value)
        person.belongings = attrs.evolve(person.belongings, settings=kept)
        call.host.keep(person)
        if person.terminal:
            person.terminal.prefer(kept)
    return [f"({one.name} is {person.belongings.settings.get(one.name, one.words[0])})"]
