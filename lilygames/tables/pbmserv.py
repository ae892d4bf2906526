"""Opening a table as pbmserv's players type it: `/wizard challenge -german bob ann cat`."""

from __future__ import annotations

from functools import partial

import attrs

from lilygames.chat.host import Call
from lilygames.chat.sorry import Sorry
from lilygames.commands import Command, command, declared
from lilygames.tables import verbs
from lilygames.tables.at import At
from lilygames.tables.tables import Tables


@command("challenge")
def _challenge(_: Call, verb: str = "", *words: str) -> None:
    """Open a table of this game and invite people: /GAME challenge -OPTION NAMES.

    /GAME alone plays at once, as /quick GAME does.
    """


def challenges(tables: Tables) -> tuple[Command, ...]:
    """Return a command for each game, named as the game is."""
    (form,) = declared(_challenge)
    return tuple(attrs.evolve(form, name=name, run=partial(_run, tables, name)) for name in tables.games)


def _run(tables: Tables, name: str, call: Call, verb: str, *words: str) -> object:
    at = At(call.person, tables)
    if not verb:
        return verbs.quick(at, name)
    if not "challenge".startswith(verb.casefold()):
        raise Sorry(f"/{name} challenge NAMES opens a table, /{name} alone plays at once, /help {name} has the rules.")
    return verbs.new(at, name, *words)
