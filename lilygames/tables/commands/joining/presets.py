"""The `/preset` command: save the options of a table under a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lilygames.chat.names.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.tables.log import options
from lilygames.tables.open import game_names
from lilygames.tables.seeks.presets import LONGEST, MOST
from lilygames.tables.visits.table_context import TableContext
from lilygames.text import Line, clean, shortened

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,15}")


@command(
    "preset",
    group="table",
    syntax="[save NAME GAME [OPTION=VALUE...] [NAME...] | forget NAME]",
    says=("duplicate=",),
)
async def preset(at: TableContext, verb: str = "", name: str = "", *words: str) -> Sequence[Line]:
    """Save a table for /new: /preset save friday ohell max=7 clock=60 ann bob, then /new friday.

    /preset lists your presets; /preset forget friday deletes one. You can add
    to a preset when you use it: /new friday cat.
    """
    if at.person.guest:
        raise UserError("guests can't save presets. Type /register to keep your name, then save one.")
    saved, folded = await at.tables.presets.of(at.person.name), fold(name)
    match verb.casefold():
        case "":
            rows = [_line(at, f"{one}: {line}") for one, line in sorted(saved.items())]
            return rows or [Line("(you don't have any presets; type /preset save NAME GAME OPTIONS NAMES to save one)")]
        case "save" if words:
            line = _checked(at, folded, words)
            if folded not in saved and len(saved) >= MOST:
                raise UserError(f"you already have {MOST} presets. Type /preset forget NAME to delete one.")
            await at.tables.presets.keep(at.person.name, {**saved, folded: line})
            return [_line(at, f"(saved: /new {folded} opens {line})")]
        case "forget" if folded in saved:
            await at.tables.presets.keep(at.person.name, {one: line for one, line in saved.items() if one != folded})
            return [Line(f"(you deleted the preset {folded})")]
        case "forget":
            raise UserError(f"you don't have a preset “{shortened(name, 16)}”. Type /preset to list yours.")
    raise UserError("type /preset to list your presets, /preset save NAME GAME OPTIONS NAMES, or /preset forget NAME.")


def _line(at: TableContext, text: str) -> Line:
    return Line(text, by=at.person.name, aloud=text)


def _checked(at: TableContext, name: str, words: Sequence[str]) -> str:
    """Return the words of a preset to store; raises `UserError` if /new couldn't open a table with them."""
    if not _NAME.fullmatch(name):
        raise UserError("a preset's name has 1 to 16 letters, digits, - or _, and starts with a letter.")
    if game_names.squeezed(name) in game_names.called(at.tables.games):
        raise UserError(f"“{name}” is the name of a game. Choose another name for the preset.")
    game, rest = game_names.split(at.tables.games, words)
    _, others = options.frame(game, rest)
    _, names = options.read(game, others)
    for one in names:
        at.tables.host.lookup.person(one)
    line = clean(" ".join((game.name, *rest)))
    if len(line) > LONGEST:
        raise UserError(f"a preset can have {LONGEST} characters, and this one has {len(line)}. Please shorten it.")
    return line


async def opened(at: TableContext, words: Sequence[str]) -> tuple[str, ...]:
    """Return the words after /new, with the preset named by the first one expanded."""
    known = game_names.called(at.tables.games)
    if at.person.guest or game_names.squeezed(words[0]) in known:
        return tuple(words)
    line = (await at.tables.presets.of(at.person.name)).get(fold(words[0]))
    return (*line.split(), *words[1:]) if line else tuple(words)
