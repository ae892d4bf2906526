"""The `/preset` command: save the options of a table under a name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lilygames.chat.names import fold
from lilygames.commands import command
from lilygames.errors import UserError
from lilygames.tables import game_names, options
from lilygames.tables.presets import LONGEST, MOST
from lilygames.tables.table_context import TableContext
from lilygames.text import Line, clean

_NAME = re.compile(r"[a-z][a-z0-9_-]{0,15}")


@command("preset", group="table")
async def preset(at: TableContext, verb: str = "", name: str = "", *words: str) -> Sequence[Line]:
    """Save a table for /new: /preset save friday ohell max=7 clock=60 ann bob, then /new friday.

    /preset alone lists yours; /preset forget friday removes one. Words behind
    /new friday are added to it: /new friday cat.
    """
    if at.person.guest:
        raise UserError("a guest's presets are not kept. Type /register to keep your name; then save one.")
    saved, folded = await at.tables.presets.of(at.person.name), fold(name)
    match verb.casefold():
        case "":
            rows = [_line(at, f"{one}: {line}") for one, line in sorted(saved.items())]
            return rows or [Line("(you have no presets; /preset save NAME GAME OPTIONS NAMES saves one)")]
        case "save" if words:
            line = _checked(at, folded, words)
            if folded not in saved and len(saved) >= MOST:
                raise UserError(f"you have {MOST} presets already. Type /preset forget NAME to remove one.")
            await at.tables.presets.keep(at.person.name, {**saved, folded: line})
            return [_line(at, f"(saved: /new {folded} opens {line})")]
        case "forget" if folded in saved:
            await at.tables.presets.keep(at.person.name, {one: line for one, line in saved.items() if one != folded})
            return [Line(f"(the preset {folded} is gone)")]
        case "forget":
            raise UserError(f"you have no preset “{name[:16]}”. Type /preset to list yours.")
    raise UserError("type /preset save NAME GAME OPTIONS NAMES, /preset forget NAME, or /preset alone.")


def _line(at: TableContext, text: str) -> Line:
    return Line(text, by=at.person.name, aloud=text)


def _checked(at: TableContext, name: str, words: Sequence[str]) -> str:
    """Return the words of a preset to store; raises `UserError` if /new couldn't open a table with them."""
    if not _NAME.fullmatch(name):
        raise UserError("a preset's name is 1 to 16 letters, digits, - or _, and begins with a letter.")
    if game_names.squeezed(name) in game_names.called(at.tables.games):
        raise UserError(f"“{name}” is the name of a game; choose another name for the preset.")
    game, rest = game_names.split(at.tables.games, words)
    _, others = options.frame(game, rest)
    _, names = options.read(game, others)
    for one in names:
        at.tables.host.person(one)
    line = clean(" ".join((game.name, *rest)))
    if len(line) > LONGEST:
        raise UserError(f"a preset has {LONGEST} characters at most; this one has {len(line)}.")
    return line


async def opened(at: TableContext, words: Sequence[str]) -> tuple[str, ...]:
    """Return the words after /new, with the preset named by the first one expanded."""
    known = game_names.called(at.tables.games)
    if at.person.guest or game_names.squeezed(words[0]) in known:
        return tuple(words)
    line = (await at.tables.presets.of(at.person.name)).get(fold(words[0]))
    return (*line.split(), *words[1:]) if line else tuple(words)
